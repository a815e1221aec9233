# Made by scripts/generate from schema/. Do not edit.
"""The generated models and the published schema files; users import them from `cachespec`."""

SCHEMA_VERSION = "1.0.0"

# The largest number of heads, width of a head or window, and the largest size of a dimension.
MAX_EXTENT = 2147483647

# What `models` defines, for those who must not wait for pydantic.
MODEL_NAMES = (
    "AttentionPolicy",
    "AttentionPolicySliding",
    "CacheBlockId",
    "CacheLayout",
    "CacheRankIdentity",
    "CacheRepresentation",
    "CacheTier",
    "CompressedLatentRotary",
    "Convolution",
    "FindingLevel",
    "FixedState",
    "KeyOnly",
    "KeyOnlyWithFixedState",
    "KeyValue",
    "KeyValueWithFixedState",
    "LayerCachePolicy",
    "LayerCachePolicyCompressedLatentRotary",
    "LayerCachePolicyFixedState",
    "LayerCachePolicyKeyOnly",
    "LayerCachePolicyKeyOnlyWithFixedState",
    "LayerCachePolicyKeyValue",
    "LayerCachePolicyKeyValueWithFixedState",
    "LayerPrefixOffset",
    "MutableStateResidency",
    "Pooling",
    "PoolingStateComponent",
    "Report",
    "ReportFinding",
    "Sliding",
    "StateComponentPolicy",
    "StateComponentRole",
    "StateComponentRoleFixed",
    "StateResidencyClass",
    "StateTensorDimension",
    "StateTensorDimensionFixed",
    "StateTensorDimensionPrefixTokensDiv",
    "StateTensorDimensionPrefixTokensRem",
    "StateTensorDtype",
    "StateTensorOwner",
    "StateTensorOwnerLayer",
    "StateTensorPolicy",
    "StateTensorPresence",
    "StateTensorPresencePrefixAtLeast",
    "StateTensorPresencePrefixRemainderNonZero",
    "StateTensorRole",
    "StateTensorRoleConvolution",
    "StateTensorRolePooling",
)

# Made by scripts/generate from schema/. Do not edit.

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr
from typing_extensions import TypeAliasType

from cachespec_types.base import Items, Model


class AttentionPolicySliding(Model):
    """
    Only the most recent tokens, up to a window
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    sliding: Sliding
    """
    The window, the current token included
    """


AttentionPolicy = TypeAliasType("AttentionPolicy", Literal["full"] | AttentionPolicySliding)
"""
Which past tokens a layer's attention can see
"""


class CacheBlockId(Model):
    """
    Identity of one sealed, immutable block of attention state
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    session_id: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    The live cache that the block belongs to
    """
    global_layer: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Index of the decoder layer in the whole model, from 0
    """
    representation: CacheRepresentation
    """
    What the payload of the block holds
    """
    start: Annotated[StrictInt, Field(ge=0, le=9223372036854775807)]
    """
    Position of the first token in the block
    """
    end: Annotated[StrictInt, Field(ge=0, le=9223372036854775807)]
    """
    Position after the last token in the block, above start
    """
    rank: CacheRankIdentity | None = None
    """
    The rank that owns the block; null or absent in a run on one rank
    """


class CacheLayout(Model):
    """
    The state of the decoder layers that one rank of one runtime owns
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    cachespec: Annotated[StrictInt, Field(ge=1, le=1)]
    """
    Major version of the document format
    """
    name: StrictStr | None = None
    """
    What people call this layout
    """
    model_type: StrictStr | None = None
    """
    Model type of the text model, as in its configuration
    """
    runtime: StrictStr | None = None
    """
    The inference runtime whose state this is
    """
    schema_uri: Annotated[StrictStr | None, Field(alias="$schema")] = None
    """
    The schema that an editor should use for this document
    """
    layer_count: Annotated[StrictInt | None, Field(ge=1, le=18446744073709551615)] = None
    """
    Decoder layers of the whole model; when absent, global_layer_start plus the length of layers
    """
    global_layer_start: Annotated[StrictInt | None, Field(ge=0, le=18446744073709551615)] = None
    """
    Index of the first entry of layers in the whole model; when absent, 0
    """
    rank: CacheRankIdentity | None = None
    """
    The rank that owns these layers; absent when one rank owns the model
    """
    layers: Annotated[Items[LayerCachePolicy], Field(min_length=1)]
    """
    What each decoder layer remembers, in the order of the layers
    """
    layer_prefix_offsets: Items[LayerPrefixOffset] | None = None
    """
    Per layer, the tokens it holds less those of the prefix (prediction layers: -1); when absent, all 0
    """
    annotations: dict[str, StrictStr] | None = None
    """
    Notes on where the values come from
    """


class CacheRankIdentity(Model):
    """
    The rank of a distributed run that owns some cache state; an axis absent or null is not in use
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    stage_rank: Annotated[StrictInt | None, Field(ge=0, le=18446744073709551615)] = None
    """
    Pipeline stage, when the layers are partitioned into stages
    """
    shard_rank: Annotated[StrictInt | None, Field(ge=0, le=18446744073709551615)] = None
    """
    Tensor-parallel shard, when the state of one layer is partitioned
    """
    addressable_rank: Annotated[StrictInt | None, Field(ge=0, le=18446744073709551615)] = None
    """
    Member of a group whose ranks hold replicas of the same state
    """


CacheRepresentation = TypeAliasType("CacheRepresentation", Literal["key_value", "compressed_latent_rotary"])
"""
What the attention payload of one cache block holds
"""


CacheTier = TypeAliasType("CacheTier", Literal["device", "host", "disk"])
"""
Where a sealed cache block is stored
"""


class CompressedLatentRotary(Model):
    """
    A latent [batch, prefix_tokens, latent_dim] and rotary keys [batch, prefix_tokens, rotary_dim]
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    attention: AttentionPolicy
    """
    Which past tokens the layer's attention can see
    """
    latent_dim: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Elements of the compressed latent per token
    """
    rotary_dim: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Elements of the rotary key per token
    """


class Convolution(Model):
    """
    Which convolution of the layer a tensor belongs to
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    slot: Annotated[StrictInt, Field(ge=0, le=4294967295)]
    """
    Number of the convolution within its layer, from 0
    """


FindingLevel = TypeAliasType("FindingLevel", Literal["error", "warning"])
"""
How much a finding matters
"""


class FixedState(Model):
    """
    The state tensors of a layer without attention
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    tensors: Annotated[Items[StateTensorPolicy], Field(min_length=1)]
    """
    The layer's state tensors; their order is part of the contract
    """


class KeyOnly(Model):
    """
    Attention keys of shape [batch, num_key_heads, prefix_tokens, head_dim]
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    attention: AttentionPolicy
    """
    Which past tokens the layer's attention can see
    """
    num_key_heads: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Key heads that this rank holds
    """
    head_dim: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Elements of one head's key
    """


class KeyOnlyWithFixedState(Model):
    """
    Attention keys as in KeyOnly, and state tensors beside them
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    attention: AttentionPolicy
    """
    Which past tokens the layer's attention can see
    """
    num_key_heads: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Key heads that this rank holds
    """
    head_dim: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Elements of one head's key
    """
    tensors: Annotated[Items[StateTensorPolicy], Field(min_length=1)]
    """
    The state tensors beside the attention; their order is part of the contract
    """


class KeyValue(Model):
    """
    Attention keys and values, each of shape [batch, num_key_value_heads, prefix_tokens, head_dim]
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    attention: AttentionPolicy
    """
    Which past tokens the layer's attention can see
    """
    num_key_value_heads: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Key/value heads that this rank holds
    """
    head_dim: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Elements of one head's key, and of its value
    """


class KeyValueWithFixedState(Model):
    """
    Attention keys and values as in KeyValue, and state tensors beside them
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    attention: AttentionPolicy
    """
    Which past tokens the layer's attention can see
    """
    num_key_value_heads: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Key/value heads that this rank holds
    """
    head_dim: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Elements of one head's key, and of its value
    """
    tensors: Annotated[Items[StateTensorPolicy], Field(min_length=1)]
    """
    The state tensors beside the attention; their order is part of the contract
    """


class LayerBytes(Model):
    """
    The bytes of one layer
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    layer: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Index of the decoder layer in the whole model, from 0
    """
    total_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Bytes with all tokens of the prefix; no window bounds it
    """
    resume_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Bytes to go on from the prefix
    """
    fixed_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    The part without a prefix dimension, which never grows
    """
    bytes_per_token: StrictFloat
    """
    How much resume_bytes grows with one token more; a mean where tokens are grouped
    """
    optional_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Tensors that may be missing, all tokens; in none of the other numbers
    """


class LayerCachePolicyCompressedLatentRotary(Model):
    """
    Multi-head latent attention: a compressed latent and rotary keys
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    compressed_latent_rotary: CompressedLatentRotary
    """
    The attention, and the widths of the latent and of the rotary key
    """


class LayerCachePolicyFixedState(Model):
    """
    Recurrent, convolution or pooling tensors, without attention
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    fixed_state: FixedState
    """
    The layer's tensors, each with its role
    """


class LayerCachePolicyKeyOnly(Model):
    """
    Attention keys alone; no values are kept
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    key_only: KeyOnly
    """
    The attention, and the heads of its keys
    """


class LayerCachePolicyKeyOnlyWithFixedState(Model):
    """
    Attention keys alone, and further state tensors
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    key_only_with_fixed_state: KeyOnlyWithFixedState
    """
    The attention as in key_only, and the tensors beside it
    """


class LayerCachePolicyKeyValue(Model):
    """
    Attention keys and values
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    key_value: KeyValue
    """
    The attention, and the heads of its keys and values
    """


class LayerCachePolicyKeyValueWithFixedState(Model):
    """
    Attention keys and values, and further state tensors
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    key_value_with_fixed_state: KeyValueWithFixedState
    """
    The attention as in key_value, and the tensors beside it
    """


LayerCachePolicy = TypeAliasType(
    "LayerCachePolicy",
    Literal["no_state"]
    | LayerCachePolicyKeyValue
    | LayerCachePolicyKeyOnly
    | LayerCachePolicyCompressedLatentRotary
    | LayerCachePolicyFixedState
    | LayerCachePolicyKeyValueWithFixedState
    | LayerCachePolicyKeyOnlyWithFixedState,
)
"""
What one decoder layer must remember between tokens
"""


LayerPrefixOffset = TypeAliasType("LayerPrefixOffset", Annotated[StrictInt, Field(ge=-9223372036854775808, le=0)])
"""
Tokens that a layer holds, less the tokens of the prefix: 0, or below for a layer that lags
"""


class LayoutSize(Model):
    """
    The bytes of one layout, and how they are made up
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    file: StrictStr
    """
    The file as it was named on the command line, or - for standard input
    """
    name: StrictStr | None
    """
    What the layout calls itself
    """
    model_type: StrictStr | None
    """
    The model type that the layout names
    """
    runtime: StrictStr | None
    """
    The runtime that the layout names
    """
    batch_size: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Sequences in the batch
    """
    prefix_tokens: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Tokens in the prefix of each sequence
    """
    dtype: StrictStr
    """
    What the floating tensors are stored as
    """
    total_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Bytes with all tokens of the prefix; no window bounds it
    """
    resume_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Bytes to go on from the prefix
    """
    fixed_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    The part without a prefix dimension, which never grows
    """
    bytes_per_token: StrictFloat
    """
    How much resume_bytes grows with one token more; a mean where tokens are grouped
    """
    optional_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Tensors that may be missing, all tokens; in none of the other numbers
    """
    layers: Items[LayerBytes]
    """
    The bytes of each layer, in the order of the layers
    """
    components: Items[PartBytes]
    """
    The bytes of each component over all layers
    """
    residency: Items[PartBytes]
    """
    The bytes of each residency class that occurs
    """


MutableStateResidency = TypeAliasType(
    "MutableStateResidency", Literal["always_device_mutable", "layer_scoped_offloadable"]
)
"""
The residency classes of state that is rewritten in place
"""


class PartBytes(Model):
    """
    The bytes of one component or residency class over all layers
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    name: StrictStr
    """
    The name of the component without its layer, or the residency class
    """
    total_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Bytes with all tokens of the prefix; no window bounds it
    """
    resume_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Bytes to go on from the prefix
    """
    fixed_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    The part without a prefix dimension, which never grows
    """
    bytes_per_token: StrictFloat
    """
    How much resume_bytes grows with one token more; a mean where tokens are grouped
    """
    optional_bytes: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Tensors that may be missing, all tokens; in none of the other numbers
    """


class PartDifference(Model):
    """
    What one component or residency class of a layout takes more than that of another
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    name: StrictStr
    """
    The name of the component without its layer, or the residency class
    """
    total_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    Bytes more with all tokens of the prefix; no window bounds it
    """
    resume_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    Bytes more to go on from the prefix
    """
    fixed_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    The part without a prefix dimension, which never grows
    """
    bytes_per_token: StrictFloat
    """
    How much resume_bytes grows with one token more; a mean where tokens are grouped
    """
    optional_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    Tensors that may be missing, all tokens; in none of the other numbers
    """


class Pooling(Model):
    """
    Which tensor of which pooling stream
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    stream: Annotated[StrictInt, Field(ge=0, le=4294967295)]
    """
    Number of the stream within its layer, from 0
    """
    component: PoolingStateComponent
    """
    The part that the tensor plays in the stream
    """


PoolingStateComponent = TypeAliasType(
    "PoolingStateComponent", Literal["pending_values", "pending_gates", "pooled", "overlap_values", "overlap_gates"]
)
"""
The part that a tensor plays in a pooling stream
"""


class Report(Model):
    """
    What cachespec check --format json prints
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    checked: Annotated[StrictInt, Field(ge=0, le=9007199254740991)]
    """
    Documents that were checked
    """
    errors: Annotated[StrictInt, Field(ge=0, le=9007199254740991)]
    """
    Errors in all documents, those not listed included
    """
    warnings: Annotated[StrictInt, Field(ge=0, le=9007199254740991)]
    """
    Warnings in all documents, those not listed included
    """
    findings: Items[ReportFinding]
    """
    The findings, at most 100 of a document, in the order of the files and of their text
    """


class ReportComponent(Model):
    """
    One component of a layout, and its extents where a batch and a prefix were given
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    name: StrictStr
    """
    The layer and the stable name of the component, such as layers.0.attention.keys
    """
    layer: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Index of the decoder layer in the whole model, from 0
    """
    shape: Annotated[Items[StateTensorDimension], Field(min_length=1)]
    """
    The dimensions, outermost first
    """
    dtype: StateTensorDtype
    """
    The element types that the component accepts
    """
    residency: StateResidencyClass
    """
    How a runtime may place and move the component
    """
    presence: StateTensorPresence
    """
    At which prefixes the component must be there
    """
    resolved_shape: Items[ResolvedExtent] | None = None
    """
    The extents at the batch and the prefix; absent when none were given
    """
    required: StrictBool | None = None
    """
    Whether the component must be there at the prefix; absent when none was given
    """


ComponentReport = TypeAliasType("ComponentReport", list[ReportComponent])
"""
What cachespec components --format json prints
"""


class ReportFinding(Model):
    """
    One finding of a check, and the file it was found in
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    file: StrictStr
    """
    The file as it was named on the command line, or - for standard input
    """
    code: StrictStr
    """
    The kind of mistake; codes are stable
    """
    level: FindingLevel
    """
    Whether the finding refuses the document or only warns
    """
    message: StrictStr
    """
    What is wrong, in one line
    """
    path: StrictStr
    """
    JSON Pointer to the value in the document
    """
    line: Annotated[StrictInt | None, Field(ge=1, le=9007199254740991)]
    """
    Line of the offending key or value, from 1; null when it has no text
    """
    column: Annotated[StrictInt | None, Field(ge=1, le=9007199254740991)]
    """
    Column in that line, in code points, from 1; null when it has no text
    """
    hint: StrictStr | None
    """
    What to write instead
    """


ResolvedExtent = TypeAliasType("ResolvedExtent", Annotated[StrictInt, Field(ge=0, le=2147483647)])
"""
One extent of a resolved shape, in elements
"""


class SizeComparison(Model):
    """
    The sizes of two layouts, and how they differ
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    layouts: Items[LayoutSize]
    """
    The two layouts, in the order of the command line
    """
    difference: SizeDifference
    """
    What the second layout takes more than the first
    """


class SizeDifference(Model):
    """
    What one layout takes more than another; negative where it takes less
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    components: Items[PartDifference] | None = None
    """
    The differences by component; absent when neither layout has any
    """
    residency: Items[PartDifference] | None = None
    """
    The differences by residency class; absent when neither layout has any
    """
    total_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    Bytes more with all tokens of the prefix; no window bounds it
    """
    resume_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    Bytes more to go on from the prefix
    """
    fixed_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    The part without a prefix dimension, which never grows
    """
    bytes_per_token: StrictFloat
    """
    How much resume_bytes grows with one token more; a mean where tokens are grouped
    """
    optional_bytes: Annotated[StrictInt, Field(ge=-9223372036854775808, le=9223372036854775807)]
    """
    Tensors that may be missing, all tokens; in none of the other numbers
    """


SizeReport = TypeAliasType("SizeReport", LayoutSize | SizeComparison)
"""
What cachespec size --format json prints: the size of one layout, or two compared
"""


class Sliding(Model):
    """
    A sliding attention window
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    window: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Visible tokens, the current one included: to resume, the last window - 1 tokens are needed
    """


class StateComponentPolicy(Model):
    """
    One component of a layer's state, as the expansion of a policy lists it
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    role: StateComponentRole
    """
    What the component is, in attention or beside it
    """
    shape: Annotated[Items[StateTensorDimension], Field(min_length=1)]
    """
    The dimensions, outermost first
    """
    dtype: StateTensorDtype
    """
    The element types that the component accepts
    """
    residency: StateResidencyClass
    """
    How a runtime may place and move the component
    """
    presence: StateTensorPresence
    """
    At which prefixes the component must be there
    """


class StateComponentRoleFixed(Model):
    """
    A state tensor with the role given
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    fixed: StateTensorRole
    """
    What the tensor means to its layer
    """


StateComponentRole = TypeAliasType(
    "StateComponentRole",
    Literal["attention_keys", "attention_values", "compressed_latent", "rotary_keys"] | StateComponentRoleFixed,
)
"""
What one component of a layer's state is, in attention or beside it
"""


StateResidencyClass = TypeAliasType(
    "StateResidencyClass", Literal["always_device_mutable", "sealable_paged", "layer_scoped_offloadable"]
)
"""
How a runtime may place and move live state
"""


class StateTensorDimensionFixed(Model):
    """
    A size that the architecture sets
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    fixed: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Elements along the dimension
    """


class StateTensorDimensionPrefixTokensDiv(Model):
    """
    Complete groups in the prefix: its tokens divided by the divisor, rounded down
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    prefix_tokens_div: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Tokens per group
    """


class StateTensorDimensionPrefixTokensRem(Model):
    """
    Tokens after the last complete group: the remainder of the prefix by the divisor
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    prefix_tokens_rem: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Tokens per group
    """


StateTensorDimension = TypeAliasType(
    "StateTensorDimension",
    Literal["batch", "prefix_tokens", "scalar"]
    | StateTensorDimensionPrefixTokensDiv
    | StateTensorDimensionPrefixTokensRem
    | StateTensorDimensionFixed,
)
"""
One dimension of a shape, resolved when batch and prefix are known
"""


StateTensorDtype = TypeAliasType("StateTensorDtype", Literal["floating", "float32", "int32", "uint32"])
"""
The element types that a tensor accepts
"""


class StateTensorOwnerLayer(Model):
    """
    A decoder layer
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    layer: Annotated[StrictInt, Field(ge=0, le=18446744073709551615)]
    """
    Index of the decoder layer in the whole model, from 0
    """


StateTensorOwner = TypeAliasType("StateTensorOwner", StateTensorOwnerLayer)
"""
What a state tensor belongs to
"""


class StateTensorPolicy(Model):
    """
    One state tensor of a layer: its role, symbolic shape, element type, residency and presence
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    role: StateTensorRole
    """
    What the tensor means to its layer; a role occurs once in a layer
    """
    shape: Annotated[Items[StateTensorDimension], Field(min_length=1)]
    """
    The dimensions, outermost first
    """
    dtype: StateTensorDtype
    """
    The element types that the tensor accepts
    """
    residency: StateResidencyClass
    """
    How a runtime may place and move the tensor; the role decides it
    """
    presence: StateTensorPresence
    """
    At which prefixes the tensor must be there
    """


class StateTensorPresencePrefixAtLeast(Model):
    """
    When the prefix has at least so many tokens
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    prefix_at_least: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    The smallest prefix, in tokens, that needs the tensor
    """


class StateTensorPresencePrefixRemainderNonZero(Model):
    """
    When the prefix does not end at the end of a group
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    prefix_remainder_non_zero: Annotated[StrictInt, Field(ge=1, le=2147483647)]
    """
    Tokens per group
    """


StateTensorPresence = TypeAliasType(
    "StateTensorPresence",
    Literal["required", "optional"] | StateTensorPresencePrefixRemainderNonZero | StateTensorPresencePrefixAtLeast,
)
"""
When a tensor must be there
"""


class StateTensorRoleConvolution(Model):
    """
    The last inputs of a causal convolution
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    convolution: Convolution
    """
    Which convolution of the layer
    """


class StateTensorRolePooling(Model):
    """
    One tensor of an append-only stream that pools tokens in groups
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    pooling: Pooling
    """
    Which stream of the layer, and which of its tensors
    """


StateTensorRole = TypeAliasType(
    "StateTensorRole",
    Literal["recurrent", "prefix_embedding", "position_delta"] | StateTensorRoleConvolution | StateTensorRolePooling,
)
"""
What a state tensor means to its layer
"""


__all__ = [
    "AttentionPolicy",
    "AttentionPolicySliding",
    "CacheBlockId",
    "CacheLayout",
    "CacheRankIdentity",
    "CacheRepresentation",
    "CacheTier",
    "ComponentReport",
    "CompressedLatentRotary",
    "Convolution",
    "FindingLevel",
    "FixedState",
    "KeyOnly",
    "KeyOnlyWithFixedState",
    "KeyValue",
    "KeyValueWithFixedState",
    "LayerBytes",
    "LayerCachePolicy",
    "LayerCachePolicyCompressedLatentRotary",
    "LayerCachePolicyFixedState",
    "LayerCachePolicyKeyOnly",
    "LayerCachePolicyKeyOnlyWithFixedState",
    "LayerCachePolicyKeyValue",
    "LayerCachePolicyKeyValueWithFixedState",
    "LayerPrefixOffset",
    "LayoutSize",
    "MutableStateResidency",
    "PartBytes",
    "PartDifference",
    "Pooling",
    "PoolingStateComponent",
    "Report",
    "ReportComponent",
    "ReportFinding",
    "ResolvedExtent",
    "SizeComparison",
    "SizeDifference",
    "SizeReport",
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
]

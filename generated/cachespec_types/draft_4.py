# Made by scripts/generate from schema/. Do not edit.
"""Every type in the words of draft 4, the last draft to which 8.0 is no integer; a module loads faster than JSON."""

from typing import Any

TYPES: dict[str, dict[str, Any]] = {
    "AttentionPolicy": {
        "anyOf": [
            {"enum": ["full"]},
            {
                "type": "object",
                "properties": {"sliding": {"$ref": "#/definitions/Sliding"}},
                "required": ["sliding"],
                "additionalProperties": False,
            },
        ]
    },
    "CacheBlockId": {
        "type": "object",
        "properties": {
            "session_id": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "global_layer": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "representation": {"$ref": "#/definitions/CacheRepresentation"},
            "start": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807},
            "end": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807},
            "rank": {"anyOf": [{"$ref": "#/definitions/CacheRankIdentity"}, {"type": "null"}]},
        },
        "required": ["session_id", "global_layer", "representation", "start", "end"],
        "additionalProperties": False,
    },
    "CacheLayout": {
        "type": "object",
        "properties": {
            "cachespec": {"type": "integer", "minimum": 1, "maximum": 1},
            "name": {"type": ["string", "null"]},
            "model_type": {"type": ["string", "null"]},
            "runtime": {"type": ["string", "null"]},
            "$schema": {"type": ["string", "null"]},
            "layer_count": {"type": ["integer", "null"], "minimum": 1, "maximum": 18446744073709551615},
            "global_layer_start": {"type": ["integer", "null"], "minimum": 0, "maximum": 18446744073709551615},
            "rank": {"anyOf": [{"$ref": "#/definitions/CacheRankIdentity"}, {"type": "null"}]},
            "layers": {"type": "array", "items": {"$ref": "#/definitions/LayerCachePolicy"}, "minItems": 1},
            "layer_prefix_offsets": {"type": ["array", "null"], "items": {"$ref": "#/definitions/LayerPrefixOffset"}},
            "annotations": {"type": ["object", "null"], "additionalProperties": {"type": "string"}},
        },
        "required": ["cachespec", "layers"],
        "additionalProperties": False,
    },
    "CacheRankIdentity": {
        "type": "object",
        "properties": {
            "stage_rank": {"type": ["integer", "null"], "minimum": 0, "maximum": 18446744073709551615},
            "shard_rank": {"type": ["integer", "null"], "minimum": 0, "maximum": 18446744073709551615},
            "addressable_rank": {"type": ["integer", "null"], "minimum": 0, "maximum": 18446744073709551615},
        },
        "additionalProperties": False,
    },
    "CacheRepresentation": {"anyOf": [{"enum": ["key_value"]}, {"enum": ["compressed_latent_rotary"]}]},
    "CacheTier": {"anyOf": [{"enum": ["device"]}, {"enum": ["host"]}, {"enum": ["disk"]}]},
    "ComponentReport": {"type": "array", "items": {"$ref": "#/definitions/ReportComponent"}},
    "CompressedLatentRotary": {
        "type": "object",
        "properties": {
            "attention": {"$ref": "#/definitions/AttentionPolicy"},
            "latent_dim": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "rotary_dim": {"type": "integer", "minimum": 1, "maximum": 2147483647},
        },
        "required": ["attention", "latent_dim", "rotary_dim"],
        "additionalProperties": False,
    },
    "Convolution": {
        "type": "object",
        "properties": {"slot": {"type": "integer", "minimum": 0, "maximum": 4294967295}},
        "required": ["slot"],
        "additionalProperties": False,
    },
    "FindingLevel": {"anyOf": [{"enum": ["error"]}, {"enum": ["warning"]}]},
    "FixedState": {
        "type": "object",
        "properties": {
            "tensors": {"type": "array", "items": {"$ref": "#/definitions/StateTensorPolicy"}, "minItems": 1}
        },
        "required": ["tensors"],
        "additionalProperties": False,
    },
    "KeyOnly": {
        "type": "object",
        "properties": {
            "attention": {"$ref": "#/definitions/AttentionPolicy"},
            "num_key_heads": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "head_dim": {"type": "integer", "minimum": 1, "maximum": 2147483647},
        },
        "required": ["attention", "num_key_heads", "head_dim"],
        "additionalProperties": False,
    },
    "KeyOnlyWithFixedState": {
        "type": "object",
        "properties": {
            "attention": {"$ref": "#/definitions/AttentionPolicy"},
            "num_key_heads": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "head_dim": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "tensors": {"type": "array", "items": {"$ref": "#/definitions/StateTensorPolicy"}, "minItems": 1},
        },
        "required": ["attention", "num_key_heads", "head_dim", "tensors"],
        "additionalProperties": False,
    },
    "KeyValue": {
        "type": "object",
        "properties": {
            "attention": {"$ref": "#/definitions/AttentionPolicy"},
            "num_key_value_heads": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "head_dim": {"type": "integer", "minimum": 1, "maximum": 2147483647},
        },
        "required": ["attention", "num_key_value_heads", "head_dim"],
        "additionalProperties": False,
    },
    "KeyValueWithFixedState": {
        "type": "object",
        "properties": {
            "attention": {"$ref": "#/definitions/AttentionPolicy"},
            "num_key_value_heads": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "head_dim": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "tensors": {"type": "array", "items": {"$ref": "#/definitions/StateTensorPolicy"}, "minItems": 1},
        },
        "required": ["attention", "num_key_value_heads", "head_dim", "tensors"],
        "additionalProperties": False,
    },
    "LayerBytes": {
        "type": "object",
        "properties": {
            "layer": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "total_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "resume_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "fixed_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "bytes_per_token": {"type": "number"},
            "optional_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
        },
        "required": ["layer", "total_bytes", "resume_bytes", "fixed_bytes", "bytes_per_token", "optional_bytes"],
        "additionalProperties": False,
    },
    "LayerCachePolicy": {
        "anyOf": [
            {"enum": ["no_state"]},
            {
                "type": "object",
                "properties": {"key_value": {"$ref": "#/definitions/KeyValue"}},
                "required": ["key_value"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"key_only": {"$ref": "#/definitions/KeyOnly"}},
                "required": ["key_only"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"compressed_latent_rotary": {"$ref": "#/definitions/CompressedLatentRotary"}},
                "required": ["compressed_latent_rotary"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"fixed_state": {"$ref": "#/definitions/FixedState"}},
                "required": ["fixed_state"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"key_value_with_fixed_state": {"$ref": "#/definitions/KeyValueWithFixedState"}},
                "required": ["key_value_with_fixed_state"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"key_only_with_fixed_state": {"$ref": "#/definitions/KeyOnlyWithFixedState"}},
                "required": ["key_only_with_fixed_state"],
                "additionalProperties": False,
            },
        ]
    },
    "LayerPrefixOffset": {"type": "integer", "minimum": -9223372036854775808, "maximum": 0},
    "LayoutSize": {
        "type": "object",
        "properties": {
            "file": {"type": "string"},
            "name": {"type": ["string", "null"]},
            "model_type": {"type": ["string", "null"]},
            "runtime": {"type": ["string", "null"]},
            "batch_size": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "prefix_tokens": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "dtype": {"type": "string"},
            "total_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "resume_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "fixed_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "bytes_per_token": {"type": "number"},
            "optional_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "layers": {"type": "array", "items": {"$ref": "#/definitions/LayerBytes"}},
            "components": {"type": "array", "items": {"$ref": "#/definitions/PartBytes"}},
            "residency": {"type": "array", "items": {"$ref": "#/definitions/PartBytes"}},
        },
        "required": [
            "file",
            "name",
            "model_type",
            "runtime",
            "batch_size",
            "prefix_tokens",
            "dtype",
            "total_bytes",
            "resume_bytes",
            "fixed_bytes",
            "bytes_per_token",
            "optional_bytes",
            "layers",
            "components",
            "residency",
        ],
        "additionalProperties": False,
    },
    "MutableStateResidency": {"anyOf": [{"enum": ["always_device_mutable"]}, {"enum": ["layer_scoped_offloadable"]}]},
    "PartBytes": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "total_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "resume_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "fixed_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "bytes_per_token": {"type": "number"},
            "optional_bytes": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
        },
        "required": ["name", "total_bytes", "resume_bytes", "fixed_bytes", "bytes_per_token", "optional_bytes"],
        "additionalProperties": False,
    },
    "PartDifference": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "total_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
            "resume_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
            "fixed_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
            "bytes_per_token": {"type": "number"},
            "optional_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
        },
        "required": ["name", "total_bytes", "resume_bytes", "fixed_bytes", "bytes_per_token", "optional_bytes"],
        "additionalProperties": False,
    },
    "Pooling": {
        "type": "object",
        "properties": {
            "stream": {"type": "integer", "minimum": 0, "maximum": 4294967295},
            "component": {"$ref": "#/definitions/PoolingStateComponent"},
        },
        "required": ["stream", "component"],
        "additionalProperties": False,
    },
    "PoolingStateComponent": {
        "anyOf": [
            {"enum": ["pending_values"]},
            {"enum": ["pending_gates"]},
            {"enum": ["pooled"]},
            {"enum": ["overlap_values"]},
            {"enum": ["overlap_gates"]},
        ]
    },
    "Report": {
        "type": "object",
        "properties": {
            "checked": {"type": "integer", "minimum": 0, "maximum": 9007199254740991},
            "errors": {"type": "integer", "minimum": 0, "maximum": 9007199254740991},
            "warnings": {"type": "integer", "minimum": 0, "maximum": 9007199254740991},
            "findings": {"type": "array", "items": {"$ref": "#/definitions/ReportFinding"}},
        },
        "required": ["checked", "errors", "warnings", "findings"],
        "additionalProperties": False,
    },
    "ReportComponent": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "layer": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
            "shape": {"type": "array", "items": {"$ref": "#/definitions/StateTensorDimension"}, "minItems": 1},
            "dtype": {"$ref": "#/definitions/StateTensorDtype"},
            "residency": {"$ref": "#/definitions/StateResidencyClass"},
            "presence": {"$ref": "#/definitions/StateTensorPresence"},
            "resolved_shape": {"type": ["array", "null"], "items": {"$ref": "#/definitions/ResolvedExtent"}},
            "required": {"type": ["boolean", "null"]},
        },
        "required": ["name", "layer", "shape", "dtype", "residency", "presence"],
        "additionalProperties": False,
    },
    "ReportFinding": {
        "type": "object",
        "properties": {
            "file": {"type": "string"},
            "code": {"type": "string"},
            "level": {"$ref": "#/definitions/FindingLevel"},
            "message": {"type": "string"},
            "path": {"type": "string"},
            "line": {"type": ["integer", "null"], "minimum": 1, "maximum": 9007199254740991},
            "column": {"type": ["integer", "null"], "minimum": 1, "maximum": 9007199254740991},
            "hint": {"type": ["string", "null"]},
        },
        "required": ["file", "code", "level", "message", "path", "line", "column", "hint"],
        "additionalProperties": False,
    },
    "ResolvedExtent": {"type": "integer", "minimum": 0, "maximum": 2147483647},
    "SizeComparison": {
        "type": "object",
        "properties": {
            "layouts": {"type": "array", "items": {"$ref": "#/definitions/LayoutSize"}},
            "difference": {"$ref": "#/definitions/SizeDifference"},
        },
        "required": ["layouts", "difference"],
        "additionalProperties": False,
    },
    "SizeDifference": {
        "type": "object",
        "properties": {
            "components": {"type": ["array", "null"], "items": {"$ref": "#/definitions/PartDifference"}},
            "residency": {"type": ["array", "null"], "items": {"$ref": "#/definitions/PartDifference"}},
            "total_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
            "resume_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
            "fixed_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
            "bytes_per_token": {"type": "number"},
            "optional_bytes": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
        },
        "required": ["total_bytes", "resume_bytes", "fixed_bytes", "bytes_per_token", "optional_bytes"],
        "additionalProperties": False,
    },
    "SizeReport": {"anyOf": [{"$ref": "#/definitions/LayoutSize"}, {"$ref": "#/definitions/SizeComparison"}]},
    "Sliding": {
        "type": "object",
        "properties": {"window": {"type": "integer", "minimum": 1, "maximum": 2147483647}},
        "required": ["window"],
        "additionalProperties": False,
    },
    "StateComponentPolicy": {
        "type": "object",
        "properties": {
            "role": {"$ref": "#/definitions/StateComponentRole"},
            "shape": {"type": "array", "items": {"$ref": "#/definitions/StateTensorDimension"}, "minItems": 1},
            "dtype": {"$ref": "#/definitions/StateTensorDtype"},
            "residency": {"$ref": "#/definitions/StateResidencyClass"},
            "presence": {"$ref": "#/definitions/StateTensorPresence"},
        },
        "required": ["role", "shape", "dtype", "residency", "presence"],
        "additionalProperties": False,
    },
    "StateComponentRole": {
        "anyOf": [
            {"enum": ["attention_keys"]},
            {"enum": ["attention_values"]},
            {"enum": ["compressed_latent"]},
            {"enum": ["rotary_keys"]},
            {
                "type": "object",
                "properties": {"fixed": {"$ref": "#/definitions/StateTensorRole"}},
                "required": ["fixed"],
                "additionalProperties": False,
            },
        ]
    },
    "StateResidencyClass": {
        "anyOf": [
            {"enum": ["always_device_mutable"]},
            {"enum": ["sealable_paged"]},
            {"enum": ["layer_scoped_offloadable"]},
        ]
    },
    "StateTensorDimension": {
        "anyOf": [
            {"enum": ["batch"]},
            {"enum": ["prefix_tokens"]},
            {
                "type": "object",
                "properties": {"prefix_tokens_div": {"type": "integer", "minimum": 1, "maximum": 2147483647}},
                "required": ["prefix_tokens_div"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"prefix_tokens_rem": {"type": "integer", "minimum": 1, "maximum": 2147483647}},
                "required": ["prefix_tokens_rem"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"fixed": {"type": "integer", "minimum": 1, "maximum": 2147483647}},
                "required": ["fixed"],
                "additionalProperties": False,
            },
            {"enum": ["scalar"]},
        ]
    },
    "StateTensorDtype": {
        "anyOf": [{"enum": ["floating"]}, {"enum": ["float32"]}, {"enum": ["int32"]}, {"enum": ["uint32"]}]
    },
    "StateTensorOwner": {
        "anyOf": [
            {
                "type": "object",
                "properties": {"layer": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615}},
                "required": ["layer"],
                "additionalProperties": False,
            }
        ]
    },
    "StateTensorPolicy": {
        "type": "object",
        "properties": {
            "role": {"$ref": "#/definitions/StateTensorRole"},
            "shape": {"type": "array", "items": {"$ref": "#/definitions/StateTensorDimension"}, "minItems": 1},
            "dtype": {"$ref": "#/definitions/StateTensorDtype"},
            "residency": {"$ref": "#/definitions/StateResidencyClass"},
            "presence": {"$ref": "#/definitions/StateTensorPresence"},
        },
        "required": ["role", "shape", "dtype", "residency", "presence"],
        "additionalProperties": False,
    },
    "StateTensorPresence": {
        "anyOf": [
            {"enum": ["required"]},
            {"enum": ["optional"]},
            {
                "type": "object",
                "properties": {"prefix_remainder_non_zero": {"type": "integer", "minimum": 1, "maximum": 2147483647}},
                "required": ["prefix_remainder_non_zero"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"prefix_at_least": {"type": "integer", "minimum": 1, "maximum": 2147483647}},
                "required": ["prefix_at_least"],
                "additionalProperties": False,
            },
        ]
    },
    "StateTensorRole": {
        "anyOf": [
            {
                "type": "object",
                "properties": {"convolution": {"$ref": "#/definitions/Convolution"}},
                "required": ["convolution"],
                "additionalProperties": False,
            },
            {"enum": ["recurrent"]},
            {"enum": ["prefix_embedding"]},
            {"enum": ["position_delta"]},
            {
                "type": "object",
                "properties": {"pooling": {"$ref": "#/definitions/Pooling"}},
                "required": ["pooling"],
                "additionalProperties": False,
            },
        ]
    },
}

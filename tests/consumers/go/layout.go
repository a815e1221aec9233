// A consumer of the specification: what another Go program would write to read and write layouts.
package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// CacheLayout is the document; the comments of its fields are in the schema.
type CacheLayout struct {
	Cachespec          int                `json:"cachespec"`
	Name               *string            `json:"name,omitempty"`
	ModelType          *string            `json:"model_type,omitempty"`
	Runtime            *string            `json:"runtime,omitempty"`
	Schema             *string            `json:"$schema,omitempty"`
	LayerCount         *uint64            `json:"layer_count,omitempty"`
	GlobalLayerStart   *uint64            `json:"global_layer_start,omitempty"`
	Rank               *CacheRankIdentity `json:"rank,omitempty"`
	Layers             []LayerCachePolicy `json:"layers"`
	LayerPrefixOffsets []int64            `json:"layer_prefix_offsets,omitempty"`
	Annotations        map[string]string  `json:"annotations,omitzero"`
}

// CacheRankIdentity is written with its nulls, unlike a layout.
type CacheRankIdentity struct {
	StageRank       *uint64 `json:"stage_rank"`
	ShardRank       *uint64 `json:"shard_rank"`
	AddressableRank *uint64 `json:"addressable_rank"`
}

// Union is an externally tagged union: either the name of a variant without fields, or the variant that is set in V.
// Which names there are, and that exactly one variant is set, the schema has said before.
type Union[V any] struct {
	Unit    string
	Variant V
}

// UnmarshalJSON reads a string as the unit variant, anything else as one of V.
func (union *Union[V]) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &union.Unit)
	}
	return json.Unmarshal(data, &union.Variant)
}

// MarshalJSON writes what UnmarshalJSON reads.
func (union Union[V]) MarshalJSON() ([]byte, error) {
	if union.Unit != "" {
		return json.Marshal(union.Unit)
	}
	return json.Marshal(union.Variant)
}

// The unions. A number that is left out is one that is 0, and in variants none may be 0.
type (
	LayerCachePolicy = Union[struct {
		KeyValue               *KeyValue               `json:"key_value,omitempty"`
		KeyOnly                *KeyOnly                `json:"key_only,omitempty"`
		CompressedLatentRotary *CompressedLatentRotary `json:"compressed_latent_rotary,omitempty"`
		FixedState             *FixedState             `json:"fixed_state,omitempty"`
		KeyValueWithFixedState *KeyValueWithFixedState `json:"key_value_with_fixed_state,omitempty"`
		KeyOnlyWithFixedState  *KeyOnlyWithFixedState  `json:"key_only_with_fixed_state,omitempty"`
	}]
	AttentionPolicy = Union[struct {
		Sliding *Sliding `json:"sliding,omitempty"`
	}]
	StateTensorRole = Union[struct {
		Convolution *Convolution `json:"convolution,omitempty"`
		Pooling     *Pooling     `json:"pooling,omitempty"`
	}]
	StateTensorDimension = Union[struct {
		PrefixTokensDiv int32 `json:"prefix_tokens_div,omitempty"`
		PrefixTokensRem int32 `json:"prefix_tokens_rem,omitempty"`
		Fixed           int32 `json:"fixed,omitempty"`
	}]
	StateTensorPresence = Union[struct {
		PrefixRemainderNonZero int32 `json:"prefix_remainder_non_zero,omitempty"`
		PrefixAtLeast          int32 `json:"prefix_at_least,omitempty"`
	}]
)

// The payloads of the variants.
type (
	Sliding struct {
		Window int32 `json:"window"`
	}
	Convolution struct {
		Slot uint32 `json:"slot"`
	}
	Pooling struct {
		Stream    uint32 `json:"stream"`
		Component string `json:"component"`
	}
	KeyValue struct {
		Attention        AttentionPolicy `json:"attention"`
		NumKeyValueHeads int32           `json:"num_key_value_heads"`
		HeadDim          int32           `json:"head_dim"`
	}
	KeyOnly struct {
		Attention   AttentionPolicy `json:"attention"`
		NumKeyHeads int32           `json:"num_key_heads"`
		HeadDim     int32           `json:"head_dim"`
	}
	CompressedLatentRotary struct {
		Attention AttentionPolicy `json:"attention"`
		LatentDim int32           `json:"latent_dim"`
		RotaryDim int32           `json:"rotary_dim"`
	}
	FixedState struct {
		Tensors []StateTensorPolicy `json:"tensors"`
	}
	KeyValueWithFixedState struct {
		KeyValue
		FixedState
	}
	KeyOnlyWithFixedState struct {
		KeyOnly
		FixedState
	}
	StateTensorPolicy struct {
		Role      StateTensorRole        `json:"role"`
		Shape     []StateTensorDimension `json:"shape"`
		Dtype     string                 `json:"dtype"`
		Residency string                 `json:"residency"`
		Presence  StateTensorPresence    `json:"presence"`
	}
)

// What encoding/json escapes although it need not, and an escaped backslash, after which no escape begins.
var needless = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

// Encode writes a value as canonical text.
func Encode(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	return needless.Replace(strings.TrimSuffix(text.String(), "\n")), nil
}

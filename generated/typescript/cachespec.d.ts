// Made by scripts/generate from schema/. Do not edit.

/**
 * What one decoder layer must remember between tokens
 */
export type LayerCachePolicy =
  | "no_state"
  | LayerCachePolicyKeyValue
  | LayerCachePolicyKeyOnly
  | LayerCachePolicyCompressedLatentRotary
  | LayerCachePolicyFixedState
  | LayerCachePolicyKeyValueWithFixedState
  | LayerCachePolicyKeyOnlyWithFixedState;
/**
 * Which past tokens a layer's attention can see
 */
export type AttentionPolicy = "full" | AttentionPolicySliding;
/**
 * What a state tensor means to its layer
 */
export type StateTensorRole =
  StateTensorRoleConvolution | "recurrent" | "prefix_embedding" | "position_delta" | StateTensorRolePooling;
/**
 * The part that a tensor plays in a pooling stream
 */
export type PoolingStateComponent = "pending_values" | "pending_gates" | "pooled" | "overlap_values" | "overlap_gates";
/**
 * One dimension of a shape, resolved when batch and prefix are known
 */
export type StateTensorDimension =
  | "batch"
  | "prefix_tokens"
  | StateTensorDimensionPrefixTokensDiv
  | StateTensorDimensionPrefixTokensRem
  | StateTensorDimensionFixed
  | "scalar";
/**
 * The element types that a tensor accepts
 */
export type StateTensorDtype = "floating" | "float32" | "int32" | "uint32";
/**
 * How a runtime may place and move live state
 */
export type StateResidencyClass = "always_device_mutable" | "sealable_paged" | "layer_scoped_offloadable";
/**
 * When a tensor must be there
 */
export type StateTensorPresence =
  "required" | "optional" | StateTensorPresencePrefixRemainderNonZero | StateTensorPresencePrefixAtLeast;
/**
 * Tokens that a layer holds, less the tokens of the prefix: 0, or below for a layer that lags
 */
export type LayerPrefixOffset = number;
/**
 * What the attention payload of one cache block holds
 */
export type CacheRepresentation = "key_value" | "compressed_latent_rotary";
/**
 * Where a sealed cache block is stored
 */
export type CacheTier = "device" | "host" | "disk";
/**
 * How much a finding matters
 */
export type FindingLevel = "error" | "warning";
/**
 * The residency classes of state that is rewritten in place
 */
export type MutableStateResidency = "always_device_mutable" | "layer_scoped_offloadable";
/**
 * What one component of a layer's state is, in attention or beside it
 */
export type StateComponentRole =
  "attention_keys" | "attention_values" | "compressed_latent" | "rotary_keys" | StateComponentRoleFixed;
/**
 * What a state tensor belongs to
 */
export type StateTensorOwner = StateTensorOwnerLayer;

/**
 * The state of the decoder layers that one rank of one runtime owns
 */
export interface CacheLayout {
  /**
   * Major version of the document format
   */
  cachespec: number;
  /**
   * What people call this layout
   */
  name?: string | null;
  /**
   * Model type of the text model, as in its configuration
   */
  model_type?: string | null;
  /**
   * The inference runtime whose state this is
   */
  runtime?: string | null;
  /**
   * The schema that an editor should use for this document
   */
  $schema?: string | null;
  /**
   * Decoder layers of the whole model; when absent, global_layer_start plus the length of layers
   */
  layer_count?: number | null;
  /**
   * Index of the first entry of layers in the whole model; when absent, 0
   */
  global_layer_start?: number | null;
  /**
   * The rank that owns these layers; absent when one rank owns the model
   */
  rank?: CacheRankIdentity | null;
  /**
   * What each decoder layer remembers, in the order of the layers
   *
   * @minItems 1
   */
  layers: [LayerCachePolicy, ...LayerCachePolicy[]];
  /**
   * Per layer, the tokens it holds less those of the prefix (prediction layers: -1); when absent, all 0
   */
  layer_prefix_offsets?: LayerPrefixOffset[] | null;
  /**
   * Notes on where the values come from
   */
  annotations?: {
    [k: string]: string;
  } | null;
}
/**
 * The rank of a distributed run that owns some cache state; an axis absent or null is not in use
 */
export interface CacheRankIdentity {
  /**
   * Pipeline stage, when the layers are partitioned into stages
   */
  stage_rank?: number | null;
  /**
   * Tensor-parallel shard, when the state of one layer is partitioned
   */
  shard_rank?: number | null;
  /**
   * Member of a group whose ranks hold replicas of the same state
   */
  addressable_rank?: number | null;
}
/**
 * Attention keys and values
 */
export interface LayerCachePolicyKeyValue {
  key_value: KeyValue;
}
/**
 * Attention keys and values, each of shape [batch, num_key_value_heads, prefix_tokens, head_dim]
 */
export interface KeyValue {
  attention: AttentionPolicy;
  /**
   * Key/value heads that this rank holds
   */
  num_key_value_heads: number;
  /**
   * Elements of one head's key, and of its value
   */
  head_dim: number;
}
/**
 * Only the most recent tokens, up to a window
 */
export interface AttentionPolicySliding {
  sliding: Sliding;
}
/**
 * A sliding attention window
 */
export interface Sliding {
  /**
   * Visible tokens, the current one included: to resume, the last window - 1 tokens are needed
   */
  window: number;
}
/**
 * Attention keys alone; no values are kept
 */
export interface LayerCachePolicyKeyOnly {
  key_only: KeyOnly;
}
/**
 * Attention keys of shape [batch, num_key_heads, prefix_tokens, head_dim]
 */
export interface KeyOnly {
  attention: AttentionPolicy;
  /**
   * Key heads that this rank holds
   */
  num_key_heads: number;
  /**
   * Elements of one head's key
   */
  head_dim: number;
}
/**
 * Multi-head latent attention: a compressed latent and rotary keys
 */
export interface LayerCachePolicyCompressedLatentRotary {
  compressed_latent_rotary: CompressedLatentRotary;
}
/**
 * A latent [batch, prefix_tokens, latent_dim] and rotary keys [batch, prefix_tokens, rotary_dim]
 */
export interface CompressedLatentRotary {
  attention: AttentionPolicy;
  /**
   * Elements of the compressed latent per token
   */
  latent_dim: number;
  /**
   * Elements of the rotary key per token
   */
  rotary_dim: number;
}
/**
 * Recurrent, convolution or pooling tensors, without attention
 */
export interface LayerCachePolicyFixedState {
  fixed_state: FixedState;
}
/**
 * The state tensors of a layer without attention
 */
export interface FixedState {
  /**
   * The layer's state tensors; their order is part of the contract
   *
   * @minItems 1
   */
  tensors: [StateTensorPolicy, ...StateTensorPolicy[]];
}
/**
 * One state tensor of a layer: its role, symbolic shape, element type, residency and presence
 */
export interface StateTensorPolicy {
  role: StateTensorRole;
  /**
   * The dimensions, outermost first
   *
   * @minItems 1
   */
  shape: [StateTensorDimension, ...StateTensorDimension[]];
  dtype: StateTensorDtype;
  residency: StateResidencyClass;
  presence: StateTensorPresence;
}
/**
 * The last inputs of a causal convolution
 */
export interface StateTensorRoleConvolution {
  convolution: Convolution;
}
/**
 * Which convolution of the layer a tensor belongs to
 */
export interface Convolution {
  /**
   * Number of the convolution within its layer, from 0
   */
  slot: number;
}
/**
 * One tensor of an append-only stream that pools tokens in groups
 */
export interface StateTensorRolePooling {
  pooling: Pooling;
}
/**
 * Which tensor of which pooling stream
 */
export interface Pooling {
  /**
   * Number of the stream within its layer, from 0
   */
  stream: number;
  component: PoolingStateComponent;
}
/**
 * Complete groups in the prefix: its tokens divided by the divisor, rounded down
 */
export interface StateTensorDimensionPrefixTokensDiv {
  /**
   * Tokens per group
   */
  prefix_tokens_div: number;
}
/**
 * Tokens after the last complete group: the remainder of the prefix by the divisor
 */
export interface StateTensorDimensionPrefixTokensRem {
  /**
   * Tokens per group
   */
  prefix_tokens_rem: number;
}
/**
 * A size that the architecture sets
 */
export interface StateTensorDimensionFixed {
  /**
   * Elements along the dimension
   */
  fixed: number;
}
/**
 * When the prefix does not end at the end of a group
 */
export interface StateTensorPresencePrefixRemainderNonZero {
  /**
   * Tokens per group
   */
  prefix_remainder_non_zero: number;
}
/**
 * When the prefix has at least so many tokens
 */
export interface StateTensorPresencePrefixAtLeast {
  /**
   * The smallest prefix, in tokens, that needs the tensor
   */
  prefix_at_least: number;
}
/**
 * Attention keys and values, and further state tensors
 */
export interface LayerCachePolicyKeyValueWithFixedState {
  key_value_with_fixed_state: KeyValueWithFixedState;
}
/**
 * Attention keys and values as in KeyValue, and state tensors beside them
 */
export interface KeyValueWithFixedState {
  attention: AttentionPolicy;
  /**
   * Key/value heads that this rank holds
   */
  num_key_value_heads: number;
  /**
   * Elements of one head's key, and of its value
   */
  head_dim: number;
  /**
   * The state tensors beside the attention; their order is part of the contract
   *
   * @minItems 1
   */
  tensors: [StateTensorPolicy, ...StateTensorPolicy[]];
}
/**
 * Attention keys alone, and further state tensors
 */
export interface LayerCachePolicyKeyOnlyWithFixedState {
  key_only_with_fixed_state: KeyOnlyWithFixedState;
}
/**
 * Attention keys as in KeyOnly, and state tensors beside them
 */
export interface KeyOnlyWithFixedState {
  attention: AttentionPolicy;
  /**
   * Key heads that this rank holds
   */
  num_key_heads: number;
  /**
   * Elements of one head's key
   */
  head_dim: number;
  /**
   * The state tensors beside the attention; their order is part of the contract
   *
   * @minItems 1
   */
  tensors: [StateTensorPolicy, ...StateTensorPolicy[]];
}
/**
 * Identity of one sealed, immutable block of attention state
 */
export interface CacheBlockId {
  /**
   * The live cache that the block belongs to
   */
  session_id: number;
  /**
   * Index of the decoder layer in the whole model, from 0
   */
  global_layer: number;
  representation: CacheRepresentation;
  /**
   * Position of the first token in the block
   */
  start: number;
  /**
   * Position after the last token in the block, above start
   */
  end: number;
  /**
   * The rank that owns the block; null or absent in a run on one rank
   */
  rank?: CacheRankIdentity | null;
}
/**
 * What cachespec check --format json prints
 */
export interface Report {
  /**
   * Documents that were checked
   */
  checked: number;
  /**
   * Errors in all documents, those not listed included
   */
  errors: number;
  /**
   * Warnings in all documents, those not listed included
   */
  warnings: number;
  /**
   * The findings, at most 100 of a document, in the order of the files and of their text
   */
  findings: ReportFinding[];
}
/**
 * One finding of a check, and the file it was found in
 */
export interface ReportFinding {
  /**
   * The file as it was named on the command line, or - for standard input
   */
  file: string;
  /**
   * The kind of mistake; codes are stable
   */
  code: string;
  level: FindingLevel;
  /**
   * What is wrong, in one line
   */
  message: string;
  /**
   * JSON Pointer to the value in the document
   */
  path: string;
  /**
   * Line of the offending key or value, from 1; null when it has no text
   */
  line: number | null;
  /**
   * Column in that line, in code points, from 1; null when it has no text
   */
  column: number | null;
  /**
   * What to write instead
   */
  hint: string | null;
}
/**
 * One component of a layer's state, as the expansion of a policy lists it
 */
export interface StateComponentPolicy {
  role: StateComponentRole;
  /**
   * The dimensions, outermost first
   *
   * @minItems 1
   */
  shape: [StateTensorDimension, ...StateTensorDimension[]];
  dtype: StateTensorDtype;
  residency: StateResidencyClass;
  presence: StateTensorPresence;
}
/**
 * A state tensor with the role given
 */
export interface StateComponentRoleFixed {
  fixed: StateTensorRole;
}
/**
 * A decoder layer
 */
export interface StateTensorOwnerLayer {
  /**
   * Index of the decoder layer in the whole model, from 0
   */
  layer: number;
}

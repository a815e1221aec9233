// Made by scripts/generate from schema/. Do not edit.

/**
 * At least one: takes any array, such as one that map returns, but not the empty `[]`
 */
export type NonEmptyArray<T> = {indexOf: (item: any) => number} & T[];

/**
 * Tokens that a layer holds, less the tokens of the prefix: 0, or below for a layer that lags
 */
export type LayerPrefixOffset = number;
/**
 * Which past tokens a layer's attention can see
 */
export type AttentionPolicy = "full" | AttentionPolicySliding;
/**
 * What the attention payload of one cache block holds
 */
export type CacheRepresentation = "key_value" | "compressed_latent_rotary";
/**
 * Where a sealed cache block is stored
 */
export type CacheTier = "device" | "host" | "disk";
/**
 * One extent of a resolved shape, in elements
 */
export type ResolvedExtent = number;
/**
 * What cachespec components --format json prints
 */
export type ComponentReport = ReportComponent[];
/**
 * How much a finding matters
 */
export type FindingLevel = "error" | "warning";
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
 * The residency classes of state that is rewritten in place
 */
export type MutableStateResidency = "always_device_mutable" | "layer_scoped_offloadable";
/**
 * The part that a tensor plays in a pooling stream
 */
export type PoolingStateComponent = "pending_values" | "pending_gates" | "pooled" | "overlap_values" | "overlap_gates";
/**
 * What cachespec size --format json prints: the size of one layout, or two compared
 */
export type SizeReport = LayoutSize | SizeComparison;
/**
 * What one component of a layer's state is, in attention or beside it
 */
export type StateComponentRole =
  "attention_keys" | "attention_values" | "compressed_latent" | "rotary_keys" | StateComponentRoleFixed;
/**
 * How a runtime may place and move live state
 */
export type StateResidencyClass = "always_device_mutable" | "sealable_paged" | "layer_scoped_offloadable";
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
 * What a state tensor belongs to
 */
export type StateTensorOwner = StateTensorOwnerLayer;
/**
 * When a tensor must be there
 */
export type StateTensorPresence =
  "required" | "optional" | StateTensorPresencePrefixRemainderNonZero | StateTensorPresencePrefixAtLeast;
/**
 * What a state tensor means to its layer
 */
export type StateTensorRole =
  StateTensorRoleConvolution | "recurrent" | "prefix_embedding" | "position_delta" | StateTensorRolePooling;

/**
 * The state of the decoder layers that one rank of one runtime owns
 */
export interface CacheLayout {
  /**
   * Major version of the document format
   */
  cachespec: 1;
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
   */
  layers: NonEmptyArray<LayerCachePolicy>;
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
 * Only the most recent tokens, up to a window
 */
export interface AttentionPolicySliding {
  /**
   * The window, the current token included
   */
  sliding: Sliding;
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
  /**
   * What the payload of the block holds
   */
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
 * One component of a layout, and its extents where a batch and a prefix were given
 */
export interface ReportComponent {
  /**
   * The layer and the stable name of the component, such as layers.0.attention.keys
   */
  name: string;
  /**
   * Index of the decoder layer in the whole model, from 0
   */
  layer: number;
  /**
   * The dimensions, outermost first
   */
  shape: NonEmptyArray<StateTensorDimension>;
  /**
   * The element types that the component accepts
   */
  dtype: StateTensorDtype;
  /**
   * How a runtime may place and move the component
   */
  residency: StateResidencyClass;
  /**
   * At which prefixes the component must be there
   */
  presence: StateTensorPresence;
  /**
   * The extents at the batch and the prefix; absent when none were given
   */
  resolved_shape?: ResolvedExtent[] | null;
  /**
   * Whether the component must be there at the prefix; absent when none was given
   */
  required?: boolean | null;
}
/**
 * A latent [batch, prefix_tokens, latent_dim] and rotary keys [batch, prefix_tokens, rotary_dim]
 */
export interface CompressedLatentRotary {
  /**
   * Which past tokens the layer's attention can see
   */
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
 * Which convolution of the layer a tensor belongs to
 */
export interface Convolution {
  /**
   * Number of the convolution within its layer, from 0
   */
  slot: number;
}
/**
 * The state tensors of a layer without attention
 */
export interface FixedState {
  /**
   * The layer's state tensors; their order is part of the contract
   */
  tensors: NonEmptyArray<StateTensorPolicy>;
}
/**
 * Attention keys of shape [batch, num_key_heads, prefix_tokens, head_dim]
 */
export interface KeyOnly {
  /**
   * Which past tokens the layer's attention can see
   */
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
 * Attention keys as in KeyOnly, and state tensors beside them
 */
export interface KeyOnlyWithFixedState {
  /**
   * Which past tokens the layer's attention can see
   */
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
   */
  tensors: NonEmptyArray<StateTensorPolicy>;
}
/**
 * Attention keys and values, each of shape [batch, num_key_value_heads, prefix_tokens, head_dim]
 */
export interface KeyValue {
  /**
   * Which past tokens the layer's attention can see
   */
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
 * Attention keys and values as in KeyValue, and state tensors beside them
 */
export interface KeyValueWithFixedState {
  /**
   * Which past tokens the layer's attention can see
   */
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
   */
  tensors: NonEmptyArray<StateTensorPolicy>;
}
/**
 * The bytes of one layer
 */
export interface LayerBytes {
  /**
   * Index of the decoder layer in the whole model, from 0
   */
  layer: number;
  /**
   * Bytes with all tokens of the prefix; no window bounds it
   */
  total_bytes: number;
  /**
   * Bytes to go on from the prefix
   */
  resume_bytes: number;
  /**
   * The part without a prefix dimension, which never grows
   */
  fixed_bytes: number;
  /**
   * How much resume_bytes grows with one token more; a mean where tokens are grouped
   */
  bytes_per_token: number;
  /**
   * Tensors that may be missing, all tokens; in none of the other numbers
   */
  optional_bytes: number;
}
/**
 * Attention keys and values
 */
export interface LayerCachePolicyKeyValue {
  /**
   * The attention, and the heads of its keys and values
   */
  key_value: KeyValue;
  key_only?: never;
  compressed_latent_rotary?: never;
  fixed_state?: never;
  key_value_with_fixed_state?: never;
  key_only_with_fixed_state?: never;
}
/**
 * Attention keys alone; no values are kept
 */
export interface LayerCachePolicyKeyOnly {
  /**
   * The attention, and the heads of its keys
   */
  key_only: KeyOnly;
  key_value?: never;
  compressed_latent_rotary?: never;
  fixed_state?: never;
  key_value_with_fixed_state?: never;
  key_only_with_fixed_state?: never;
}
/**
 * Multi-head latent attention: a compressed latent and rotary keys
 */
export interface LayerCachePolicyCompressedLatentRotary {
  /**
   * The attention, and the widths of the latent and of the rotary key
   */
  compressed_latent_rotary: CompressedLatentRotary;
  key_value?: never;
  key_only?: never;
  fixed_state?: never;
  key_value_with_fixed_state?: never;
  key_only_with_fixed_state?: never;
}
/**
 * Recurrent, convolution or pooling tensors, without attention
 */
export interface LayerCachePolicyFixedState {
  /**
   * The layer's tensors, each with its role
   */
  fixed_state: FixedState;
  key_value?: never;
  key_only?: never;
  compressed_latent_rotary?: never;
  key_value_with_fixed_state?: never;
  key_only_with_fixed_state?: never;
}
/**
 * Attention keys and values, and further state tensors
 */
export interface LayerCachePolicyKeyValueWithFixedState {
  /**
   * The attention as in key_value, and the tensors beside it
   */
  key_value_with_fixed_state: KeyValueWithFixedState;
  key_value?: never;
  key_only?: never;
  compressed_latent_rotary?: never;
  fixed_state?: never;
  key_only_with_fixed_state?: never;
}
/**
 * Attention keys alone, and further state tensors
 */
export interface LayerCachePolicyKeyOnlyWithFixedState {
  /**
   * The attention as in key_only, and the tensors beside it
   */
  key_only_with_fixed_state: KeyOnlyWithFixedState;
  key_value?: never;
  key_only?: never;
  compressed_latent_rotary?: never;
  fixed_state?: never;
  key_value_with_fixed_state?: never;
}
/**
 * The bytes of one layout, and how they are made up
 */
export interface LayoutSize {
  /**
   * The file as it was named on the command line, or - for standard input
   */
  file: string;
  /**
   * What the layout calls itself
   */
  name: string | null;
  /**
   * The model type that the layout names
   */
  model_type: string | null;
  /**
   * The runtime that the layout names
   */
  runtime: string | null;
  /**
   * Sequences in the batch
   */
  batch_size: number;
  /**
   * Tokens in the prefix of each sequence
   */
  prefix_tokens: number;
  /**
   * What the floating tensors are stored as
   */
  dtype: string;
  /**
   * Bytes with all tokens of the prefix; no window bounds it
   */
  total_bytes: number;
  /**
   * Bytes to go on from the prefix
   */
  resume_bytes: number;
  /**
   * The part without a prefix dimension, which never grows
   */
  fixed_bytes: number;
  /**
   * How much resume_bytes grows with one token more; a mean where tokens are grouped
   */
  bytes_per_token: number;
  /**
   * Tensors that may be missing, all tokens; in none of the other numbers
   */
  optional_bytes: number;
  /**
   * The bytes of each layer, in the order of the layers
   */
  layers: LayerBytes[];
  /**
   * The bytes of each component over all layers
   */
  components: PartBytes[];
  /**
   * The bytes of each residency class that occurs
   */
  residency: PartBytes[];
}
/**
 * The bytes of one component or residency class over all layers
 */
export interface PartBytes {
  /**
   * The name of the component without its layer, or the residency class
   */
  name: string;
  /**
   * Bytes with all tokens of the prefix; no window bounds it
   */
  total_bytes: number;
  /**
   * Bytes to go on from the prefix
   */
  resume_bytes: number;
  /**
   * The part without a prefix dimension, which never grows
   */
  fixed_bytes: number;
  /**
   * How much resume_bytes grows with one token more; a mean where tokens are grouped
   */
  bytes_per_token: number;
  /**
   * Tensors that may be missing, all tokens; in none of the other numbers
   */
  optional_bytes: number;
}
/**
 * What one component or residency class of a layout takes more than that of another
 */
export interface PartDifference {
  /**
   * The name of the component without its layer, or the residency class
   */
  name: string;
  /**
   * Bytes more with all tokens of the prefix; no window bounds it
   */
  total_bytes: number;
  /**
   * Bytes more to go on from the prefix
   */
  resume_bytes: number;
  /**
   * The part without a prefix dimension, which never grows
   */
  fixed_bytes: number;
  /**
   * How much resume_bytes grows with one token more; a mean where tokens are grouped
   */
  bytes_per_token: number;
  /**
   * Tensors that may be missing, all tokens; in none of the other numbers
   */
  optional_bytes: number;
}
/**
 * Which tensor of which pooling stream
 */
export interface Pooling {
  /**
   * Number of the stream within its layer, from 0
   */
  stream: number;
  /**
   * The part that the tensor plays in the stream
   */
  component: PoolingStateComponent;
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
  /**
   * Whether the finding refuses the document or only warns
   */
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
 * The sizes of two layouts, and how they differ
 */
export interface SizeComparison {
  /**
   * The two layouts, in the order of the command line
   */
  layouts: LayoutSize[];
  /**
   * What the second layout takes more than the first
   */
  difference: SizeDifference;
}
/**
 * What one layout takes more than another; negative where it takes less
 */
export interface SizeDifference {
  /**
   * The differences by component; absent when neither layout has any
   */
  components?: PartDifference[] | null;
  /**
   * The differences by residency class; absent when neither layout has any
   */
  residency?: PartDifference[] | null;
  /**
   * Bytes more with all tokens of the prefix; no window bounds it
   */
  total_bytes: number;
  /**
   * Bytes more to go on from the prefix
   */
  resume_bytes: number;
  /**
   * The part without a prefix dimension, which never grows
   */
  fixed_bytes: number;
  /**
   * How much resume_bytes grows with one token more; a mean where tokens are grouped
   */
  bytes_per_token: number;
  /**
   * Tensors that may be missing, all tokens; in none of the other numbers
   */
  optional_bytes: number;
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
 * One component of a layer's state, as the expansion of a policy lists it
 */
export interface StateComponentPolicy {
  /**
   * What the component is, in attention or beside it
   */
  role: StateComponentRole;
  /**
   * The dimensions, outermost first
   */
  shape: NonEmptyArray<StateTensorDimension>;
  /**
   * The element types that the component accepts
   */
  dtype: StateTensorDtype;
  /**
   * How a runtime may place and move the component
   */
  residency: StateResidencyClass;
  /**
   * At which prefixes the component must be there
   */
  presence: StateTensorPresence;
}
/**
 * A state tensor with the role given
 */
export interface StateComponentRoleFixed {
  /**
   * What the tensor means to its layer
   */
  fixed: StateTensorRole;
}
/**
 * Complete groups in the prefix: its tokens divided by the divisor, rounded down
 */
export interface StateTensorDimensionPrefixTokensDiv {
  /**
   * Tokens per group
   */
  prefix_tokens_div: number;
  prefix_tokens_rem?: never;
  fixed?: never;
}
/**
 * Tokens after the last complete group: the remainder of the prefix by the divisor
 */
export interface StateTensorDimensionPrefixTokensRem {
  /**
   * Tokens per group
   */
  prefix_tokens_rem: number;
  prefix_tokens_div?: never;
  fixed?: never;
}
/**
 * A size that the architecture sets
 */
export interface StateTensorDimensionFixed {
  /**
   * Elements along the dimension
   */
  fixed: number;
  prefix_tokens_div?: never;
  prefix_tokens_rem?: never;
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
/**
 * One state tensor of a layer: its role, symbolic shape, element type, residency and presence
 */
export interface StateTensorPolicy {
  /**
   * What the tensor means to its layer; a role occurs once in a layer
   */
  role: StateTensorRole;
  /**
   * The dimensions, outermost first
   */
  shape: NonEmptyArray<StateTensorDimension>;
  /**
   * The element types that the tensor accepts
   */
  dtype: StateTensorDtype;
  /**
   * How a runtime may place and move the tensor; the role decides it
   */
  residency: StateResidencyClass;
  /**
   * At which prefixes the tensor must be there
   */
  presence: StateTensorPresence;
}
/**
 * When the prefix does not end at the end of a group
 */
export interface StateTensorPresencePrefixRemainderNonZero {
  /**
   * Tokens per group
   */
  prefix_remainder_non_zero: number;
  prefix_at_least?: never;
}
/**
 * When the prefix has at least so many tokens
 */
export interface StateTensorPresencePrefixAtLeast {
  /**
   * The smallest prefix, in tokens, that needs the tensor
   */
  prefix_at_least: number;
  prefix_remainder_non_zero?: never;
}
/**
 * The last inputs of a causal convolution
 */
export interface StateTensorRoleConvolution {
  /**
   * Which convolution of the layer
   */
  convolution: Convolution;
  pooling?: never;
}
/**
 * One tensor of an append-only stream that pools tokens in groups
 */
export interface StateTensorRolePooling {
  /**
   * Which stream of the layer, and which of its tensors
   */
  pooling: Pooling;
  convolution?: never;
}

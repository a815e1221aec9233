// What the types refuse in values that a program writes. What only a number's range says, they cannot.
import type { AttentionPolicy, CacheLayout, LayerCachePolicy, StateTensorPolicy } from "cachespec";

const heads = [8, 8, 4];
const pushed: LayerCachePolicy[] = [];
pushed.push("no_state");
const keys = heads.map((num_key_heads) => ({ key_only: { attention: "full" as const, num_key_heads, head_dim: 64 } }));

export const good: CacheLayout[] = [
  { cachespec: 1, name: null, layers: ["no_state"] },
  { cachespec: 1, layers: pushed },
  { cachespec: 1, layers: keys },
  { cachespec: 1, layers: [...keys, "no_state"] },
  { cachespec: 1, layers: heads.map(() => "no_state") },
  {
    cachespec: 1,
    layers: heads.map((heads) => ({
      key_value: { attention: { sliding: { window: 128 } }, num_key_value_heads: heads, head_dim: 64 },
    })),
  },
  { cachespec: 1, layers: Array.from({ length: 3 }, (_, index) => (index ? "no_state" : keys[index])) },
];

const tensor = { role: "recurrent", dtype: "float32", residency: "layer_scoped_offloadable", presence: "required" } as const;
export const state: StateTensorPolicy[] = [
  { ...tensor, shape: ["batch", { fixed: 8 }] },
  { ...tensor, shape: heads.map((fixed) => ({ fixed })) },
  // @ts-expect-error: at least one dimension
  { ...tensor, shape: [] },
  // @ts-expect-error: a dimension with two variants
  { ...tensor, shape: [{ fixed: 8, prefix_tokens_div: 8 }] },
];

export const mistakes: CacheLayout[] = [
  // @ts-expect-error: at least one layer
  { cachespec: 1, layers: [] },
  // @ts-expect-error: a variant is misspelt
  { cachespec: 1, layers: ["nostate"] },
  // @ts-expect-error: a field is unknown
  { cachespec: 1, layers: ["no_state"], layerCount: 1 },
  // @ts-expect-error: a field is missing
  { cachespec: 1 },
  // @ts-expect-error: a format major that these types do not describe
  { cachespec: 2, layers: ["no_state"] },
  // @ts-expect-error: a layer with two variants
  { cachespec: 1, layers: [{ ...keys[0], fixed_state: { tensors: state } }] },
  // @ts-expect-error: layers with two variants, made by map
  { cachespec: 1, layers: keys.map((key) => ({ ...key, compressed_latent_rotary: { attention: "full" as const, latent_dim: 1, rotary_dim: 1 } })) },
];

// @ts-expect-error: a variant without fields is a string only
export const unit: AttentionPolicy = { full: null };

// What the types refuse in values that a program writes. What only a number's range says, they cannot.
import type { AttentionPolicy, CacheLayout } from "cachespec";

export const good: CacheLayout = { cachespec: 1, name: null, layers: ["no_state"] };

export const mistakes: CacheLayout[] = [
  // @ts-expect-error: at least one layer
  { cachespec: 1, layers: [] },
  // @ts-expect-error: a variant is misspelt
  { cachespec: 1, layers: ["nostate"] },
  // @ts-expect-error: a field is unknown
  { cachespec: 1, layers: ["no_state"], layerCount: 1 },
  // @ts-expect-error: a field is missing
  { cachespec: 1 },
];

// @ts-expect-error: a variant without fields is a string only
export const unit: AttentionPolicy = { full: null };

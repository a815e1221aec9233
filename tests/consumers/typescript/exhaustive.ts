// Every variant of two unions, one `case` each: without one of them the program does not compile.
import type { LayerCachePolicy, StateTensorRole } from "cachespec";

function never(value: never): never {
  throw new Error(`not a variant: ${JSON.stringify(value)}`);
}

export function kind(policy: LayerCachePolicy): string {
  if (typeof policy === "string") {
    switch (policy) {
      case "no_state":
        return "nothing";
      default:
        return never(policy);
    }
  }
  switch (true) {
    case "key_value" in policy:
      return `keys and values of ${policy.key_value.num_key_value_heads} heads`;
    case "key_only" in policy:
      return `keys of ${policy.key_only.num_key_heads} heads`;
    case "compressed_latent_rotary" in policy:
      return `a latent of ${policy.compressed_latent_rotary.latent_dim}`;
    case "fixed_state" in policy:
      return `${policy.fixed_state.tensors.length} tensors`;
    case "key_value_with_fixed_state" in policy:
      return `keys, values and ${policy.key_value_with_fixed_state.tensors.length} tensors`;
    case "key_only_with_fixed_state" in policy:
      return `keys and ${policy.key_only_with_fixed_state.tensors.length} tensors`;
    default:
      return never(policy);
  }
}

export function slot(role: StateTensorRole): number {
  if (typeof role === "string") {
    switch (role) {
      case "recurrent":
        return 0;
      case "prefix_embedding":
        return 0;
      case "position_delta":
        return 0;
      default:
        return never(role);
    }
  }
  switch (true) {
    case "convolution" in role:
      return role.convolution.slot;
    case "pooling" in role:
      return role.pooling.stream;
    default:
      return never(role);
  }
}

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
    case policy.key_value !== undefined:
      return `keys and values of ${policy.key_value.num_key_value_heads} heads`;
    case policy.key_only !== undefined:
      return `keys of ${policy.key_only.num_key_heads} heads`;
    case policy.compressed_latent_rotary !== undefined:
      return `a latent of ${policy.compressed_latent_rotary.latent_dim}`;
    case policy.fixed_state !== undefined:
      return `${policy.fixed_state.tensors.length} tensors`;
    case policy.key_value_with_fixed_state !== undefined:
      return `keys, values and ${policy.key_value_with_fixed_state.tensors.length} tensors`;
    case policy.key_only_with_fixed_state !== undefined:
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
    case role.convolution !== undefined:
      return role.convolution.slot;
    case role.pooling !== undefined:
      return role.pooling.stream;
    default:
      return never(role);
  }
}

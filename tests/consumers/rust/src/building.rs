//! The validating constructors of the original, by the names that they have in Python.

use std::convert::Infallible;
use std::fmt::Display;
use std::num::NonZeroU32;

use eredu_core::attention::AttentionPolicy;
use eredu_core::cache::{LayerCachePolicy, StateTensorDimension, StateTensorPolicy};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::decoding::canonical;

/// Canonical text of what was built, or why it was not.
type Built = Result<String, String>;

/// Calls a constructor with a list of arguments; fails only for a name that is no constructor.
pub fn build(builder: &str, arguments: Value) -> Result<Built, String> {
    Ok(match builder {
        "full" => with(arguments, |[]: [(); 0]| Ok::<_, Infallible>(AttentionPolicy::Full)),
        "sliding" => with(arguments, |(window,)| AttentionPolicy::sliding(window)),
        "fixed" => with(arguments, |(extent,)| StateTensorDimension::fixed(extent)),
        "key_value" => {
            with(arguments, |(attention, heads, width)| LayerCachePolicy::key_value(attention, heads, width))
        }
        "key_only" => with(arguments, |(attention, heads, width)| LayerCachePolicy::key_only(attention, heads, width)),
        "compressed_latent_rotary" => with(arguments, |(attention, latent, rotary)| {
            LayerCachePolicy::compressed_latent_rotary(attention, latent, rotary)
        }),
        "fixed_only" => with(arguments, |(tensors,)| LayerCachePolicy::fixed_only(tensors)),
        "key_value_with_fixed_state" => with(arguments, |(attention, heads, width, tensors)| {
            LayerCachePolicy::key_value_with_fixed_state(attention, heads, width, tensors)
        }),
        "key_only_with_fixed_state" => with(arguments, |(attention, heads, width, tensors)| {
            LayerCachePolicy::key_only_with_fixed_state(attention, heads, width, tensors)
        }),
        "state_tensor" => {
            with(arguments, |(role, shape, dtype, residency)| StateTensorPolicy::new(role, shape, dtype, residency))
        }
        "state_tensor_with_residency" => with(arguments, |(role, shape, dtype, residency)| {
            StateTensorPolicy::new_with_residency(role, shape, dtype, residency)
        }),
        "optional" => with(arguments, |(tensor,): (StateTensorPolicy,)| Ok::<_, Infallible>(tensor.optional())),
        "when_prefix_remainder_nonzero" => with(arguments, |(tensor, divisor): (StateTensorPolicy, NonZeroU32)| {
            Ok::<_, Infallible>(tensor.when_prefix_remainder_nonzero(divisor))
        }),
        "when_prefix_at_least" => with(arguments, |(tensor, tokens): (StateTensorPolicy, NonZeroU32)| {
            Ok::<_, Infallible>(tensor.when_prefix_at_least(tokens))
        }),
        _ => return Err(format!("no builder {builder}")),
    })
}

/// Arguments that do not decode are arguments that the constructor cannot be given.
fn with<A, T, E>(arguments: Value, construct: impl FnOnce(A) -> Result<T, E>) -> Built
where
    A: DeserializeOwned,
    T: Serialize,
    E: Display,
{
    let decoded = serde_json::from_value(arguments).map_err(|error| error.to_string())?;
    construct(decoded).map(|built| canonical(&built)).map_err(|error| error.to_string())
}

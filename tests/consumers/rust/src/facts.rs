//! What the original says about a value: components and their names, shapes, presence, dtype names.

use eredu_core::attention::AttentionPolicy;
use eredu_core::cache::{
    CacheBlockId, CacheRankIdentity, CacheRepresentation, CacheTier, LayerCachePolicy, MutableStateResidency,
    PoolingStateComponent, StateComponentPolicy, StateComponentRole, StateResidencyClass, StateTensorDimension,
    StateTensorDtype, StateTensorOwner, StateTensorPolicy, StateTensorPresence, StateTensorRole,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::decoding::canonical;

/// What to tell about a value beside its canonical text.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// Pairs of a batch size and a prefix length, for resolved shapes and presence.
    probes: Vec<(usize, usize)>,
    /// Dtype names, to be accepted or not.
    dtypes: Vec<String>,
}

/// What can be decoded.
pub trait Decoded: DeserializeOwned + Serialize {
    /// Beyond decoding, the original asks its readers to validate the policy of a layer.
    fn validated(&self) -> Result<(), String> {
        Ok(())
    }

    fn facts(&self, _: &Asked) -> Value {
        json!({})
    }
}

impl Decoded for LayerCachePolicy {
    fn validated(&self) -> Result<(), String> {
        self.validate().map_err(|error| error.to_string())
    }

    fn facts(&self, asked: &Asked) -> Value {
        let components = self.components();
        json!({
            "attention": self.attention(),
            "attention_residency_class": self.attention_residency_class(),
            "fixed_state": self.fixed_state().iter().map(canonical).collect::<Vec<_>>(),
            "components": components.iter().map(named).collect::<Vec<_>>(),
            "resolved": resolved(&components, asked),
            "dtypes": components.iter().map(|component| dtypes(component.dtype(), asked)).collect::<Vec<_>>(),
        })
    }
}

impl Decoded for StateComponentPolicy {
    fn facts(&self, asked: &Asked) -> Value {
        json!({ "resolved": resolved(std::slice::from_ref(self), asked), "dtypes": dtypes(self.dtype(), asked) })
    }
}

impl Decoded for StateTensorPolicy {
    fn facts(&self, asked: &Asked) -> Value {
        let probes = asked.probes.iter();
        json!({
            "residency_class": self.residency_class(),
            "resolved": probes.map(|&(batch, prefix)| extents(self, batch, prefix)).collect::<Vec<_>>(),
            "dtypes": dtypes(self.dtype, asked),
        })
    }
}

impl Decoded for StateComponentRole {
    fn facts(&self, _: &Asked) -> Value {
        json!({ "stable_name": self.stable_name() })
    }
}

impl Decoded for StateTensorRole {
    fn facts(&self, asked: &Asked) -> Value {
        StateComponentRole::Fixed(*self).facts(asked)
    }
}

impl Decoded for StateTensorDtype {
    fn facts(&self, asked: &Asked) -> Value {
        json!({ "dtypes": dtypes(*self, asked) })
    }
}

impl Decoded for MutableStateResidency {
    fn facts(&self, _: &Asked) -> Value {
        json!({ "residency_class": StateResidencyClass::from(*self) })
    }
}

macro_rules! nothing_to_tell {
    ($($type:ident),* $(,)?) => { $(impl Decoded for $type {})* };
}

nothing_to_tell!(
    AttentionPolicy,
    CacheBlockId,
    CacheRankIdentity,
    CacheRepresentation,
    CacheTier,
    PoolingStateComponent,
    StateResidencyClass,
    StateTensorDimension,
    StateTensorOwner,
    StateTensorPresence,
);

fn named(component: &StateComponentPolicy) -> Value {
    json!({ "name": component.role().stable_name(), "policy": canonical(component) })
}

fn resolved(components: &[StateComponentPolicy], asked: &Asked) -> Vec<Value> {
    let at = |&(batch, prefix): &(usize, usize)| {
        let resolved = components.iter().map(|component| {
            let mut answer = extents(&as_tensor(component), batch, prefix);
            answer["name"] = component.role().stable_name().into();
            answer
        });
        json!({ "batch_size": batch, "prefix_tokens": prefix, "components": resolved.collect::<Vec<_>>() })
    };
    asked.probes.iter().map(at).collect()
}

fn extents(tensor: &StateTensorPolicy, batch: usize, prefix: usize) -> Value {
    let required = tensor.is_required_for(prefix);
    match tensor.resolved_shape(batch, prefix) {
        Ok(shape) => json!({ "required": required, "shape": shape }),
        Err(error) => json!({ "required": required, "error": error.to_string() }),
    }
}

fn dtypes(dtype: StateTensorDtype, asked: &Asked) -> Vec<&str> {
    let tensor = StateTensorPolicy { dtype, ..any_tensor() };
    let names = asked.dtypes.iter().map(String::as_str);
    names.filter(|name| tensor.accepts_dtype_name(name)).collect()
}

/// The original resolves tensors only; a component is resolved as the tensor with its fields.
fn as_tensor(component: &StateComponentPolicy) -> StateTensorPolicy {
    StateTensorPolicy {
        role: any_tensor().role,
        shape: component.shape().to_vec(),
        dtype: component.dtype(),
        residency: component.residency(),
        presence: component.presence(),
    }
}

fn any_tensor() -> StateTensorPolicy {
    StateTensorPolicy {
        role: StateTensorRole::Recurrent,
        shape: vec![StateTensorDimension::Scalar],
        dtype: StateTensorDtype::Floating,
        residency: StateResidencyClass::LayerScopedOffloadable,
        presence: StateTensorPresence::Required,
    }
}

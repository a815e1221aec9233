//! Documents read as the types of the original, in both of its ways, and written back.

use eredu_core::attention::{AttentionPolicy, LayerSchedule};
use eredu_core::cache::{
    CacheBlockId, CacheRankIdentity, CacheRepresentation, CacheTier, LayerCachePolicy, MutableStateResidency,
    PoolingStateComponent, StateComponentPolicy, StateComponentRole, StateResidencyClass, StateTensorDimension,
    StateTensorDtype, StateTensorOwner, StateTensorPolicy, StateTensorPresence, StateTensorRole,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::facts::{Asked, Decoded};

/// A layout is no type of the original: of the document it reads the schedule of layers and the rank.
#[derive(Serialize, Deserialize)]
struct CacheLayout {
    layers: LayerSchedule<LayerCachePolicy>,
    rank: Option<CacheRankIdentity>,
}

impl Decoded for CacheLayout {
    fn validated(&self) -> Result<(), String> {
        self.layers.iter().try_for_each(Decoded::validated)
    }
}

type Sorted = Result<Vec<String>, String>;

/// A function for each of some types, by the name of the type.
type ByType<Function> = &'static [(&'static str, Function)];

macro_rules! by_type {
    ($function:ident: $($type:ident),* $(,)?) => { &[$((stringify!($type), $function::<$type>)),*] };
}

const DECODERS: ByType<fn(&[u8], &Asked) -> Value> = by_type!(
    decode_as: AttentionPolicy, CacheBlockId, CacheLayout, CacheRankIdentity, CacheRepresentation, CacheTier,
    LayerCachePolicy, MutableStateResidency, PoolingStateComponent, StateComponentPolicy, StateComponentRole,
    StateResidencyClass, StateTensorDimension, StateTensorDtype, StateTensorOwner, StateTensorPolicy,
    StateTensorPresence, StateTensorRole,
);

const SORTERS: ByType<fn(&[String]) -> Sorted> = by_type!(
    sort_as: AttentionPolicy, CacheBlockId, CacheRankIdentity, CacheRepresentation, PoolingStateComponent,
    StateComponentRole, StateTensorOwner, StateTensorRole,
);

/// The names of all types, and of those that have an order.
pub fn types() -> Value {
    let decoded: Vec<_> = DECODERS.iter().map(|(name, _)| name).collect();
    let ordered: Vec<_> = SORTERS.iter().map(|(name, _)| name).collect();
    json!({ "types": decoded, "ordered": ordered })
}

/// The answer about a document: of each way to read it, and what is asked about the value.
pub fn decode(name: &str, document: &[u8], asked: &Asked) -> Result<Value, String> {
    let decode = of(DECODERS, name)?;
    Ok(decode(document, asked))
}

/// The canonical texts of documents of one type, sorted as the original sorts their values.
pub fn sort(name: &str, values: &[String]) -> Sorted {
    let sort = of(SORTERS, name)?;
    sort(values)
}

fn of<Function: Copy>(functions: ByType<Function>, name: &str) -> Result<Function, String> {
    let found = functions.iter().find(|(known, _)| *known == name);
    found.map(|(_, function)| *function).ok_or_else(|| format!("no such type: {name}"))
}

fn decode_as<T: Decoded>(document: &[u8], asked: &Asked) -> Value {
    let text = serde_json::from_slice::<T>(document);
    let value = serde_json::from_slice::<Value>(document).and_then(serde_json::from_value::<T>);
    json!({
        "text": outcome(&text),
        "value": outcome(&value),
        "facts": text.or(value).ok().map(|decoded| decoded.facts(asked)),
    })
}

/// `canonical` when decoded, and `refused` when not decoded or not valid.
fn outcome<T: Decoded>(decoded: &serde_json::Result<T>) -> Value {
    match decoded {
        Err(error) => json!({ "refused": error.to_string() }),
        Ok(value) => match value.validated() {
            Err(error) => json!({ "canonical": canonical(value), "refused": error }),
            Ok(()) => json!({ "canonical": canonical(value) }),
        },
    }
}

fn sort_as<T: Decoded + Ord>(values: &[String]) -> Sorted {
    let decoded: serde_json::Result<Vec<T>> = values.iter().map(|text| serde_json::from_str(text)).collect();
    let mut decoded = decoded.map_err(|error| error.to_string())?;
    decoded.sort();
    Ok(decoded.iter().map(canonical).collect())
}

/// A value as the original writes it.
pub fn canonical<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a value without maps can be written")
}

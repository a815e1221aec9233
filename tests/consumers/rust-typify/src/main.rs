//! Documents through the types that typify made of the published schema: a line on standard input has the name of a
//! type and a document; the line on standard output has the document as the type writes it, or why it is refused.

use std::error::Error;
use std::io::{self, BufRead, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What typify makes is not ours to tidy.
#[allow(clippy::all, clippy::pedantic, dead_code)]
mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

#[derive(Deserialize)]
struct Question {
    #[serde(rename = "type")]
    name: String,
    text: String,
}

macro_rules! by_type {
    ($($type:ident),* $(,)?) => { &[$((stringify!($type), written::<types::$type>)),*] };
}

type Writer = fn(&str) -> serde_json::Result<String>;

const WRITERS: &[(&str, Writer)] = by_type!(
    AttentionPolicy,
    CacheBlockId,
    CacheLayout,
    CacheRankIdentity,
    CacheRepresentation,
    CacheTier,
    CompressedLatentRotary,
    Convolution,
    FixedState,
    KeyOnly,
    KeyOnlyWithFixedState,
    KeyValue,
    KeyValueWithFixedState,
    LayerCachePolicy,
    LayerPrefixOffset,
    MutableStateResidency,
    Pooling,
    PoolingStateComponent,
    Sliding,
    StateComponentPolicy,
    StateComponentRole,
    StateResidencyClass,
    StateTensorDimension,
    StateTensorDtype,
    StateTensorOwner,
    StateTensorPolicy,
    StateTensorPresence,
    StateTensorRole,
);

fn main() -> Result<(), Box<dyn Error>> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(output, "{}", answer(&serde_json::from_str(&line?)?))?;
        // Whoever asks waits for the answer before the next question.
        output.flush()?;
    }
    Ok(())
}

fn answer(question: &Question) -> Value {
    let Some((_, written)) = WRITERS.iter().find(|(name, _)| *name == question.name) else {
        return json!({ "problem": format!("no such type: {}", question.name) });
    };
    match written(&question.text) {
        Ok(canonical) => json!({ "canonical": canonical }),
        Err(error) => json!({ "refused": error.to_string() }),
    }
}

fn written<T: DeserializeOwned + Serialize>(text: &str) -> serde_json::Result<String> {
    serde_json::to_string(&serde_json::from_str::<T>(text)?)
}

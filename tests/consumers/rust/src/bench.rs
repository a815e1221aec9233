//! How long the original takes for a list of layers; scripts/bench.py compares the package with it.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use eredu_core::cache::LayerCachePolicy;
use serde_json::{Value, json};

/// The medians over some rounds, in nanoseconds for the whole list, as one line of JSON.
pub fn run(file: &str, rounds: &str) -> Result<Value, String> {
    let rounds: usize = rounds.parse().ok().filter(|&rounds| rounds > 0).ok_or("ROUNDS is a number above 0")?;
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let layers = layers(&text)?.len();
    let validated = median(rounds, || {
        black_box(layers_of(black_box(&text)));
    });
    let expanded = median(rounds, || {
        for layer in &layers_of(black_box(&text)) {
            black_box(layer.components());
        }
    });
    Ok(json!({
        "layers": layers,
        "rounds": rounds,
        "decode_and_validate_ns": validated,
        "decode_validate_and_components_ns": expanded,
    }))
}

fn layers(text: &str) -> Result<Vec<LayerCachePolicy>, String> {
    let layers: Vec<LayerCachePolicy> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    for layer in &layers {
        layer.validate().map_err(|error| error.to_string())?;
    }
    Ok(layers)
}

fn layers_of(text: &str) -> Vec<LayerCachePolicy> {
    layers(text).expect("the same text was accepted before the rounds")
}

fn median(rounds: usize, mut work: impl FnMut()) -> u64 {
    let mut times: Vec<u128> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    u64::try_from(times[rounds / 2]).unwrap_or(u64::MAX)
}

//! The original implementation as a program: a question a line on standard input, its answer a line on standard output.

mod bench;
mod building;
mod decoding;
mod facts;
mod protocol;

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: cachespec-reference [--bench FILE ROUNDS]";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => answer_lines().map_err(|error| error.to_string()),
        ["--bench", file, rounds] => bench::run(file, rounds).map(|line| println!("{line}")),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn answer_lines() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(output, "{}", protocol::answer(&line?))?;
        // Whoever asks waits for the answer before the next question.
        output.flush()?;
    }
    Ok(())
}

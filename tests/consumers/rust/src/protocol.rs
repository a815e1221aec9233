//! The questions, and what is answered. An answer has the `id` of its question, and `problem` where the question is bad.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::facts::Asked;
use crate::{building, decoding};

#[derive(Deserialize)]
struct Question {
    #[serde(default)]
    id: Value,
    #[serde(flatten)]
    operation: Operation,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Operation {
    /// The types that can be asked about, and those of them that have an order.
    Types,
    /// What the original makes of a document.
    Decode {
        #[serde(rename = "type")]
        name: String,
        #[serde(flatten)]
        document: Document,
        #[serde(default)]
        asked: Asked,
    },
    /// Documents of one type, written back in the original's order.
    Sort {
        #[serde(rename = "type")]
        name: String,
        values: Vec<String>,
    },
    /// What a validating constructor of the original builds.
    Build { builder: String, arguments: Value },
}

/// A document may be no UTF-8, and JSON strings have no other bytes.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Document {
    Text(String),
    Bytes(Vec<u8>),
}

impl Document {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// The answer to one line, itself a line of JSON.
pub fn answer(line: &str) -> Value {
    let (id, answered) = match serde_json::from_str::<Question>(line) {
        Ok(question) => (question.id, perform(question.operation)),
        Err(error) => (Value::Null, Err(format!("not a question: {error}"))),
    };
    let mut answer = answered.unwrap_or_else(|problem| json!({ "problem": problem }));
    answer["id"] = id;
    answer
}

fn perform(operation: Operation) -> Result<Value, String> {
    match operation {
        Operation::Types => Ok(decoding::types()),
        Operation::Decode { name, document, asked } => decoding::decode(&name, document.bytes(), &asked),
        Operation::Sort { name, values } => {
            let sorted = decoding::sort(&name, &values)?;
            Ok(json!({ "sorted": sorted }))
        }
        Operation::Build { builder, arguments } => Ok(match building::build(&builder, arguments)? {
            Ok(canonical) => json!({ "canonical": canonical }),
            Err(refused) => json!({ "refused": refused }),
        }),
    }
}

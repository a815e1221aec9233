//! Makes Rust types of the published schema with typify.
//!
//! The file is taken as it is published. Two things that canonical text asks for are in no schema, and typify has no
//! setting for them: fields in the order of the schema (typify sorts them by name), and nulls written for absent
//! values. So they are mended in the generated code.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs, iter};

use quote::quote;
use serde_json::Value;
use syn::{Field, Fields, FieldsNamed, Item, ItemStruct, parse_quote};
use typify::{TypeSpace, TypeSpaceSettings};

const SCHEMA: &str = "../../../generated/cachespec_types/cachespec.schema.json";

/// The types of which canonical text writes an absent value as null.
const WITH_NULLS: [&str; 2] = ["CacheRankIdentity", "CacheBlockId"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SCHEMA}");
    let text = fs::read_to_string(SCHEMA)?;
    let mut code = generated(&text)?;
    let schema: Value = serde_json::from_str(&text)?;
    for item in &mut code.items {
        if let Item::Struct(ItemStruct { ident, fields: Fields::Named(fields), .. }) = item {
            let name = ident.to_string();
            order(fields, &properties(&schema, &name));
            if WITH_NULLS.contains(&name.as_str()) {
                fields.named.iter_mut().for_each(write_null);
            }
        }
    }
    let target = PathBuf::from(env::var("OUT_DIR")?).join("types.rs");
    fs::write(target, quote!(#code).to_string())?;
    Ok(())
}

fn generated(schema: &str) -> Result<syn::File, Box<dyn Error>> {
    let mut settings = TypeSpaceSettings::default();
    // Canonical text sorts annotations; the default is a map without an order.
    settings.with_map_type("::std::collections::BTreeMap".to_string());
    // The root of the schema is the type CacheLayout, and its definition of this name leads back to the root: typify
    // would make two types of one name of it.
    settings.with_replacement("CacheLayout", "CacheLayout", iter::empty());
    let mut types = TypeSpace::new(&settings);
    types.add_root_schema(serde_json::from_str(schema)?)?;
    Ok(syn::parse2(types.to_stream())?)
}

/// The names of a type's properties, in the order of the schema.
fn properties(schema: &Value, name: &str) -> Vec<String> {
    let definition = if schema["title"] == name { schema } else { &schema["$defs"][name] };
    let properties = definition["properties"].as_object().unwrap_or_else(|| panic!("{name} has no properties"));
    properties.keys().map(|property| property.trim_start_matches('$').to_string()).collect()
}

fn order(fields: &mut FieldsNamed, properties: &[String]) {
    let place = |field: &Field| {
        let name = field.ident.as_ref().map(ToString::to_string);
        properties.iter().position(|property| Some(property) == name.as_ref()).expect("every field is a property")
    };
    let mut ordered: Vec<Field> = fields.named.iter().cloned().collect();
    ordered.sort_by_key(place);
    fields.named = ordered.into_iter().collect();
}

fn write_null(field: &mut Field) {
    if let syn::Type::Path(path) = &field.ty
        && path.path.segments.last().is_some_and(|segment| segment.ident == "Option")
    {
        field.attrs.retain(|attribute| !attribute.path().is_ident("serde"));
        field.attrs.push(parse_quote!(#[serde(default)]));
    }
}

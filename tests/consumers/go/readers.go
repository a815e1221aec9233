package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// Vector is one conformance vector, as far as this consumer looks at it.
type Vector struct {
	Name, Type, Syntax, Stage, Canonical string
	Text                                 *string
	Base64                               []byte
}

// Document is the exact document of a vector.
func (vector Vector) Document() []byte {
	if vector.Text != nil {
		return []byte(*vector.Text)
	}
	return vector.Base64
}

// Vectors reads all vectors of a folder.
func Vectors(folder string) ([]Vector, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Vector
	for _, path := range paths {
		var file struct{ Vectors []Vector }
		if text, err := os.ReadFile(path); err != nil {
			return nil, err
		} else if err := json.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, file.Vectors...)
	}
	return all, nil
}

// Validators validates values with each of the two published files.
type Validators struct {
	compiler *jsonschema.Compiler
}

// Where the definitions of the two files are; the second file gets an address of its own.
var published = []struct{ file, address, definitions string }{
	{"cachespec.schema.json", "urn:cachespec:schema:v1", "$defs"},
	{"cachespec.draft-07.schema.json", "urn:cachespec:schema:v1:draft-07", "definitions"},
}

// NewValidators reads the published files.
func NewValidators(folder string) (Validators, error) {
	compiler := jsonschema.NewCompiler()
	for _, one := range published {
		text, err := os.ReadFile(filepath.Join(folder, one.file))
		if err != nil {
			return Validators{}, err
		}
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return Validators{}, err
		}
		schema.(map[string]any)["$id"] = one.address
		if err := compiler.AddResource(one.address, schema); err != nil {
			return Validators{}, err
		}
	}
	return Validators{compiler}, nil
}

// Refusals says which of the published files refuse a value.
func (validators Validators) Refusals(kind string, value any) (refusals []string) {
	for _, one := range published {
		schema := validators.compiler.MustCompile(one.address + "#/" + one.definitions + "/" + kind)
		if schema.Validate(value) != nil {
			refusals = append(refusals, one.file)
		}
	}
	return refusals
}

// ParseJSON keeps every digit of a number.
func ParseJSON(document []byte) (any, error) {
	return jsonschema.UnmarshalJSON(bytes.NewReader(document))
}

// ParseYAML gives the value that the same document would have as JSON.
func ParseYAML(document []byte) (any, error) {
	var value any
	if err := yaml.Unmarshal(document, &value); err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return ParseJSON(text)
}

// Parser is the parser of a syntax.
func Parser(syntax string) func([]byte) (any, error) {
	if syntax == "yaml" {
		return ParseYAML
	}
	return ParseJSON
}

// Typed makes an empty value of a type of layout.go; nil where there is none.
func Typed(kind string) any {
	switch kind {
	case "CacheLayout":
		return new(CacheLayout)
	case "CacheRankIdentity":
		return new(CacheRankIdentity)
	case "LayerCachePolicy":
		return new(LayerCachePolicy)
	case "AttentionPolicy":
		return new(AttentionPolicy)
	case "StateTensorRole":
		return new(StateTensorRole)
	case "StateTensorDimension":
		return new(StateTensorDimension)
	case "StateTensorPresence":
		return new(StateTensorPresence)
	case "StateTensorPolicy":
		return new(StateTensorPolicy)
	case "Convolution":
		return new(Convolution)
	default:
		return nil
	}
}

// Rewrite decodes text into the type of that name and encodes it again.
func Rewrite(kind string, text []byte) (string, error) {
	value := Typed(kind)
	if err := json.Unmarshal(text, value); err != nil {
		return "", err
	}
	return Encode(value)
}

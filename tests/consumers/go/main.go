package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

func main() {
	log.SetFlags(0)
	folder := flag.String("vectors", "../../conformance", "folder of the conformance vectors")
	types := flag.String("types", "../../../generated/cachespec_types", "folder of the published schema files")
	layouts := flag.String("layouts", "", "folder of layouts in canonical JSON")
	answers := flag.Bool("answers", false, "print what each reader makes of each vector, for docs/languages.md")
	flag.Parse()

	vectors, err := Vectors(*folder)
	if err != nil {
		log.Fatal(err)
	}
	validators, err := NewValidators(*types)
	if err != nil {
		log.Fatal(err)
	}
	if *answers {
		err = printAnswers(vectors, validators)
	} else {
		err = errors.Join(compareVectors(vectors, validators), rewriteVectors(vectors), rewriteLayouts(*layouts))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// compareVectors holds a parser and the validator to the first depth of conformance.
func compareVectors(vectors []Vector, validators Validators) error {
	var disagreements, departures []error
	agreed := map[string]int{}
	for _, vector := range vectors {
		stage := vector.Stage
		if stage == "" {
			stage = "accept"
		}
		err := compareCanonical(vector, validators)
		if err != nil {
			disagreements = append(disagreements, err)
		} else if err = compareDocument(vector, validators); err == nil {
			agreed[stage]++
		} else if vector.Syntax == "yaml" && stage == "accept" {
			// With YAML only what the parser reads as it is meant is for the validator.
			departures = append(departures, err)
		} else {
			disagreements = append(disagreements, err)
		}
	}
	fmt.Printf("go: reader %d left out, schema %d, rules %d, accept %d agreed\n",
		agreed["reader"], agreed["schema"], agreed["rules"], agreed["accept"])
	for _, err := range departures {
		fmt.Printf("  departs, yaml.v3: %v\n", err)
	}
	return errors.Join(disagreements...)
}

func compareCanonical(vector Vector, validators Validators) error {
	if vector.Canonical == "" {
		return nil
	}
	value, err := ParseJSON([]byte(vector.Canonical))
	if err != nil {
		return fmt.Errorf("%s: canonical text: %w", vector.Name, err)
	}
	if refusals := validators.Refusals(vector.Type, value); len(refusals) > 0 {
		return fmt.Errorf("%s: canonical text: refused by %s", vector.Name, strings.Join(refusals, ", "))
	}
	return nil
}

func compareDocument(vector Vector, validators Validators) error {
	if vector.Stage == "reader" {
		return nil
	}
	value, err := Parser(vector.Syntax)(vector.Document())
	if vector.Stage == "schema" {
		if err == nil && len(validators.Refusals(vector.Type, value)) < len(published) {
			return fmt.Errorf("%s: accepted", vector.Name)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", vector.Name, err)
	}
	if refusals := validators.Refusals(vector.Type, value); len(refusals) > 0 {
		return fmt.Errorf("%s: refused by %s", vector.Name, strings.Join(refusals, ", "))
	}
	if canonical, err := ParseJSON([]byte(vector.Canonical)); err == nil {
		if !reflect.DeepEqual(withoutNulls(value), withoutNulls(canonical)) {
			return fmt.Errorf("%s: not the canonical value", vector.Name)
		}
	}
	return nil
}

// withoutNulls drops fields that are null: they mean the same as fields that are absent.
func withoutNulls(value any) any {
	switch value := value.(type) {
	case []any:
		for index, item := range value {
			value[index] = withoutNulls(item)
		}
	case map[string]any:
		for name, field := range value {
			if field == nil {
				delete(value, name)
			} else {
				value[name] = withoutNulls(field)
			}
		}
	}
	return value
}

// rewriteVectors decodes accepted documents into the types of layout.go and encodes them again.
func rewriteVectors(vectors []Vector) error {
	var differences []error
	rewritten := 0
	for _, vector := range vectors {
		if vector.Stage != "" || Typed(vector.Type) == nil {
			continue
		}
		document := vector.Document()
		if vector.Syntax == "yaml" {
			document = []byte(vector.Canonical)
		}
		text, err := Rewrite(vector.Type, document)
		if err == nil && text != vector.Canonical {
			err = fmt.Errorf("written as %s", text)
		}
		if err != nil {
			differences = append(differences, fmt.Errorf("%s: %w", vector.Name, err))
		}
		rewritten++
	}
	fmt.Printf("  types of layout.go: %d vectors decoded, and encoded to their canonical text\n", rewritten)
	return errors.Join(differences...)
}

func rewriteLayouts(folder string) error {
	if folder == "" {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		canonical, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := Rewrite("CacheLayout", canonical)
		if err == nil && text != string(canonical) {
			err = fmt.Errorf("written as %s", text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	fmt.Printf("  types of layout.go: %d examples decoded, and encoded to their canonical text\n", len(paths))
	return nil
}

// Answer is what one reader makes of one vector.
type Answer struct {
	Accepts bool    `json:"accepts"`
	Value   *string `json:"value"`
}

func printAnswers(vectors []Vector, validators Validators) error {
	names := map[string]string{"json": "jsonschema/v6", "yaml": "yaml.v3"}
	answers := map[string]map[string]Answer{"jsonschema/v6": {}, "yaml.v3": {}, "encoding/json": {}}
	for _, vector := range vectors {
		var validated Answer
		if value, err := Parser(vector.Syntax)(vector.Document()); err == nil {
			text, err := Encode(value)
			if err != nil {
				return err
			}
			validated = Answer{len(validators.Refusals(vector.Type, value)) == 0, &text}
		}
		answers[names[vector.Syntax]][vector.Name] = validated
		if vector.Syntax == "json" && Typed(vector.Type) != nil {
			decoded := Answer{Value: new(string)}
			if text, err := Rewrite(vector.Type, vector.Document()); err == nil {
				decoded = Answer{true, &text}
			}
			answers["encoding/json"][vector.Name] = decoded
		}
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}

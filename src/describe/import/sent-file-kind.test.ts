import { expect, test } from "vitest";
import { listed } from "../../../tests/support/listed.ts";
import { metadataFileKind, sentFileKind } from "./file-kinds.ts";

test.each(["README", "README_dataset.txt", "README.markdown", "readme.de.md", "README-2024.rst", "Readme first.txt"])(
  "%s is a README, also in a bucket",
  (name) => {
    expect(metadataFileKind(name)).toBe("readme");
  },
);

test.each(listed`
  README.pdf | README.docx | readme.html | README.txt.zip | readmeter.md | data/README.md | readme.csv
`)("%s is not a README", (name) => {
  expect(metadataFileKind(name)).toBeUndefined();
});

test.each([
  ["study1-ro-crate-metadata.json", "ro-crate"],
  ["ro-crate-metadata.jsonld", "ro-crate"],
  ["data/study1-ro-crate-metadata.json", undefined],
])("%s in a bucket is of the kind %s", (name, kind) => {
  expect(metadataFileKind(name)).toBe(kind);
});

const xml = '<?xml version="1.0"?><resource xmlns="http://datacite.org/schema/kernel-4"/>';
const crate = '{"@graph": [{"@id": "ro-crate-metadata.json"}]}';
test.each([
  ["datacite (1).xml", "", "datacite-xml"],
  ["datacite - Copy.json", "", "datacite-json"],
  ["CITATION (1).cff", "", "cff"],
  ["i_investigation (2).txt", "", "isa-tab"],
  ["Barley roots-v1.datacite.xml", "", "datacite-xml"],
  ["barley-v1.datacite.json", "", "datacite-json"],
  ["barley.cff", "", "cff"],
  ["Barley roots-v1.csl.json", "", "csl"],
  ["references.json", '[{"type": "dataset", "issued": {"date-parts": [[2026]]}}]', "csl"],
  ["metadata.xml", xml, "datacite-xml"],
  ["metadata.xml", xml.replace("kernel-4", "kernel-2.2"), "datacite-xml"],
  ["metadata.json", crate.replace("ro-crate", "https://example.org/c/ro-crate"), "ro-crate"],
  ["metadata.json", crate, "ro-crate"],
  ["software.json", '{"@context": "https://doi.org/10.5063/schema/codemeta-2.0"}', "codemeta"],
  ["record.json", '{"titles": [], "publicationYear": 2026}', "datacite-json"],
  ["description.json", '{"Name": "x", "BIDSVersion": "1.9.0"}', "bids"],
  ["package.json", '{"name": "x", "resources": [{"path": "a.csv"}]}', "datapackage"],
  ["citation.yaml", "message: x\ncff-version: 1.2.0\n", "cff"],
  ["investigation.txt", "ONTOLOGY SOURCE REFERENCE\nTerm Source Name\tOBI\n", "isa-tab"],
  ["metadata.xml", "<crops/>", undefined],
  ["notes.txt", "Dear curator", undefined],
  ["photo.png", xml, undefined],
  ["package.json", '{"name": "x", "version": "1.0.0"}', undefined],
])("the sent file %s with %.40s is of the kind %s", (name, content, kind) => {
  expect(sentFileKind(name, Buffer.from(content))).toBe(kind);
});

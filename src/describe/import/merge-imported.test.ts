import { expect, test } from "vitest";
import { rows } from "../../../tests/support/listed.ts";
import { type FileKind, metadataFileKind } from "./file-kinds.ts";
import { mergeImported } from "./imported.ts";

test.each<[string, FileKind | undefined]>([
  ...rows<[string, FileKind]>`
    datacite.json → datacite-json | DataCite.XML → datacite-xml | ro-crate-metadata.json → ro-crate
    CITATION.cff → cff | citation.cff → cff | codemeta.json → codemeta | i_Investigation.txt → isa-tab
    i_.txt → isa-tab | datapackage.json → datapackage | dataset_description.json → bids | README → readme
    ReadMe.md → readme | readme.txt → readme | README.rst → readme
  `,
  ...["README.pdf", "data/datacite.json", "i_x/y.txt", "investigation.txt", "constructor", ""].map(
    (key): [string, undefined] => [key, undefined],
  ),
])("the kind of %j is %s", (key, kind) => {
  expect(metadataFileKind(key)).toBe(kind);
});

test("each member comes from the first file that has it, in the order of the kinds and then of the paths", () => {
  const file = (key: string, kind: FileKind, values: object) => ({ key, kind, imported: { values, remarks: [] } });
  const files = [
    file("README.md", "readme", { title: "readme", description: "readme" }),
    file("i_b.txt", "isa-tab", { title: "b", subjects: ["b"] }),
    file("i_a.txt", "isa-tab", { title: "a", subjects: ["a"] }),
    file("CITATION.cff", "cff", { title: "cff", license: "MIT" }),
    file("datacite.json", "datacite-json", { title: "datacite" }),
  ];
  expect(mergeImported(files)).toEqual({
    values: { title: "datacite", license: "MIT", subjects: ["a"], description: "readme" },
    sources: { title: "datacite.json", license: "CITATION.cff", subjects: "i_a.txt", description: "README.md" },
  });
  expect(mergeImported([])).toEqual({ values: {}, sources: {} });
});

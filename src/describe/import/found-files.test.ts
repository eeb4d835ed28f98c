import { expect, test } from "vitest";
import { FoundFiles, kindAtTop, MAX_METADATA_FILES } from "./found-files.ts";

test.each([
  ["datacite.json", "", "datacite-json"],
  ["DataCite.JSON", "", "datacite-json"],
  ["run-7/datacite.json", "run-7/", "datacite-json"],
  ["run-7/datacite.json", "run-7", "datacite-json"],
  ["datacite.json", "data", "datacite-json"],
  ["run-7/i_trial.txt", "run-7/i_", "isa-tab"],
  ["run-7/datacite.json", "", undefined],
  ["run-7/datacite.json", "run", undefined],
  ["run-7/raw/datacite.json", "run-7/", undefined],
  ["run-7/raw/datacite.json", "run-7", undefined],
  ["/datacite.json", "", undefined],
  ["run-7//datacite.json", "run-7/", undefined],
  ["datacite.json/", "", undefined],
  ["my-datacite.json", "", undefined],
])("“%s” with the prefix “%s” is %s", (key, prefix, kind) => {
  expect(kindAtTop(key, prefix)).toBe(kind);
});

test("the first files in the order of precedence are kept, in any order of the listing", () => {
  const found = new FoundFiles<{ key: string }>();
  for (let number = 0; number < 1_000; number++) found.take({ key: `i_${1_000 + number}.txt` });
  for (const key of ["README", "codemeta.json", "datacite.xml"]) found.take({ key });
  expect(found.files.map(({ object }) => object.key)).toEqual([
    "datacite.xml",
    "codemeta.json",
    ...Array.from({ length: MAX_METADATA_FILES - 2 }, (_, number) => `i_${1_000 + number}.txt`),
  ]);
});

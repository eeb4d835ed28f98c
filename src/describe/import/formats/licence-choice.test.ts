import { expect, test } from "vitest";
import { readCrate, readFile } from "../../../../tests/support/metadata-files/read.ts";

const licenceOf = (License: string) => readFile("bids", { License }).values.license;

test.each([
  ["GPL (>= 3)", "GPL-3.0-or-later"],
  ["GPL-2+", "GPL-2.0-or-later"],
  ["CC BY 4.0 (non-commercial)", "CC BY 4.0 (non-commercial)"],
  ["GPL-2 | GPL-3", "GPL-2 | GPL-3"],
  ["PDDL", "PDDL-1.0"],
  ["PDDL (https://opendatacommons.org/licenses/pddl/1-0/)", "PDDL-1.0"],
  ["ODbL (https://opendatacommons.org/licenses/odbl/summary/)", "ODbL-1.0"],
  ["MIT (https://creativecommons.org/licenses/by/4.0/)", "MIT (https://creativecommons.org/licenses/by/4.0/)"],
  ["This dataset is made available under CC0.", "CC0-1.0"],
  [
    "This dataset is made available under the Public Domain Dedication and License \nv1.0, whose full text can be found at \nhttp://www.opendatacommons.org/licenses/pddl/1.0/. \nWe hope that all users will follow the norms.",
    "PDDL-1.0",
  ],
  [
    "The data are licensed under CC BY 4.0 for members only.",
    "The data are licensed under CC BY 4.0 for members only.",
  ],
])("%j is %s", (text, licence) => {
  expect(licenceOf(text)).toBe(licence);
});

test("the id of an entity within the file is not a licence", () => {
  const terms = { "@id": "#licence", "@type": "CreativeWork", name: "Terms of the archive" };
  expect(readCrate({ license: { "@id": "#licence" } }, terms).values.license).toBe("Terms of the archive");
  expect(readCrate({ license: { "@id": "#licence" } }).values).toEqual({});
  expect(readCrate({ license: { "@id": "LICENSE.txt" } }, { "@id": "LICENSE.txt", name: "MIT" }).values.license).toBe(
    "MIT",
  );
});

test("an SPDX id counts more than the address of a text that several licences share", () => {
  const licence = { "@id": "https://www.gnu.org/licenses/gpl-3.0.html", identifier: "GPL-3.0-or-later" };
  expect(readCrate({ license: licence })).toEqual({ values: { license: "GPL-3.0-or-later" }, remarks: [] });
});

test("names that contradict each other cause a remark", () => {
  const { values, remarks } = readFile("datapackage", { licenses: [{ name: "MIT", title: "CC BY 4.0" }] });
  expect(values.license).toBe("MIT");
  expect(remarks).toEqual([{ place: "/licenses/0", message: expect.stringContaining("contradict") }]);
});

test("ids of Open Data Commons, also as addresses", () => {
  const stated = (name: string, path: string) => readFile("datapackage", { licenses: [{ name, path }] }).values.license;
  expect(stated("ODC-PDDL-1.0", "http://opendatacommons.org/licenses/pddl/")).toBe("PDDL-1.0");
  expect(stated("other", "https://opendatacommons.org/licenses/odbl/1-0/")).toBe("ODbL-1.0");
});

test("a further licence without SPDX id is reported", () => {
  const { values, remarks } = readFile("datapackage", { licenses: ["MIT", "House rules"] });
  expect(values).toEqual({ license: "MIT" });
  expect(remarks).toEqual([{ place: "/licenses/1", message: expect.stringContaining("This one is not") }]);
});

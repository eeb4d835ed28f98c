import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { A, alpha, beta, type Case, type Change, MANY, of, one, three, V10 } from "./cases.ts";
import { digestOf, THREE } from "./object.ts";

/** Faults of versions, and contradictions between the inventories of several. */
export const versionFaults: Case[] = [
  ...three("E009", { "a first version that is missing": renamed({ v1: "v2", v2: "v3", v3: "v4" }) }),
  ...three("E010", { "a version that is skipped": renamed({ v3: "v4" }) }),
  ...of({ ...MANY, padding: 2 }, "E011 E013 W001", { "padding that ends with ten": async () => undefined }),
  ...three("E012 E013 W001", { "padding that begins later": renamed({ v3: "v03" }) }),
  ...of({ ...THREE, padding: 2 }, "E012 E013 W001", { "padding that becomes wider": renamed({ v03: "v003" }) }),
  ...three("E014", {
    "an older inventory that names versions differently": (o) =>
      o.changeOf(["v1"], (i) => {
        i.manifest[alpha] = ["v01/content/a.txt"];
      }),
  }),
  {
    name: "another content folder than before",
    codes: ["E019"],
    plan: { ...THREE, contentDirectory: "stuff" },
    change: (o) => o.changeOf(["v2"], (i) => Object.assign(i, { contentDirectory: "content" })),
  },
  ...three("E023", {
    "an older manifest that lacks a file of its time": (o) =>
      o.changeOf(["v2"], (i) => {
        i.manifest[alpha] = [];
      }),
  }),
  ...three("E037", { "another id than before": (o) => o.changeOf(["v1"], (i) => Object.assign(i, { id: "urn:x" })) }),
  ...three("E040", {
    "a head of another version in a version's folder": (o) =>
      o.inventory("v3").then((inventory) => o.putInventory("v2", inventory)),
  }),
  ...three("E066", {
    "a different earlier state": (o) =>
      o.changeOf(["v1"], ({ versions }) => Object.assign(versions.v1?.state ?? {}, { [beta]: ["renamed.txt"] })),
  }),
  ...of({ ...THREE, algorithms: ["sha256", "sha512"] }, "E066 W004", {
    "a different earlier state with another algorithm": (o) =>
      o.changeOf(["v1"], ({ versions }) =>
        Object.assign(versions.v1?.state ?? {}, { [digestOf("beta", "sha256")]: ["renamed.txt"] }),
      ),
  }),
  ...of({ ...THREE, algorithms: ["sha256", "sha512"] }, "E092 W004", {
    "a wrong earlier digest with another algorithm": async (o) => {
      const swap = (record: Record<string, string[]> = {}) => {
        record[digestOf("x", "sha256")] = record[digestOf("beta", "sha256")] ?? [];
        delete record[digestOf("beta", "sha256")];
      };
      await o.changeOf(["v1"], (i) => {
        swap(i.manifest);
        swap(i.versions.v1?.state);
      });
    },
  }),
  ...three("E066 E092", {
    "a different earlier digest": (o) =>
      o.changeOf(["v1"], (i) => {
        const wrong = digestOf("x", "sha512");
        i.manifest[wrong] = i.manifest[alpha] ?? [];
        delete i.manifest[alpha];
        const state = i.versions.v1?.state ?? {};
        state[wrong] = state[alpha] ?? [];
        delete state[alpha];
      }),
  }),
  ...three("E103", {
    "a version of OCFL 1.0 after one of 1.1": (o) =>
      o.changeOf(["v2"], (i) => Object.assign(i, { type: "https://ocfl.io/1.0/spec/#inventory" })),
  }),
  ...of({ ...THREE, specification: "1.0" }, "E038", {
    "a version of OCFL 1.1 before one of 1.0, in an object of 1.0": (o) =>
      o.changeOf(["v1"], (i) => Object.assign(i, { type: "https://ocfl.io/1.1/spec/#inventory" })),
  }),
  ...one("E001 E104", { "a version without v": renamed({ v1: "1" }) }),
  ...one("E001 E105", { "a version zero": renamed({ v1: "v0" }) }),
  ...of(V10, "E001 E046", { "a version of OCFL 1.0 without v": renamed({ v1: "1" }) }),
  ...three("E093", {
    "a wrong fixity block in an earlier version": (o) =>
      o.changeOf(["v1"], (i) => Object.assign(i, { fixity: { md5: { [digestOf("x", "md5")]: [A] } } })),
  }),
];

/** Renames versions, in folders and inventories. */
function renamed(names: Record<string, string>): Change {
  return async ({ folder: object, versions }) => {
    for (const name of versions.toReversed()) {
      const now = names[name] ?? name;
      if (now !== name) await rename(join(object, name), join(object, now));
    }
    for (const place of ["", ...versions.map((name) => names[name] ?? name)]) {
      let text = await readFile(join(object, place, "inventory.json"), "utf8");
      for (const [name, now] of Object.entries(names).toReversed()) {
        text = text.replaceAll(`"${name}"`, `"${now}"`).replaceAll(`"${name}/`, `"${now}/`);
      }
      await writeFile(join(object, place, "inventory.json"), text);
      await writeFile(join(object, place, "inventory.json.sha512"), `${digestOf(text, "sha512")} inventory.json\n`);
    }
  };
}

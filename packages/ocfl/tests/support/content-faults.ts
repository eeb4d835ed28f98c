import { rename } from "node:fs/promises";
import { join } from "node:path";
import { A, alpha, beta, C, type Case, fixity, of, one, replace, set } from "./cases.ts";
import { digestOf, ONE } from "./object.ts";

/** Faults of a manifest. */
export const manifestFaults: Case[] = [
  ...one("E018", { "a content folder of one dot": set("contentDirectory", ".") }),
  ...one("E031", { "truncated digests": (o) => o.rewrite((text) => text.replaceAll(beta, beta.slice(0, 20))) }),
  ...of({ ...ONE, algorithms: ["sha256"] }, "E030 W004", {
    "sha256 digests that are words": (o) =>
      o.change((inventory) => {
        const digest = digestOf("beta", "sha256");
        inventory.manifest.beta = inventory.manifest[digest] ?? [];
        delete inventory.manifest[digest];
        const state = inventory.versions.v1?.state ?? {};
        state.beta = state[digest] ?? [];
        delete state[digest];
      }),
  }),
  ...one("E035", { "backslashes in a content path": replace(`"${C}"`, '"v1\\\\content\\\\b\\\\c.txt"') }),
  ...one("E039", {
    "sha256 digests under sha512": (o) => o.rewrite((text) => text.replaceAll(beta, digestOf("beta", "sha256"))),
  }),
  ...one("E015 E042", {
    "content beside the content folder": async (o) => {
      await rename(join(o.folder, A), join(o.folder, "v1/a.txt"));
      await replace(A, "v1/a.txt")(o);
    },
  }),
  ...one("E092", {
    "a digest with a text for a path": (o) => o.change((i) => Object.assign(i.manifest, { [beta]: C })),
  }),
  ...one("E096 E101", {
    "a digest twice in two cases": replace(`"${alpha}"`, `"${alpha.toUpperCase()}": ["${A}"], "${alpha}"`),
  }),
  ...one("E099", { "a content path with two dots": replace(`"${A}"`, '"v1/content/../content/a.txt"') }),
  ...one("E023 E099", {
    "a content path out of the object": replace(`"${A}"`, '"v1/content/../../../../../../etc/passwd"'),
  }),
  ...one("E100", { "an absolute content path": replace(`"${A}"`, `"/${A}"`) }),
  ...one("E101", { "a content path twice": replace(`"${A}"`, `"${A}", "${A}"`) }),
  ...one("E092 E101", { "a content path that is a folder too": replace(`"${A}"`, `"${A}", "v1/content/b"`) }),
  ...one("E107", {
    "a digest that no version uses": (o) =>
      o.change(({ versions }) => Reflect.deleteProperty(versions.v1?.state ?? {}, beta)),
  }),
];

/** Faults of a fixity block. */
export const fixityFaults: Case[] = [
  { name: "an invalid sha1 digest", codes: ["E029"], plan: fixity("sha1", "abc") },
  { name: "an invalid sha256 digest", codes: ["E030"], plan: fixity("sha256", "abc") },
  { name: "an invalid blake2b-512 digest", codes: ["E032"], plan: fixity("blake2b-512", "abc") },
  { name: "an invalid md5 digest", codes: ["E057"], plan: fixity("md5", "abc") },
  { name: "a wrong md5", codes: ["E093"], plan: fixity("md5", digestOf("beta", "md5")) },
  { name: "a wrong size", codes: ["E093"], plan: fixity("size", "6") },
  {
    name: "two digests of one file",
    codes: ["E093"],
    plan: { ...ONE, fixity: { md5: { [digestOf("alpha", "md5")]: [A], [digestOf("beta", "md5")]: [A] } } },
  },
  { name: "a file that is not in the manifest", codes: ["E093"], plan: fixity("md5", digestOf("", "md5"), "v1/x") },
  { name: "an invalid path", codes: ["E099"], plan: fixity("md5", digestOf("", "md5"), "v1/content/../x") },
  { name: "an absolute path", codes: ["E100"], plan: fixity("md5", digestOf("", "md5"), "/v1/content/x") },
  {
    name: "a fixity digest twice in two cases",
    codes: ["E097"],
    plan: {
      ...ONE,
      fixity: { md5: { [digestOf("alpha", "md5")]: [A], [digestOf("alpha", "md5").toUpperCase()]: [] } },
    },
  },
  ...one("E057", { "a fixity block of texts": set("fixity", { md5: "x" }) }),
  ...one("E111", {
    "a fixity block that is a list": set("fixity", []),
    "a fixity block that is null": set("fixity", null),
  }),
];

import {
  alpha,
  beta,
  type Case,
  drop,
  dropInVersion,
  of,
  one,
  remove,
  replace,
  replaceLast,
  set,
  setInVersion,
  V10,
} from "./cases.ts";
import { digestOf } from "./object.ts";

/** Faults of an inventory's form and its members. */
export const memberFaults: Case[] = [
  ...one("E017", { "a content folder with a slash": set("contentDirectory", "content/b") }),
  ...one("E017", { "a content folder that is a number": set("contentDirectory", 1) }),
  ...one("E025", {
    md5: async (o) => {
      await remove("inventory.json.sha512")(o);
      await remove("v1/inventory.json.sha512")(o);
      await set("digestAlgorithm", "md5")(o);
    },
  }),
  ...one("E033", {
    "a truncated inventory": (o) => o.rewrite((text) => text.slice(0, -4)),
    "an inventory that is a list": (o) => o.rewrite(() => "[]"),
    "an inventory that is empty": (o) => o.rewrite(() => ""),
    "an inventory that is not UTF-8": (o) => o.put("inventory.json", Buffer.from([0x7b, 0x22, 0xff, 0x22])),
    "a member twice": replace('"head"', '"id": "urn:example:object",\n "head"'),
    "a version twice": replace('"versions": {', '"versions": {"v1": {},'),
    "a time twice": replace('"created"', '"created": "2026-01-01T10:00:00Z",\n "created"'),
    "a digest twice in a state": replaceLast(`"${alpha}"`, `"${alpha}": [], "${alpha}"`),
  }),
  ...one("E033 E106", { "a hundred thousand lists": (o) => o.rewrite(() => `{"manifest": ${"[".repeat(100_000)}`) }),
  ...one("E036", {
    "no id": drop("id"),
    "an empty id": set("id", ""),
    "no type": drop("type"),
    "no head": drop("head"),
  }),
  ...one("E037", { "an id that is a number": set("id", 1) }),
  ...one("E038", {
    "an unknown type": set("type", "https://ocfl.io/9.9/spec/#inventory"),
    "a type of OCFL 1.0 in an object of 1.1": set("type", "https://ocfl.io/1.0/spec/#inventory"),
  }),
  ...one("E040", { "a head that does not exist": set("head", "v2"), "a head that is a number": set("head", 1) }),
  ...one("E041", { "no manifest": drop("manifest") }),
  ...one("E106", { "a manifest that is a list": set("manifest", []) }),
  ...one("E043", { "no versions": drop("versions") }),
  ...one("E045", { "versions that are a list": set("versions", []) }),
  ...one("E008 E107", { "an empty object for versions": set("versions", {}) }),
  ...one("E047", { "a version that is a text": (o) => o.change((i) => Object.assign(i.versions, { v1: "first" })) }),
  ...one("E048", { "no time": dropInVersion("created") }),
  ...one("E048", { "no state": dropInVersion("state") }),
  ...one("E049", {
    "a time without zone": setInVersion("created", "2026-01-01T10:00:00"),
    "a time without seconds": setInVersion("created", "2026-01-01T10:00Z"),
    "a day that does not exist": setInVersion("created", "2026-02-29T10:00:00Z"),
    "a time that is a number": setInVersion("created", 1),
  }),
  ...one("E050", {
    "a state that is a list": setInVersion("state", []),
    "a digest in another case": replaceLast(beta, beta.toUpperCase()),
  }),
  ...one("E050 E107", { "a digest that the manifest lacks": replaceLast(beta, digestOf("gamma", "sha512")) }),
  ...one("E051", {
    "a digest without a list": (o) =>
      o.change(({ versions }) => Object.assign(versions.v1?.state ?? {}, { [beta]: "x" })),
    "a path that is a number": (o) =>
      o.change(({ versions }) => Object.assign(versions.v1?.state ?? {}, { [beta]: [1] })),
  }),
  ...one("E052", {
    "a logical path with two dots": replaceLast('"a.txt"', '"x/../a.txt"'),
    "a logical path with an empty part": replaceLast('"a.txt"', '"x//a.txt"'),
  }),
  ...one("E053", { "an absolute logical path": replaceLast('"a.txt"', '"/a.txt"') }),
  ...one("E054", {
    "a user without name": setInVersion("user", { address: "mailto:person@example.org" }),
    "a user that is a text": setInVersion("user", "A Person"),
  }),
  ...one("E094", { "a message that is a number": setInVersion("message", 1) }),
  ...one("E095", {
    "a logical path twice": replaceLast('"a.txt"', '"b/c.txt"'),
    "a logical path that is a folder too": replaceLast('"a.txt"', '"b"'),
  }),
  ...one("E102", {
    "an unknown member": set("color", "red"),
    "a member named like an inherited property": replace('"head"', '"constructor": 1,\n "head"'),
    "a member named __proto__": replace('"head"', '"__proto__": {},\n "head"'),
    "an unknown member of a version": setInVersion("color", "red"),
  }),
  ...of(V10, "E038", {
    "an inventory of OCFL 1.1 in an object of 1.0": set("type", "https://ocfl.io/1.1/spec/#inventory"),
  }),
  ...of(V10, "E041", { "a manifest of OCFL 1.0 that is a list": set("manifest", []) }),
  ...of(V10, "E057", { "a fixity block of OCFL 1.0 that is a list": set("fixity", []) }),
];

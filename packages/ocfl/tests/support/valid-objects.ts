import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import {
  A,
  alpha,
  beta,
  type Case,
  dropInVersion,
  fixity,
  folder,
  MANY,
  of,
  one,
  put,
  remove,
  set,
  setInVersion,
  three,
  upper,
  V10,
} from "./cases.ts";
import { type OcflObject, ONE, THREE } from "./object.ts";

/** Digests of “alpha” from Python’s hashlib. */
const ALL_FIXITY: Record<string, string> = {
  md5: "2c1743a391305fbf367df8e4f069f9f9",
  sha1: "be76331b95dfc399cd776d2fc68021e0db03cc4f",
  sha256: "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8",
  sha512: alpha,
  "sha512/256": "c52ce58d581e44d526f65406df8e81d3342c92a5c2a70272d6d0cfe86b6030f0",
  "blake2b-512":
    "fc77e10e301506d8609b5aca8944baf23cdfafee34cf5e48c5c6a1929ffaf14c722c25ab73e8c0e005923fa3168d6cb00d27424f5635dce33250c67c1766fde6",
  "blake2b-160": "05109839861be1f4a73bd12cfc5145e00a0d3779",
  "blake2b-256": "0361d8882af5db95b46fa6184216e3d1a9233f4614676dade6fc51dd30fd7589",
  "blake2b-384": "5f8d31a36e58b1244531a02cc82e3be67ccd93e4baa3710ee89360e0cb5162e24be54e98a1b59dbce499eade59d3f910",
  size: "5",
};
export const valid: Case[] = [
  { name: "one version", codes: [], plan: ONE },
  { name: "three versions", codes: [], plan: THREE },
  { name: "OCFL 1.0", codes: [], plan: V10 },
  { name: "three versions of OCFL 1.0", codes: [], plan: { ...THREE, specification: "1.0" } },
  { name: "a content folder of another name", codes: [], plan: { ...THREE, contentDirectory: "stuff" } },
  { name: "ten versions", codes: [], plan: MANY },
  { name: "no content", codes: [], plan: { versions: [{}] } },
  { name: "an empty fixity block", codes: [], plan: { ...ONE, fixity: {} } },
  {
    name: "every fixity algorithm",
    codes: [],
    plan: {
      ...ONE,
      fixity: Object.fromEntries(Object.entries(ALL_FIXITY).map(([name, digest]) => [name, { [digest]: [A] }])),
    },
  },
  ...one("", {
    "logs of any kind": put("logs/2026/anything", "x"),
    "an empty folder for logs": folder("logs"),
    "a registered extension": put("extensions/0005-mutable-head/config.json", "{}"),
    "an extension that was registered later": put("extensions/0099-of-tomorrow/config.json", "{}"),
    "a sidecar with a tab and no line feed": async (o) => {
      for (const place of ["v1/", ""]) await o.put(`${place}inventory.json.sha512`, await tabbed(o));
    },
    "digests in capitals": (o) =>
      o.change((inventory) => {
        inventory.manifest = upper(inventory.manifest);
        for (const version of Object.values(inventory.versions)) version.state = upper(version.state);
      }),
    "digests in either case": (o) => o.rewrite((text) => text.replaceAll(beta, beta.toUpperCase())),
    "a leap second, and small letters": setInVersion("created", "2016-12-31t23:59:60.5z"),
  }),
  ...of({ ...THREE, specification: "1.0" }, "", {
    "an object that was upgraded to OCFL 1.1": async (o) => {
      await rename(join(o.folder, "0=ocfl_object_1.0"), join(o.folder, "0=ocfl_object_1.1"));
      await o.put("0=ocfl_object_1.1", "ocfl_object_1.1\n");
      await set("type", "https://ocfl.io/1.1/spec/#inventory")(o);
    },
  }),
];

async function tabbed(object: OcflObject): Promise<string> {
  return (await readFile(join(object.folder, "inventory.json.sha512"), "utf8")).replace(" ", "\t").trim();
}

export const warned: Case[] = [
  { name: "versions padded with zeros", codes: ["W001"], plan: { ...THREE, padding: 3 } },
  { name: "sha256", codes: ["W004"], plan: { ...THREE, algorithms: ["sha256"] } },
  { name: "sha256 that became sha512", codes: ["W004"], plan: { ...THREE, algorithms: ["sha256", "sha512"] } },
  { name: "sha512 that became sha256", codes: ["W004"], plan: { ...THREE, algorithms: ["sha512", "sha256"] } },
  { name: "an id that is not a URI", codes: ["W005"], plan: { ...ONE, id: "object-01" } },
  { name: "fixity digests of an unknown algorithm", codes: ["W000"], plan: fixity("crc32", "0c9eb6a1") },
  { name: "an algorithm named like an inherited property", codes: ["W000"], plan: fixity("constructor", "x") },
  // OCFL 1.0 has no such rule; E107 was introduced in 1.1.
  ...of(V10, "W000", {
    "a digest in the manifest that no version of OCFL 1.0 uses": (o) =>
      o.change(({ versions }) => Reflect.deleteProperty(versions.v1?.state ?? {}, beta)),
  }),
  ...one("W002", { "another folder in a version": folder("v1/notes") }),
  ...of({ versions: [{}] }, "W003", { "a content folder without content": folder("v1/content") }),
  ...one("W007", { "no message": dropInVersion("message"), "no user": dropInVersion("user") }),
  ...one("W008", { "a user without address": setInVersion("user", { name: "A Person" }) }),
  ...one("W009", { "an address that is not a URI": setInVersion("user", { name: "A Person", address: "here" }) }),
  ...three("W010", {
    "no inventory in a version": async (o) => {
      await remove("v2/inventory.json")(o);
      await remove("v2/inventory.json.sha512")(o);
    },
  }),
  ...three("W011", {
    "another message than before": (o) => o.changeOf(["v1"], ({ versions }) => setMessage(versions.v1)),
  }),
  ...one("W013", { "an extension that is not registered": put("extensions/ours/x") }),
];

function setMessage(version: { message: string } | undefined): void {
  if (version !== undefined) version.message = "Another";
}

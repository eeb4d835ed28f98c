import { appendFile, cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, type OcflObject, ONE, type Plan, THREE } from "./object.ts";

/**
 * An object, what is done to it, and every code that a check then has to give: those and no others. Many are the faults of
 * the OCFL community's fixtures (https://github.com/OCFL/fixtures), made anew.
 */
export interface Case {
  name: string;
  codes: readonly string[];
  plan: Plan;
  deed?: Deed;
}

type Deed = (object: OcflObject) => Promise<unknown>;

const alpha = digestOf("alpha", "sha512");
const beta = digestOf("beta", "sha512");
const A = "v1/content/a.txt";
const C = "v1/content/b/c.txt";
const V10: Plan = { ...ONE, specification: "1.0" };
const MANY: Plan = { versions: Array.from({ length: 10 }, (_, n) => ({ [`${n}.txt`]: String(n) })) };

function of(plan: Plan, codes: string, cases: Record<string, Deed>): Case[] {
  return Object.entries(cases).map(([name, deed]) => ({ name, codes: split(codes), plan, deed }));
}

const split = (codes: string) => codes.split(" ").filter((code) => code !== "");
const one = (codes: string, cases: Record<string, Deed>) => of(ONE, codes, cases);
const three = (codes: string, cases: Record<string, Deed>) => of(THREE, codes, cases);
/** Puts something at a member of the inventory that its type does not allow. */
const set =
  (member: string, value: unknown): Deed =>
  (object) =>
    object.change((inventory) => Object.assign(inventory, { [member]: value }));
const setInVersion =
  (member: string, value: unknown): Deed =>
  (object) =>
    object.change(({ versions }) => Object.assign(versions.v1 ?? {}, { [member]: value }));
const drop =
  (member: string): Deed =>
  (object) =>
    object.change((inventory) => Reflect.deleteProperty(inventory, member));
const dropInVersion =
  (member: string): Deed =>
  (object) =>
    object.change(({ versions }) => Reflect.deleteProperty(versions.v1 ?? {}, member));
const put =
  (path: string, content = ""): Deed =>
  (object) =>
    object.put(path, content);
const remove =
  (path: string): Deed =>
  (object) =>
    rm(join(object.folder, path), { recursive: true });
const folder =
  (path: string): Deed =>
  (object) =>
    mkdir(join(object.folder, path), { recursive: true });
const replace =
  (from: string, to: string): Deed =>
  (object) =>
    object.rewrite((text) => text.replace(from, to));
const replaceLast =
  (from: string, to: string): Deed =>
  (object) =>
    object.rewrite((text) => {
      const at = text.lastIndexOf(from);
      return text.slice(0, at) + to + text.slice(at + from.length);
    });
const upper = (record: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(record).map(([digest, paths]) => [digest.toUpperCase(), paths]));

/** Digests of “alpha” as Python’s hashlib gives them. */
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
const fixity = (algorithm: string, digest: string, path = A): Plan => ({
  ...ONE,
  fixity: { [algorithm]: { [digest]: [path] } },
});

export const valid: Case[] = [
  { name: "one version", codes: [], plan: ONE },
  { name: "three versions", codes: [], plan: THREE },
  { name: "OCFL 1.0", codes: [], plan: V10 },
  { name: "three versions of OCFL 1.0", codes: [], plan: { ...THREE, specification: "1.0" } },
  { name: "a content folder of another name", codes: [], plan: { ...THREE, contentDirectory: "stuff" } },
  { name: "ten versions", codes: [], plan: MANY },
  { name: "no content at all", codes: [], plan: { versions: [{}] } },
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
    "logs of whatever kind": put("logs/2026/anything", "x"),
    "no logs in the folder for them": folder("logs"),
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
    "an object that was brought up to OCFL 1.1": async (o) => {
      await rename(join(o.folder, "0=ocfl_object_1.0"), join(o.folder, "0=ocfl_object_1.1"));
      await o.put("0=ocfl_object_1.1", "ocfl_object_1.1\n");
      await set("type", "https://ocfl.io/1.1/spec/#inventory")(o);
    },
  }),
  // A rule that OCFL 1.0 did not have.
  ...of(V10, "", {
    "a digest in the manifest that no version of OCFL 1.0 uses": (o) =>
      o.change(({ versions }) => Reflect.deleteProperty(versions.v1?.state ?? {}, beta)),
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
  { name: "an id that is no URI", codes: ["W005"], plan: { ...ONE, id: "object-01" } },
  { name: "fixity digests of an unknown algorithm", codes: ["W000"], plan: fixity("crc32", "0c9eb6a1") },
  { name: "an algorithm named like a member of every object", codes: ["W000"], plan: fixity("constructor", "x") },
  ...one("W002", { "another folder in a version": folder("v1/notes") }),
  ...of({ versions: [{}] }, "W003", { "a content folder without content": folder("v1/content") }),
  ...one("W007", { "no message": dropInVersion("message"), "no user": dropInVersion("user") }),
  ...one("W008", { "a user without address": setInVersion("user", { name: "A Person" }) }),
  ...one("W009", { "an address that is no URI": setInVersion("user", { name: "A Person", address: "here" }) }),
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

const inFolder: Case[] = [
  ...one("E001", {
    "a file beside the versions": put("notes"),
    "a folder beside the versions": put("notes/x"),
    "a file that is named like a version": put("v2"),
    "a second sidecar": put("inventory.json.md5"),
  }),
  ...one("E001 E082", {
    "an object in an object": async (o) => {
      await cp(o.folder, `${o.folder}-copy`, { recursive: true });
      await mkdir(join(o.folder, "more"));
      await rename(`${o.folder}-copy`, join(o.folder, "more/object"));
    },
  }),
  ...one("E003", {
    "no declaration": remove("0=ocfl_object_1.1"),
    "two declarations": put("0=ocfl_object_1.0", "ocfl_object_1.0\n"),
  }),
  ...one("E004", { "a declaration of another version": declaration("0=ocfl_object_2.0") }),
  ...one("E005", { "a declaration that begins with 1": declaration("1=ocfl_object_1.1") }),
  ...one("E006", { "a storage root's declaration": declaration("0=ocfl_1.1") }),
  ...one("E007", {
    "a declaration without line feed": put("0=ocfl_object_1.1", "ocfl_object_1.1"),
    "a declaration of a megabyte": put("0=ocfl_object_1.1", "ocfl_object_1.1\n".repeat(1 << 16)),
  }),
  ...three("E010", { "a version's folder is missing": remove("v3") }),
  ...one("E015", { "a file in a version's folder": put("v1/notes") }),
  ...one("E023", {
    "a file that no manifest names": put("v1/content/new"),
    "a name that is not UTF-8": (o) => writeFile(Buffer.from(`${o.folder}/v1/content/\xff`, "latin1"), ""),
    "a folder whose name is not UTF-8": (o) => mkdir(Buffer.from(`${o.folder}/v1/content/\xfe`, "latin1")),
  }),
  ...one("E024", { "an empty folder": folder("v1/content/empty") }),
  ...one("E046", { "a version that the inventory does not know": folder("v2") }),
  ...one("E058", { "no sidecar": remove("inventory.json.sha512") }),
  ...one("E059", {
    "a sidecar of another algorithm": async (o) => {
      for (const place of [o.folder, join(o.folder, "v1")]) {
        await rename(join(place, "inventory.json.sha512"), join(place, "inventory.json.sha256"));
      }
    },
  }),
  ...one("E060", {
    "a sidecar of another inventory": put("v1/inventory.json.sha512", `${alpha} inventory.json\n`),
  }),
  ...one("E061", {
    "a sidecar of words": put("inventory.json.sha512", "hello"),
    "a sidecar of a megabyte": put("inventory.json.sha512", `${alpha} inventory.json\n`.repeat(8_000)),
  }),
  ...one("E063", {
    "no inventory": remove("inventory.json"),
  }),
  ...one("E003 E063", {
    "an empty folder": async (o) => {
      await rm(o.folder, { recursive: true });
      await mkdir(o.folder);
    },
  }),
  ...one("E064", {
    "a copy that differs in a blank": async (o) => {
      const text = `${JSON.stringify(await o.inventory(""), null, 2)} `;
      await o.putInventory("v1", text);
    },
  }),
  ...one("E067", { "a file among the extensions": put("extensions/notes") }),
  ...one("E090", {
    "a link among the content": (o) => symlink("a.txt", join(o.folder, "v1/content/link")),
    "a link in the logs": async (o) => {
      await mkdir(join(o.folder, "logs"));
      await symlink("/", join(o.folder, "logs/all"));
    },
    "a link in a circle": async (o) => {
      await mkdir(join(o.folder, "logs"));
      await symlink("..", join(o.folder, "logs/up"));
    },
  }),
  ...one("E090 E092", {
    "a file that became a link": async (o) => {
      await rename(join(o.folder, A), join(o.folder, "../a"));
      await symlink(join(o.folder, "../a"), join(o.folder, A));
    },
    "a folder of content that became a link": async (o) => {
      await rename(join(o.folder, "v1/content/b"), join(o.folder, "../b"));
      await symlink(join(o.folder, "../b"), join(o.folder, "v1/content/b"));
    },
  }),
  ...one("E092", {
    "a flipped bit": put(A, "alphb"),
    "a longer file": (o) => appendFile(join(o.folder, A), "x"),
    "a missing file": remove(A),
  }),
];

function declaration(name: string): Deed {
  return async (object) => {
    await remove("0=ocfl_object_1.1")(object);
    await object.put(name, `${name.slice(2)}\n`);
  };
}

const inMembers: Case[] = [
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
    "an inventory cut short": (o) => o.rewrite((text) => text.slice(0, -4)),
    "an inventory that is a list": (o) => o.rewrite(() => "[]"),
    "an inventory that is empty": (o) => o.rewrite(() => ""),
    "an inventory that is not UTF-8": (o) => o.put("inventory.json", Buffer.from([0x7b, 0x22, 0xff, 0x22])),
    "a member twice": replace('"head"', '"id": "urn:example:object",\n "head"'),
    "a version twice": replace('"versions": {', '"versions": {"v1": {},'),
    "a time twice": replace('"created"', '"created": "2026-01-01T10:00:00Z",\n "created"'),
    "a digest twice in a state": replaceLast(`"${alpha}"`, `"${alpha}": [], "${alpha}"`),
  }),
  ...one("E033 E106", {
    "a hundred thousand lists": (o) => o.rewrite(() => `{"manifest": ${"[".repeat(100_000)}`),
  }),
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
  ...one("E040", { "a head that is not there": set("head", "v2"), "a head that is a number": set("head", 1) }),
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
    "a day that there is not": setInVersion("created", "2026-02-29T10:00:00Z"),
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
    "a member named like one of every object": replace('"head"', '"constructor": 1,\n "head"'),
    "a member named __proto__": replace('"head"', '"__proto__": {},\n "head"'),
    "an unknown member of a version": setInVersion("color", "red"),
  }),
  ...of(V10, "E038", {
    "an inventory of OCFL 1.1 in an object of 1.0": set("type", "https://ocfl.io/1.1/spec/#inventory"),
  }),
  ...of(V10, "E041", { "a manifest of OCFL 1.0 that is a list": set("manifest", []) }),
  ...of(V10, "E057", { "a fixity block of OCFL 1.0 that is a list": set("fixity", []) }),
];

const inManifest: Case[] = [
  ...one("E018", { "a content folder of one dot": set("contentDirectory", ".") }),
  ...one("E031", { "digests cut short": (o) => o.rewrite((text) => text.replaceAll(beta, beta.slice(0, 20))) }),
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
  ...one("E099", {
    "a content path with two dots": replace(`"${A}"`, '"v1/content/../content/a.txt"'),
  }),
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

const inFixity: Case[] = [
  { name: "a sha1 digest that is none", codes: ["E029"], plan: fixity("sha1", "abc") },
  { name: "a sha256 digest that is none", codes: ["E030"], plan: fixity("sha256", "abc") },
  { name: "a blake2b-512 digest that is none", codes: ["E032"], plan: fixity("blake2b-512", "abc") },
  { name: "an md5 digest that is none", codes: ["E057"], plan: fixity("md5", "abc") },
  { name: "a wrong md5", codes: ["E093"], plan: fixity("md5", digestOf("beta", "md5")) },
  { name: "a wrong size", codes: ["E093"], plan: fixity("size", "6") },
  {
    name: "two digests of one file",
    codes: ["E093"],
    plan: { ...ONE, fixity: { md5: { [digestOf("alpha", "md5")]: [A], [digestOf("beta", "md5")]: [A] } } },
  },
  { name: "a file that the manifest does not know", codes: ["E093"], plan: fixity("md5", digestOf("", "md5"), "v1/x") },
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

const inVersions: Case[] = [
  ...three("E009", { "a first version that is missing": renamed({ v1: "v2", v2: "v3", v3: "v4" }) }),
  ...three("E010", { "a version that is skipped": renamed({ v3: "v4" }) }),
  ...of({ ...MANY, padding: 2 }, "E011 E013 W001", { "padding that ends with ten": async () => undefined }),
  ...three("E012 E013 W001", { "padding that begins later": renamed({ v3: "v03" }) }),
  ...of({ ...THREE, padding: 2 }, "E012 E013 W001", { "padding that becomes wider": renamed({ v03: "v003" }) }),
  ...three("E014", {
    "an older inventory that writes versions otherwise": (o) =>
      o.changeOf(["v1"], (i) => {
        i.manifest[alpha] = ["v01/content/a.txt"];
      }),
  }),
  {
    name: "another content folder than before",
    codes: ["E019"],
    plan: { ...THREE, contentDirectory: "stuff" },
    deed: (o) => o.changeOf(["v2"], (i) => Object.assign(i, { contentDirectory: "content" })),
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
    "a state that was another": (o) =>
      o.changeOf(["v1"], ({ versions }) => Object.assign(versions.v1?.state ?? {}, { [beta]: ["renamed.txt"] })),
  }),
  ...of({ ...THREE, algorithms: ["sha256", "sha512"] }, "E066 W004", {
    "a state that was another under another algorithm": (o) =>
      o.changeOf(["v1"], ({ versions }) =>
        Object.assign(versions.v1?.state ?? {}, { [digestOf("beta", "sha256")]: ["renamed.txt"] }),
      ),
  }),
  ...of({ ...THREE, algorithms: ["sha256", "sha512"] }, "E092 W004", {
    "a digest that was wrong under another algorithm": async (o) => {
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
    "a digest that was another": (o) =>
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
  ...one("E001 E104", {
    "a version without v": renamed({ v1: "1" }),
  }),
  ...one("E001 E105", { "a version zero": renamed({ v1: "v0" }) }),
  ...of(V10, "E001 E046", { "a version of OCFL 1.0 without v": renamed({ v1: "1" }) }),
  ...three("E093", {
    "a fixity block of old that is wrong": (o) =>
      o.changeOf(["v1"], (i) => Object.assign(i, { fixity: { md5: { [digestOf("x", "md5")]: [A] } } })),
  }),
];

/** Gives versions other names, folders and inventories alike. */
function renamed(names: Record<string, string>): Deed {
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

export const invalid: Case[] = [...inFolder, ...inMembers, ...inManifest, ...inFixity, ...inVersions];

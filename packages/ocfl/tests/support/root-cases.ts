import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OcflObject, ONE, type Plan } from "./object.ts";

/** A storage root, a change, and exactly the codes that a check must report. */
export interface RootCase {
  name: string;
  codes: readonly string[];
  root: RootPlan;
  change?(folder: string): Promise<unknown>;
}

export interface RootPlan {
  specification?: "1.0" | "1.1";
  layout?: { extension: string; description?: unknown };
  /** The parameters of the layout's extension. */
  config?: object;
  /** Folder → the object in it. */
  objects: Record<string, Plan>;
}

/** Writes a storage root without code of the package. */
export async function writeRoot(folder: string, plan: RootPlan): Promise<void> {
  const { specification = "1.1", layout, config, objects } = plan;
  await put(folder, `0=ocfl_${specification}`, `ocfl_${specification}\n`);
  if (layout !== undefined) {
    await put(folder, "ocfl_layout.json", JSON.stringify({ description: "as it says", ...layout }));
    const text = JSON.stringify({ extensionName: layout.extension, ...config });
    if (config !== undefined) await put(folder, `extensions/${layout.extension}/config.json`, text);
  }
  for (const [path, object] of Object.entries(objects)) await OcflObject.write(join(folder, path), object);
}

async function put(folder: string, path: string, content = ""): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const TUPLES = { digestAlgorithm: "sha256", tupleSize: 3, numberOfTuples: 3 };
const object = (id: string, more: Partial<Plan> = {}): Plan => ({ ...ONE, id, ...more });
const FLAT: RootPlan = { objects: { one: object("urn:x:1"), two: object("urn:x:2") } };
const DEEP: RootPlan = { objects: { "a/b/one": object("urn:x:1"), "a/c/two": object("urn:x:2") } };

/** The ids and folders of the extensions' own examples. */
const layouts: [string, string, object | undefined, Record<string, string>][] = [
  [
    "flat",
    "0002-flat-direct-storage-layout",
    undefined,
    { "object-01": "object-01", "..hor_rib:lé-$id": "..hor_rib:lé-$id" },
  ],
  [
    "hash and id",
    "0003-hash-and-id-n-tuple-storage-layout",
    TUPLES,
    { "object-01": "3c0/ff4/240/object-01", "..hor/rib:le-$id": "487/326/d8c/%2e%2ehor%2frib%3ale-%24id" },
  ],
  [
    "hash by md5 and id",
    "0003-hash-and-id-n-tuple-storage-layout",
    { digestAlgorithm: "md5", tupleSize: 2, numberOfTuples: 15 },
    { "object-01": "ff/75/53/44/92/48/5e/ab/b3/9f/86/35/67/28/88/object-01" },
  ],
  [
    "hash, with default parameters",
    "0004-hashed-n-tuple-storage-layout",
    undefined,
    { "object-01": "3c0/ff4/240/3c0ff4240c1e116dba14c7627f2319b58aa3d77606d0d90dfc6161608ac987d4" },
  ],
  [
    "hash, truncated",
    "0004-hashed-n-tuple-storage-layout",
    { digestAlgorithm: "md5", tupleSize: 2, numberOfTuples: 15, shortObjectRoot: true },
    { "object-01": "ff/75/53/44/92/48/5e/ab/b3/9f/86/35/67/28/88/4e" },
  ],
  [
    "flat without prefix",
    "0006-flat-omit-prefix-storage-layout",
    { delimiter: "EDU/" },
    { "https://institution.edu/3448793": "3448793", "https://institution.edu/abc/edu/f8.05v": "f8.05v" },
  ],
  [
    "tuples without prefix",
    "0007-n-tuple-omit-prefix-storage-layout",
    { delimiter: ":", tupleSize: 4, numberOfTuples: 2, zeroPadding: "left", reverseObjectRoot: true },
    {
      "namespace:12887296": "6927/8821/12887296",
      "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66": "66a9/c002/6e8bc430-9c3a-11d9-9669-0800200c9a66",
      abc123: "321c/ba00/abc123",
    },
  ],
  [
    "tuples without prefix, padded on the right",
    "0007-n-tuple-omit-prefix-storage-layout",
    { delimiter: "edu/", zeroPadding: "right" },
    {
      "https://institution.edu/3448793": "344/879/300/3448793",
      "https://institution.edu/abc/edu/f8.05v": "f8./05v/000/f8.05v",
    },
  ],
  ["one that is known only by name", "0010-differential-n-tuple-omit-prefix-storage-layout", {}, { x: "anywhere/x" }],
  ["one of the future", "0099-of-tomorrow", undefined, { x: "anywhere/x" }],
];

function laidOut([name, extension, config, places]: (typeof layouts)[number], elsewhere = false): RootCase {
  const objects = Object.entries(places).map(([id, place]) => [elsewhere ? `${place}-x` : place, object(id)] as const);
  // The ids are those of the extensions. Not all of them are URIs.
  const codes = Object.keys(places).some((id) => !id.includes(":") || id.startsWith(".")) ? ["W005"] : [];
  return {
    name: `the layout “${name}”`,
    codes: elsewhere ? ["E083", ...codes] : codes,
    root: { layout: { extension }, ...(config !== undefined && { config }), objects: Object.fromEntries(objects) },
  };
}

export const validRoots: RootCase[] = [
  { name: "no object", codes: [], root: { objects: {} } },
  { name: "objects at the top", codes: [], root: FLAT },
  { name: "objects in folders", codes: [], root: DEEP },
  {
    name: "OCFL 1.0",
    codes: [],
    root: { specification: "1.0", objects: { x: object("urn:x", { specification: "1.0" }) } },
  },
  {
    name: "an object of OCFL 1.0 in a root of 1.1",
    codes: [],
    root: { objects: { x: object("urn:x", { specification: "1.0" }), y: object("urn:y") } },
  },
  { name: "documents beside the objects", codes: [], root: FLAT, change: (root) => put(root, "ocfl_1.1.md", "text") },
  {
    name: "a registered extension",
    codes: [],
    root: FLAT,
    change: (root) => put(root, "extensions/0008-schema-registry/config.json", "{}"),
  },
  ...layouts.map((layout) => laidOut(layout)),
  {
    name: "objects at the top and in folders",
    codes: ["W015"],
    root: { objects: { one: object("urn:x:1"), "a/two": object("urn:x:2") } },
  },
  {
    name: "an extension that is not registered",
    codes: ["W016"],
    root: FLAT,
    change: (root) => put(root, "extensions/ours/config.json", "{}"),
  },
  {
    name: "an extension that is not registered, in OCFL 1.0",
    codes: ["W013"],
    root: { specification: "1.0", objects: {} },
    change: (root) => put(root, "extensions/ours/config.json", "{}"),
  },
  {
    name: "invalid parameters of a layout",
    codes: ["W000"],
    root: { layout: { extension: "0004-hashed-n-tuple-storage-layout" }, config: { tupleSize: 99 }, ...FLAT },
  },
];

const OCFL_LAYOUT = "ocfl_layout.json";

export const invalidRoots: RootCase[] = [
  ...layouts.slice(0, -2).map((layout) => laidOut(layout, true)),
  bad("E037", "two objects with the same id", { objects: { one: object("urn:x"), two: object("urn:x") } }),
  bad("E069", "no declaration", FLAT, (root) => rename(join(root, "0=ocfl_1.1"), join(root, "declaration"))),
  bad("E070", "a layout that is not JSON", FLAT, (root) => put(root, OCFL_LAYOUT, "{")),
  bad("E070", "a layout that is a list", FLAT, (root) => put(root, OCFL_LAYOUT, "[]")),
  bad("E070", "a layout without description", {
    ...FLAT,
    layout: { extension: "0002-flat-direct-storage-layout", description: undefined },
  }),
  bad("E071", "a layout that is not registered", { ...FLAT, layout: { extension: "ours" } }),
  bad("E072", "a file between root and objects", DEEP, (root) => put(root, "a/notes")),
  bad("E072", "a folder of files", FLAT, (root) => put(root, "notes/x")),
  bad("E072", "a name that is not UTF-8", DEEP, (root) => mkdir(Buffer.from(`${root}/a/\xff`, "latin1"))),
  bad("E073", "an empty folder", DEEP, (root) => mkdir(join(root, "a/b/c/d"), { recursive: true })),
  bad("E073", "an empty folder for extensions", FLAT, (root) => mkdir(join(root, "extensions"))),
  bad("E076", "two declarations", FLAT, (root) => put(root, "0=ocfl_1.0", "ocfl_1.0\n")),
  bad("E077", "a declaration of another version", FLAT, redeclare("0=ocfl_3.1")),
  bad("E078", "a declaration that begins with 1", FLAT, redeclare("1=ocfl_1.1")),
  bad("E079", "a declaration of something else", FLAT, redeclare("0=bagit_1.0")),
  bad("E080", "a declaration without line feed", FLAT, (root) => put(root, "0=ocfl_1.1", "ocfl_1.1")),
  bad("E081", "an object newer than its root", { specification: "1.0", objects: { x: object("urn:x") } }),
  bad("E001 E082", "an object in an object", DEEP, (root) => rename(join(root, "a/c"), join(root, "a/b/one/more"))),
  bad("E003", "an object without its declaration", FLAT, (root) =>
    rename(join(root, "one/0=ocfl_object_1.1"), join(root, "was")),
  ),
  bad("E086", "a file among the extensions, in OCFL 1.0", { specification: "1.0", objects: {} }, (root) =>
    put(root, "extensions/notes"),
  ),
  bad("E090", "a link in the hierarchy", DEEP, (root) => symlink("b", join(root, "a/link"))),
  bad("E090", "a circular link", DEEP, (root) => symlink("..", join(root, "a/link"))),
  bad("E090", "a link at the top", FLAT, (root) => symlink("one", join(root, "link"))),
  bad("E092", "a damaged file of an object", FLAT, (root) => put(root, "one/v1/content/a.txt", "b")),
  bad("E112", "a file among the extensions", FLAT, (root) => put(root, "extensions/notes")),
];

function bad(codes: string, name: string, root: RootPlan, change?: (folder: string) => Promise<unknown>): RootCase {
  return { name, codes: codes.split(" "), root, ...(change !== undefined && { change }) };
}

function redeclare(name: string): (root: string) => Promise<void> {
  return async (root) => {
    await rename(join(root, "0=ocfl_1.1"), join(root, name));
    await writeFile(join(root, name), `${name.slice(2)}\n`);
  };
}

import { appendFile, cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { A, alpha, type Case, type Change, folder, one, put, remove, three } from "./cases.ts";

/** Faults of files and folders. */
export const folderFaults: Case[] = [
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
  ...one("E015", {
    "a file in a version's folder": put("v1/notes"),
    "a second sidecar in a version's folder": put("v1/inventory.json.sha256", `${alpha.slice(64)} inventory.json\n`),
    "a sidecar in capitals beside the right one": put("v1/INVENTORY.JSON.sha512", `${alpha} inventory.json\n`),
  }),
  ...three("E015 W010", { "a sidecar without its inventory": remove("v1/inventory.json") }),
  ...one("E023", {
    "a file that no manifest names": put("v1/content/new"),
    "a name that is not UTF-8": (o) => writeFile(Buffer.from(`${o.folder}/v1/content/\xff`, "latin1"), ""),
    "a folder whose name is not UTF-8": (o) => mkdir(Buffer.from(`${o.folder}/v1/content/\xfe`, "latin1")),
  }),
  ...one("E024", { "an empty folder": folder("v1/content/empty") }),
  ...one("E046", { "a version that is not in the inventory": folder("v2") }),
  ...one("E058", { "no sidecar": remove("inventory.json.sha512") }),
  ...one("E059", {
    "a sidecar of another algorithm": async (o) => {
      for (const place of [o.folder, join(o.folder, "v1")]) {
        await rename(join(place, "inventory.json.sha512"), join(place, "inventory.json.sha256"));
      }
    },
  }),
  ...one("E060", { "a sidecar of another inventory": put("v1/inventory.json.sha512", `${alpha} inventory.json\n`) }),
  ...one("E061", {
    "a sidecar that names a file in capitals": (o) =>
      o.sidecar("", (text) => text.replace("inventory.json", "INVENTORY.JSON")),
    "a sidecar that begins with a blank": (o) => o.sidecar("", (text) => ` ${text}`),
    "a sidecar with other text": put("inventory.json.sha512", "hello"),
    "a sidecar of a megabyte": put("inventory.json.sha512", `${alpha} inventory.json\n`.repeat(8_000)),
  }),
  ...one("E063", { "no inventory": remove("inventory.json") }),
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
    "a circular link": async (o) => {
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

function declaration(name: string): Change {
  return async (object) => {
    await remove("0=ocfl_object_1.1")(object);
    await object.put(name, `${name.slice(2)}\n`);
  };
}

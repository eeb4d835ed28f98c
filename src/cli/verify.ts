import { existsSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import type { JSONWebKeySet } from "jose";
import type { Checked } from "../archive/ocfl/check.ts";
import type { Place } from "../archive/open.ts";
import { readSettings } from "./config.ts";
import { Failure, reasonOf, Unsuccessful } from "./failure.ts";
import { several, size } from "./numbers.ts";
import { Output } from "./output.ts";
import { show, styled } from "./text.ts";
import { addVerb, type Common } from "./verb.ts";

type Kind = "object" | "root";

/** In an archive of this program's an object is stored four folders below the storage root. */
const OBJECT_TO_ROOT = "../../../..";

/** `verify`: an OCFL check of a storage root or of one object, re-reading every byte. */
export function addVerify(program: Command): void {
  addVerb(program, "verify", "check an OCFL 1.0 or 1.1 storage root or object, re-reading every byte")
    .argument(
      "[folder]",
      "storage root, object or archive, or s3://bucket/prefix; without it, the archive of the settings",
    )
    .option("--jwks <file|url>", "the keys that may have signed receipts; without it, the archive’s jwks.json")
    .addHelpText(
      "after",
      `
Findings have the codes of the OCFL specification (E… an error, W… a warning); EL… and WL… are about the logs that this
archive keeps beside each version, WP01 about one that is being published. Each version’s inventory is compared with its signed
receipt, and the receipt’s signature is checked with the archive’s jwks.json, or with the keys of --jwks. docs/validation.md says what each means. Errors
end with exit code 1, warnings alone do not. With --json each finding is a line.

Whoever can change an archive can change its jwks.json too: keys that are kept elsewhere prove more.

Examples:
  accession verify
  accession verify /srv/archive --jwks https://data.example.org/.well-known/jwks.json`,
    )
    .action(async (folder: string | undefined, { jwks, ...options }: Common & { jwks?: string }) => {
      const output = new Output(options);
      const target = await targetOf(folder);
      const { path } = target;
      output.live(show`Reading every byte under ${path} …`);
      const { keys, ok, findings, files, bytes, objects = 1 } = await check(target, jwks);
      output.live(undefined);
      const { sayFindings, tally } = await import("./verify-findings.ts");
      sayFindings(findings, output);
      const receipts = keys === undefined ? "signer not established" : "signer established";
      output.data({ ok, folder: path, objects, files, bytes, receipts });
      const read = `${several(objects, "object")}, ${several(files, "file")}, ${size(bytes)} read; ${tally(findings)}`;
      output.say(show`${ok ? styled("green", "✓ Valid") : styled("red", "✗ Not valid")}: ${path} (${read})`);
      if (keys === undefined) {
        output.say(
          show`Where there are receipts, their signatures were not checked: the archive has no jwks.json. --jwks names the keys.`,
        );
      }
      if (!ok) throw new Unsuccessful();
    });
}

async function keysOf(archive: string, named: string | undefined): Promise<JSONWebKeySet | undefined> {
  const { readJwks } = await import("./jwks.ts");
  if (named !== undefined) return readJwks(named);
  const own = join(archive, "jwks.json");
  return existsSync(own) ? readJwks(own) : undefined;
}

type Target = { path: string; kind: Kind } | { path: string; kind: "s3"; place: S3Archive };
type S3Archive = Extract<Place, { kind: "s3" }>;
type Result = Checked & { objects?: number; keys: JSONWebKeySet | undefined };

async function targetOf(folder: string | undefined): Promise<Target> {
  if (folder !== undefined && !folder.startsWith("s3://")) return find(folder);
  const named = folder === undefined ? {} : { ACCESSION_ARCHIVE: folder };
  const { archive } = readSettings({ ...process.env, ...named }, { keys: false });
  return archive.kind === "folder"
    ? find(join(archive.folder, "ocfl"))
    : { path: folder ?? `s3://${archive.bucket}/${archive.prefix}`, kind: "s3", place: archive };
}

async function check(target: Target, jwks: string | undefined): Promise<Result> {
  if (target.kind === "s3") return checkBucket(target.place, jwks);
  const { path, kind } = target;
  const root = kind === "root" ? resolve(path) : resolve(path, OBJECT_TO_ROOT);
  const keys = await keysOf(dirname(root), jwks);
  return { ...(await checkFolder({ path, kind, root, keys })), keys };
}

async function checkBucket(place: S3Archive, jwks: string | undefined): Promise<Result> {
  const { openReader, s3PlaceOf } = await import("../archive/open.ts");
  const { checkS3Archive } = await import("../archive/s3/check-archive.ts");
  const { readJwks, jwksIn } = await import("./jwks.ts");
  const { reader, close } = await openReader(place, 1);
  try {
    const { readText } = await import("../archive/read-text.ts");
    const own = jwks === undefined ? await readText(reader, "jwks.json") : undefined;
    const keys = jwks === undefined ? own && jwksIn(own, "jwks.json") : await readJwks(jwks);
    return { ...(await checkS3Archive(await s3PlaceOf(place), { keys: keys || undefined })), keys: keys || undefined };
  } finally {
    close();
  }
}

interface InFolder {
  path: string;
  kind: Kind;
  root: string;
  keys: JSONWebKeySet | undefined;
}

async function checkFolder({ path, kind, root, keys }: InFolder): Promise<Checked & { objects?: number }> {
  const { versionsUnderWay } = await import("../archive/folder-versions.ts");
  const underWay = await versionsUnderWay(dirname(root));
  if (kind === "root") return (await import("../archive/ocfl/check-root.ts")).checkRoot(path, { underWay, keys });
  const own = underWay.find(({ folder }) => join(root, folder) === resolve(path));
  const { checkObject } = await import("../archive/ocfl/check.ts");
  return checkObject(path, { underWay: own, ...(keys !== undefined && { receipts: { keys } }) });
}

/** Tells an object from a storage root, and finds the one in an archive's folder. */
async function find(folder: string): Promise<{ path: string; kind: Kind }> {
  const seen = await lookInto(folder).catch((error: unknown) => {
    throw new Failure(2, show`${folder} cannot be read: ${reasonOf(error)}`);
  });
  if (seen.isArchive) return find(join(folder, "ocfl"));
  // To read all that lies there, and call it damaged, would help nobody.
  if (seen.kind === undefined) {
    const marks = "0=ocfl_1.1, 0=ocfl_object_1.1, ocfl_layout.json, inventory.json";
    throw new Failure(2, show`${folder} is no OCFL storage root, object or archive: it holds none of ${marks}`);
  }
  return { path: folder, kind: seen.kind };
}

/**
 * What a folder is by its declaration; without one, by what else it holds: an inventory or versions are an object's, and
 * so is nothing at all, while a layout can only be that of a storage root. Undefined where nothing says that it is either.
 */
async function lookInto(folder: string): Promise<{ kind: Kind | undefined; isArchive: boolean }> {
  let declared: Kind | undefined;
  let likeObject = false;
  let likeRoot = false;
  let others = 0;
  let hasOcfl = false;
  for await (const entry of await opendir(folder)) {
    const { name } = entry;
    if (name.startsWith("0=ocfl_object_")) declared = "object";
    else if (name.startsWith("0=ocfl_")) declared ??= "root";
    likeObject ||= name === "inventory.json" || /^v\d+$/.test(name);
    likeRoot ||= name === "ocfl_layout.json";
    hasOcfl ||= name === "ocfl";
    if (entry.isDirectory()) others += 1;
  }
  const isArchive = declared === undefined && hasOcfl;
  const guess = likeRoot ? "root" : likeObject || others === 0 ? "object" : undefined;
  return { kind: declared ?? guess, isArchive };
}

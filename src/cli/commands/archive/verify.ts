import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { JSONWebKeySet } from "jose";
import type { OcflFolder } from "../../../../packages/ocfl/src/index.ts";
import type { S3ArchiveLocation } from "../../../archive/location.ts";
import type { Checked } from "../../../archive/validation/check-object.ts";
import type { KnownReceipts } from "../../../archive/validation/check-receipts.ts";
import { addApiCommand } from "../../api-command.ts";
import { Failure, reasonOf, Unsuccessful } from "../../terminal/failure.ts";
import { several, size } from "../../terminal/numbers.ts";
import { Output } from "../../terminal/output.ts";
import { show, styled } from "../../terminal/text.ts";
import { readSettings } from "../service/config.ts";

/** The storage root, in an archive of this software. */
const STORAGE_ROOT = "ocfl";

/** In an archive of this software an object is stored four folders below the storage root. */
const OBJECT_TO_ROOT = "../../../..";

/** `verify`: checks an OCFL storage root or object, and reads every file. */
export function addVerify(program: Command): void {
  addApiCommand(program, "verify", "check an OCFL 1.0 or 1.1 storage root or object, and read every file")
    .argument(
      "[folder]",
      "storage root, object or archive: a folder or s3://bucket/prefix (default: the configured archive)",
    )
    .option("--jwks <file|url>", "public keys that verify receipts (default: jwks.json of the archive)")
    .addHelpText(
      "after",
      `
Findings have the codes of the OCFL specification (E… for errors, W… for
warnings). EL… and WL… are about the logs that this software stores with each
version, and WP01 about a version that is being published. docs/validation.md
explains each code. The exit code is 1 if there are errors; warnings do not
change it. With --json each finding is a line.

Each version’s inventory is compared with its signed receipt. The receipt’s
signature is checked with the archive’s jwks.json, or with the keys of --jwks.
In an archive a missing receipt is an error. The result “signer established”
means that the receipts of all versions have a valid signature by one of these
keys. Anyone who can change the archive can also change jwks.json: use a copy
stored elsewhere.

Examples:
  accession verify
  accession verify /srv/accession/archive --jwks https://data.example.org/.well-known/jwks.json`,
    )
    .action(async (folder, { jwks, ...options }) => {
      const output = new Output(options);
      const target = await targetOf(folder);
      const { path } = target;
      output.live(show`Reading all files in ${path} …`);
      const {
        ok,
        findings,
        files,
        bytes,
        versions,
        receiptsVerified,
        objects = 1,
        ...checked
      } = await check(target, jwks);
      output.live(undefined);
      const { sayFindings, tally } = await import("./verify-findings.ts");
      sayFindings(findings, output);
      const isEstablished = versions > 0 && receiptsVerified === versions;
      const receipts = isEstablished ? "signer established" : "signer not established";
      output.data({ ok, folder: path, objects, files, bytes, versions, receiptsVerified, receipts });
      const signed = `${several(versions, "version")}, ${several(receiptsVerified, "receipt")} verified`;
      const read = `${several(objects, "object")}, ${several(files, "file")}, ${size(bytes)} read; ${signed}; ${tally(findings)}`;
      output.say(show`${ok ? styled("green", "✓ Valid") : styled("red", "✗ Not valid")}: ${path} (${read})`);
      if (!isEstablished) {
        const reason =
          checked.keys === undefined
            ? show`no public keys are available. Name a file or a URL with --jwks`
            : show`not all versions have a verified receipt`;
        output.say(show`The signer is not established: ${reason}.`);
      }
      if (!ok) throw new Unsuccessful();
    });
}

/** The file with the public keys of the archive that a storage root belongs to; undefined if it belongs to none. */
async function ownJwks(root: string): Promise<string | undefined> {
  const { ROOT_DECLARATION } = await loadOcfl();
  const file = join(dirname(root), "jwks.json");
  const isOurs = basename(root) === STORAGE_ROOT && existsSync(join(root, ROOT_DECLARATION.name)) && existsSync(file);
  return isOurs ? file : undefined;
}

/** The folder or bucket to check. `isArchive`: it is an archive of this software, in which each version has a receipt. */
type Target = { path: string; type: Type; isArchive: boolean } | { path: string; place: S3ArchiveLocation };
type Type = OcflFolder["type"];
type Result = Checked & { objects?: number; keys: JSONWebKeySet | undefined };

async function targetOf(folder: string | undefined): Promise<Target> {
  if (folder !== undefined && !folder.startsWith("s3://")) return find(folder);
  const named = folder === undefined ? {} : { ACCESSION_ARCHIVE: folder };
  const { describeLocation, isInFolder } = await import("../../../archive/location.ts");
  const { archive } = readSettings({ ...process.env, ...named }, { keys: false });
  if (isInFolder(archive)) return { ...(await find(join(archive.folder, STORAGE_ROOT))), isArchive: true };
  return { path: folder ?? describeLocation(archive), place: archive };
}

async function check(target: Target, jwks: string | undefined): Promise<Result> {
  if ("place" in target) return checkBucket(target.place, jwks);
  const { path, type, isArchive } = target;
  const root = type === "storage root" ? resolve(path) : resolve(path, OBJECT_TO_ROOT);
  const own = await ownJwks(root);
  const named = jwks ?? own;
  const { readJwks } = await import("../../client/jwks.ts");
  const keys = named === undefined ? undefined : await readJwks(named);
  const isArchived = isArchive || own !== undefined;
  return { ...(await checkFolder({ path, type, root, receipts: { keys, isArchived } })), keys };
}

async function checkBucket(place: S3ArchiveLocation, jwks: string | undefined): Promise<Result> {
  const { openReader, s3LocationOf } = await import("../../../archive/open-archive.ts");
  const { checkS3Archive } = await import("../../../archive/s3/check-archive.ts");
  const { readJwks, jwksIn } = await import("../../client/jwks.ts");
  const { reader, close } = await openReader(place, 1);
  try {
    const { readTextIfExists } = await import("../../../archive/reader.ts");
    const own = jwks === undefined ? await readTextIfExists(reader, "jwks.json") : undefined;
    const ownKeys = own ? jwksIn(own, "jwks.json") : undefined;
    const keys = jwks === undefined ? ownKeys : await readJwks(jwks);
    return { ...(await checkS3Archive(await s3LocationOf(place), { keys })), keys };
  } finally {
    close();
  }
}

interface InFolder {
  path: string;
  type: Type;
  root: string;
  receipts: KnownReceipts;
}

async function checkFolder({ path, type, root, receipts }: InFolder): Promise<Checked & { objects?: number }> {
  const { findUnfinishedVersions } = await import("../../../archive/folder/versions.ts");
  const unfinished = await findUnfinishedVersions(dirname(root));
  if (type === "storage root")
    return (await import("../../../archive/validation/check-root.ts")).checkRoot(path, { unfinished, receipts });
  const own = unfinished.find(({ folder }) => join(root, folder) === resolve(path));
  const { validateDataset } = await import("../../../archive/validation/check-object.ts");
  return validateDataset(path, { unfinished: own, receipts });
}

/** Determines whether a folder is an object or a storage root. An archive's folder stands for its storage root. */
async function find(folder: string): Promise<{ path: string; type: Type; isArchive: boolean }> {
  const { identified, hasStorageRoot } = await lookInto(folder).catch((error: unknown) => {
    throw new Failure(2, show`${folder} cannot be read: ${reasonOf(error)}`);
  });
  if (hasStorageRoot && identified?.isDeclared !== true) {
    return { ...(await find(join(folder, STORAGE_ROOT))), isArchive: true };
  }
  // A check of any other folder would report every file in it.
  if (identified === undefined) {
    const marks = "0=ocfl_1.1, 0=ocfl_object_1.1, ocfl_layout.json, inventory.json";
    throw new Failure(2, show`${folder} is not an OCFL storage root, object or archive: it contains none of ${marks}`);
  }
  return { path: folder, type: identified.type, isArchive: false };
}

async function lookInto(folder: string): Promise<{ identified: OcflFolder | undefined; hasStorageRoot: boolean }> {
  const { identifyFolder } = await loadOcfl();
  const identified = await identifyFolder(folder);
  const hasStorageRoot = lstatSync(join(folder, STORAGE_ROOT), { throwIfNoEntry: false }) !== undefined;
  return { identified, hasStorageRoot };
}

/** Loads the validator only when it is needed: every command loads this file. */
function loadOcfl(): Promise<typeof import("../../../../packages/ocfl/src/index.ts")> {
  return import("../../../../packages/ocfl/src/index.ts");
}

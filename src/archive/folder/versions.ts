import { open, readdir, readFile, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { datasetUrn } from "../../domain/uuid.ts";
import { alreadyPublished, requireReceipt } from "../already-published.ts";
import { datasetFolder, objectFolder } from "../layout.ts";
import { RECEIPT } from "../receipts/logs.ts";
import type { UnfinishedVersion } from "../validation/unfinished-version.ts";
import { HEAD_BYTES, headOf, inventoryOf, logsOf } from "../versions.ts";
import { exists, makeFolder, syncFolder, writeDurably } from "./durable-writes.ts";

/** The journal in the staging folder of a submission whose publication has begun. */
const JOURNAL = "publishing.json";
const UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
const Journal = Type.Object({
  dataset: Type.String({ pattern: UUID }),
  version: Type.Integer({ minimum: 2 }),
  /** The package's name in the staging folder. */
  package: Type.String({ pattern: "^package[a-z0-9-]*$" }),
});
const journalForm = Compile(Journal);

/** The move of a version from the staging folder into an existing dataset. All members are folders. */
interface Move {
  staging: string;
  package: string;
  object: string;
  dataset: string;
  version: number;
}

/** The newest version of the dataset in a folder; undefined if there is no dataset. */
export async function headIn(object: string): Promise<number | undefined> {
  const handle = await open(join(object, "inventory.json")).catch(absent);
  if (handle === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return headOf(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The signed receipt of a version; undefined if it does not exist. */
export async function receiptIn(object: string, version: number): Promise<string | undefined> {
  return readFile(join(object, logsOf(version), RECEIPT), "utf8").catch(absent);
}

/**
 * Adds a sealed version to an existing dataset: its folder, its logs, the inventory that makes it visible, and the
 * inventory's sidecar. Each is a rename out of the staging folder, so it happens once; a late worker, even after a
 * later version, finds nothing to move. A journal records that the publication has begun, so that any later run can
 * finish it. May be repeated after any crash.
 *
 * @throws Problem `already_published` if the version exists with another receipt, or the version before it does not
 * exist
 */
export async function publishVersion(move: Move, receipt: string): Promise<void> {
  const { staging, object, dataset, version } = move;
  const head = await headIn(object);
  if (head === undefined || head < version - 1) throw alreadyPublished();
  if (head >= version) requireReceipt(await receiptIn(object, version), receipt);
  if (!(await exists(move.package))) {
    // The version was moved before, and the staging area was removed.
    if (head >= version) return;
    throw new Error(`The sealed package does not exist: ${move.package}`);
  }
  const journal = { dataset, version, package: relative(staging, move.package) };
  await writeDurably(join(staging, JOURNAL), `${JSON.stringify(journal)}\n`);
  await moveIn(move);
  requireReceipt(await receiptIn(object, version), receipt);
}

/**
 * Finishes publications that were committed and then interrupted, according to the archive's journals. Used when no
 * database knows of them; otherwise the service does it. No other process may write to the archive meanwhile.
 */
export async function finishPublications(archive: string): Promise<void> {
  for await (const { staging, journal } of journalsIn(archive)) {
    const { dataset, version } = journal;
    const object = join(archive, datasetFolder(dataset));
    const head = await headIn(object);
    if (head !== version - 1 && head !== version) continue;
    await moveIn({ staging, package: join(staging, journal.package), object, dataset, version });
  }
}

/**
 * Versions that are being added to datasets, or whose addition was interrupted, according to the archive’s journals.
 */
export async function findUnfinishedVersions(archive: string): Promise<UnfinishedVersion[]> {
  const found: UnfinishedVersion[] = [];
  for await (const { journal } of journalsIn(archive)) {
    const { version } = journal;
    const folder = objectFolder(datasetUrn(journal.dataset));
    const object = join(archive, "ocfl", folder);
    const head = await headIn(object);
    if (head !== version - 1 && head !== version) continue;
    const sidecarIn = (path: string) => readFile(join(object, `${path}.sha512`), "utf8").catch(absent);
    const isBefore = (await sidecarIn("inventory.json")) === (await sidecarIn(inventoryOf(version - 1)));
    found.push({ folder, version, head, sidecarOf: isBefore ? version - 1 : version });
  }
  return found;
}

async function moveIn({ package: source, object, version }: Move): Promise<void> {
  await makeFolder(join(object, "logs"));
  await moveOnce(source, object, `v${version}`);
  await moveOnce(source, object, logsOf(version));
  // Everything that the inventory names must be durable before the inventory exists.
  await syncFolder(join(object, "logs"));
  await syncFolder(object);
  await moveOnce(source, object, "inventory.json");
  await moveOnce(source, object, "inventory.json.sha512");
  await syncFolder(object);
}

/** Moves a file that is still in the package. Otherwise it was moved before. */
async function moveOnce(source: string, object: string, name: string): Promise<void> {
  await rename(join(source, name), join(object, name)).catch(absent);
}

async function* journalsIn(archive: string) {
  const folder = join(archive, "staging");
  for (const name of (await readdir(folder).catch(absent)) ?? []) {
    const staging = join(folder, name);
    const text = await readFile(join(staging, JOURNAL), "utf8").catch(absent);
    if (text === undefined) continue;
    const journal = readJournal(text);
    if (journal !== undefined) yield { staging, journal };
  }
}

/**
 * Parses a journal. Journals are written completely or not at all, so a file of another format is not one of this
 * service.
 */
function readJournal(text: string): Static<typeof Journal> | undefined {
  try {
    const journal: unknown = JSON.parse(text);
    return journalForm.Check(journal) ? journal : undefined;
  } catch {
    return undefined;
  }
}

function absent(error: { code?: string }): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

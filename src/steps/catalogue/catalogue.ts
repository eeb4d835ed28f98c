import {
  beginEntry,
  type EntryKey,
  emptyEntry,
  hasFileText,
  saveEntry,
  uncatalogued,
} from "../../db/catalogue/entries.ts";
import { everyFile } from "../../db/chunks/files.ts";
import { recordFolders } from "../../db/chunks/folders.ts";
import { pathOfObject } from "../../db/chunks/objects.ts";
import { submissionOfVersion } from "../../db/datasets/datasets.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { agentOf } from "../../describe/metadata/agent.ts";
import { issuedOn, versionLabelOf } from "../../describe/version-facts.ts";
import { catalogueTextOf, resourceTypeOf } from "../../public/catalogue/entry.ts";
import { FileText } from "../../public/catalogue/file-text.ts";
import { describedPublication } from "../../publication/service/publication-facts.ts";
import type { StepContext } from "../context.ts";

/** Versions that a round describes before it looks for new ones. */
const ROUND = 100;
const SHOWN_CREATORS = 10;
const SHOWN_KEYWORDS = 20;
/** Characters of the description in lists; matches are shown from this part. */
const LONGEST_DESCRIPTION = 2_000;

/**
 * Describes in the public catalogue what was published, changed or withdrawn, until nothing is left. Who may see an entry does
 * not depend on it: that changes in the transaction of the publication. May run again after any crash.
 */
export async function describePublications(context: StepContext, signal: AbortSignal): Promise<void> {
  // One that cannot be described does not keep the others out of the catalogue.
  const failed = new Set<string>();
  for (;;) {
    const due = await uncatalogued(context.db, ROUND + failed.size);
    const keys = due.filter((key) => !failed.has(nameOf(key)));
    if (keys.length === 0) break;
    for (const key of keys) {
      signal.throwIfAborted();
      await describe(context, key).catch((error: unknown) => {
        context.log.error(
          { err: error, dataset: key.dataset_id, version: key.version },
          "a version cannot be catalogued",
        );
        failed.add(nameOf(key));
      });
    }
  }
  if (failed.size > 0) throw new Error(`Not catalogued: ${[...failed].join(", ")}`);
}

function nameOf({ dataset_id: dataset, version }: EntryKey): string {
  return `${dataset} ${version}`;
}

async function describe(context: StepContext, key: EntryKey): Promise<void> {
  const { db } = context;
  // Before the lock, because it can take long. Files of a version never change.
  const files = (await hasFileText(db, key)) ? undefined : await readFiles(context, key);
  await db.transaction().execute(async (trx) => {
    const row = await beginEntry(trx, key);
    if (row === undefined) return;
    if (row.state !== "published") await emptyEntry(trx, row);
    else await save({ ...context, db: trx }, trx, row, files);
  });
}

async function save(context: StepContext, trx: Trx, row: PublicationRow, files: FileText | undefined): Promise<void> {
  const { facts } = await describedPublication(context, row);
  const { metadata } = facts;
  const year = issuedOn(facts).slice(0, 4);
  const text = catalogueTextOf(metadata, { year });
  const creators = metadata.authors.filter(({ role }) => role === "Creator").map((author) => agentOf(author).name);
  await saveEntry(trx, row, {
    ...text,
    terms: [...text.terms, ...(files?.formats() ?? [])],
    revision: facts.revision ?? 1,
    fileText: files?.text(),
    summary: {
      creators: creators.slice(0, SHOWN_CREATORS),
      creatorCount: creators.length,
      description: (metadata.description ?? "").slice(0, LONGEST_DESCRIPTION).toWellFormed(),
      keywords: metadata.subjects.slice(0, SHOWN_KEYWORDS),
      year,
      licence: metadata.license?.name ?? null,
      resourceType: resourceTypeOf(metadata),
      identifier: row.identifier ?? "",
      versionLabel: versionLabelOf(facts),
      objects: facts.objects,
      bytes: facts.bytes,
    },
  });
}

/** Reads the names of the files for the search, and records their folders for the landing page. */
async function readFiles({ db }: StepContext, { dataset_id, version }: EntryKey): Promise<FileText> {
  const text = new FileText();
  const submission = await submissionOfVersion(db, dataset_id, version);
  if (submission === undefined) return text;
  await recordFolders(db, submission.id, submission.attempt);
  const filter = { state: "stored" as const, prefix: "", after: -1 };
  for await (const objects of everyFile(db, submission.id, submission.attempt, filter)) {
    // Without the folder that is common to all files.
    if (!objects.every((object) => text.add(pathOfObject(object).replace(/^data\//, "")))) break;
  }
  return text;
}

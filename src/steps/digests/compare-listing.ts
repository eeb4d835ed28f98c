import { everyObject } from "../../db/chunks/chunks.ts";
import { objectsOfKeys } from "../../db/chunks/unordered-keys.ts";
import { markMissing, setDigestState, statedDigestsOf, statedKeys } from "../../db/submissions/digests.ts";
import { lockSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { fetchedPath } from "../../domain/digest-lists/bag.ts";
import { likelyCause } from "../../domain/digest-lists/likely-cause.ts";
import { keyOfListedPath } from "../../domain/digest-lists/listed-path.ts";
import { inMessage } from "../../domain/in-message.ts";
import { several } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import {
  type DigestComparison,
  type DigestState,
  type NamedFiles,
  nameFile,
  noFiles,
} from "../../domain/submission/digest-state.ts";
import { compileSelection } from "../../domain/submission/selection.ts";
import { findObject, linesOf } from "../../source/lists/list-lines.ts";
import { type AttemptRef, type StepContext, selectionOf } from "../context.ts";
import { sourceAsSubject, sourceOf } from "../submission-source.ts";

const MOST_IN_MESSAGE = 5;
const AT_ONCE = 1_000;

/**
 * Compares the files of the digest lists with the complete listing, before most bytes are read: which files are missing, which are
 * additional. May be run again after a crash.
 *
 * @returns undefined without lists
 * @throws Problem `digest_files_missing`; `digest_list_invalid` if a list has changed since it was read
 */
export async function compareListing(
  context: StepContext,
  { id, attempt }: AttemptRef,
  row: SubmissionRow,
  signal: AbortSignal,
): Promise<DigestComparison | undefined> {
  const state = row.digests;
  if (state === null || state.lists.length === 0) return undefined;
  await requireUnchangedLists(context, row, state);
  const comparison = {
    ...(await lookUpStated(context, row, state)),
    additional: await additionalFiles(context, { id, attempt }, state),
  };
  await context.db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, id);
    if (now?.attempt === attempt && now.digests?.reading === state.reading)
      await setDigestState(trx, id, { ...now.digests, comparison });
  });
  if (comparison.missing.total > 0) throw await missingProblem(context, row, state, comparison, signal);
  return comparison;
}

/** A list is read before the listing is complete. The archived one must be the one that was compared. */
async function requireUnchangedLists({ db }: StepContext, row: SubmissionRow, { lists }: DigestState): Promise<void> {
  const read = new Map(lists.filter(({ origin }) => origin !== "request").map(({ name, etag }) => [name, etag]));
  const listed = await objectsOfKeys(db, row.id, row.attempt, [...read.keys()]);
  const changed = listed.find(({ key, etag }) => read.get(key) !== undefined && read.get(key) !== etag);
  if (changed === undefined) return;
  const what = `“${inMessage(changed.key)}” was replaced while the source was listed`;
  throw new Problem("digest_list_invalid", `${what}. Retry, so that the new list is read`);
}

/** Looks up every file of the lists in the listing. */
async function lookUpStated(
  { db }: StepContext,
  row: SubmissionRow,
  { reading }: DigestState,
): Promise<Omit<DigestComparison, "additional">> {
  const { id, attempt } = row;
  const selects = compileSelection(selectionOf(row));
  const sum = { files: 0, notSelected: 0, missing: noFiles() };
  for await (const keys of statedKeys(db, id, reading)) {
    const listed = new Set((await objectsOfKeys(db, id, attempt, keys)).map(({ key }) => key));
    const selected = keys.filter((key) => listed.has(key) || selects(key));
    const missing = selected.filter((key) => !listed.has(key));
    sum.files += selected.length;
    sum.notSelected += keys.length - selected.length;
    for (const key of missing) nameFile(sum.missing, key);
    await markMissing(db, id, reading, keys, new Set(missing));
  }
  return sum;
}

/** The objects that no list names. Lists, and the tag files of a bag, need not be named. */
async function additionalFiles(
  { db }: StepContext,
  { id, attempt }: AttemptRef,
  { reading, bag, lists: used }: DigestState,
): Promise<NamedFiles> {
  const lists = new Set(used.filter(({ origin }) => origin !== "request").map(({ name }) => name));
  const isTagFile = (key: string) => bag !== null && key.startsWith(bag) && !key.startsWith(`${bag}data/`);
  const additional = noFiles();
  for await (const objects of everyObject(db, id, attempt)) {
    const keys = objects.map(({ key }) => key).filter((key) => !lists.has(key) && !isTagFile(key));
    const stated = await statedDigestsOf(db, id, reading, keys);
    for (const key of keys) if (!stated.has(key)) nameFile(additional, key);
  }
  return additional;
}

async function missingProblem(
  context: StepContext,
  row: SubmissionRow,
  { bag }: DigestState,
  { files, missing: { total, keys } }: DigestComparison,
  signal: AbortSignal,
): Promise<Problem> {
  const named = keys.slice(0, MOST_IN_MESSAGE).map((key) => `“${inMessage(key)}”`);
  const more = total > named.length ? " and others" : "";
  const cause = await likelyCause(keys, {
    hasNone: files === total,
    existAny: async (others) =>
      others.length > 0 && (await objectsOfKeys(context.db, row.id, row.attempt, others)).length > 0,
  });
  const message = `${sourceAsSubject(row)} lacks ${several(total, "file")} of the checksum lists: ${named.join(", ")}${more}${cause === undefined ? "" : `. ${cause}`}`;
  const toFetch = bag === null ? 0 : await missingToFetch(context, row, bag, signal).catch(unlessOfFile);
  if (toFetch === 0) return new Problem("digest_files_missing", message);
  const where = `${several(toFetch, "file is", "files are")} named in fetch.txt of the bag. The service does not fetch files from other places`;
  return new Problem("digest_files_missing", `${message}. ${where}`);
}

/** An unusable `fetch.txt` must not hide which files are missing, which its caller reports. */
function unlessOfFile(error: unknown): 0 {
  if (error instanceof Problem) return 0;
  throw error;
}

/** Number of files that a bag does not contain, and that are to be fetched from the places that `fetch.txt` names. */
async function missingToFetch(
  context: StepContext,
  row: SubmissionRow,
  bag: string,
  signal: AbortSignal,
): Promise<number> {
  const from = { source: sourceOf(context, row), scratch: context.scratch, owner: row.id, signal };
  const object = await findObject(from, `${bag}fetch.txt`);
  if (object === undefined) return 0;
  let count = 0;
  let keys: string[] = [];
  const look = async () => {
    const listed = new Set((await objectsOfKeys(context.db, row.id, row.attempt, keys)).map(({ key }) => key));
    count += keys.filter((key) => !listed.has(key)).length;
    keys = [];
  };
  for await (const line of linesOf(from, object)) {
    const found = keyOfListedPath(fetchedPath(line) ?? "", bag);
    if ("key" in found) keys.push(found.key);
    if (keys.length >= AT_ONCE) await look();
  }
  await look();
  return count;
}

/** The comparison as the end of a sentence; empty without lists. */
export function comparisonInWords(comparison: DigestComparison | undefined): string {
  if (comparison === undefined) return "";
  const { files, additional, notSelected } = comparison;
  const left = notSelected === 0 ? "" : `, ${several(notSelected, "listed file")} not selected`;
  return `; ${several(files, "file")} in checksum lists, ${several(additional.total, "additional object")}${left}`;
}

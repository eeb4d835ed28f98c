import {
  analyzeDigests,
  contradictedKeys,
  digestListsOf,
  dropReadings,
  incompleteKeys,
  insertStatedDigests,
  setDigestState,
} from "../../db/submissions/digests.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { lockSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { DigestListParser, type StatedDigest } from "../../domain/digest-lists/parse-list.ts";
import { inMessage } from "../../domain/in-message.ts";
import { count, several } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { newDigestState, type UsedDigestList } from "../../domain/submission/digest-state.ts";
import { compileSelection } from "../../domain/submission/selection.ts";
import { type ListSource, linesOf } from "../../source/lists/list-lines.ts";
import {
  bagLists,
  faultOfBag,
  faultOfUnselected,
  namedLists,
  type SourceBag,
  type SourceList,
} from "../../source/lists/source-lists.ts";
import type { ListingPage } from "../../source/source.ts";
import { type AttemptRef, type StepContext, selectionOf } from "../context.ts";
import { sourceOf } from "../submission-source.ts";

/** Digests that are recorded at once. */
const AT_ONCE = 5_000;
/** Errors of a list that the message names. */
const MOST_NAMED = 5;
/** Errors after which a list is not read further. */
const MOST_FAULTS = 1_000;
/** Checksums of all lists in the source together. The database needs about 200 bytes for each. */
const MOST_DIGESTS = 5_000_000;
const TOO_MANY = `All lists together have more than ${count(MOST_DIGESTS)} checksums.`;

/**
 * Reads the digest lists in the source, and the manifests of a bag, before the first objects are recorded, so that no object is read
 * without comparison. Each reading has a number of its own, and counts when it is complete: after a crash, or if two workers read at
 * the same time, no digests are mixed.
 *
 * @param first the first page of the listing, which has the declaration of a bag, or shows that there is none
 * @throws Problem `digest_list_unreadable`, `digest_list_invalid`; problems of the source
 */
export async function readDigestLists(
  context: StepContext,
  work: AttemptRef,
  row: SubmissionRow,
  first: ListingPage,
  signal: AbortSignal,
): Promise<void> {
  if (row.digests?.usesBag === false || row.digests?.attempt === work.attempt) return;
  const from = { source: sourceOf(context, row), scratch: context.scratch, owner: row.id, signal };
  const selection = selectionOf(row);
  const selects = compileSelection(selection);
  const bag = await bagLists(from, selection.prefix, first);
  const named = row.digests === null ? [] : await namedLists(from, await digestListsOf(context.db, row.id));
  const lists = [...named, ...(bag?.lists ?? [])];
  if (lists.length === 0 && bag === undefined) return;
  const reading = await beginReading(context, work, lists);
  if (reading === undefined) return;
  const used: UsedDigestList[] = [];
  for (const list of lists) {
    const rest = used.reduce((left, { entries }) => left - entries, MOST_DIGESTS);
    used.push(await record(context, work, { reading, rest, selects }, from, list));
  }
  if (used.some(({ entries }) => entries > AT_ONCE)) await analyzeDigests(context.db);
  await checkBag(context, row, reading, bag);
  await finishReading(context, work, reading, used, bag);
}

/** Records which lists are read, so that they are shown also if one of them is invalid. */
async function beginReading(
  { db }: StepContext,
  { id, attempt }: AttemptRef,
  lists: readonly SourceList[],
): Promise<number | undefined> {
  return db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, id);
    if (row?.attempt !== attempt || row.status !== "listing") return undefined;
    const state = row.digests ?? newDigestState([], true);
    // Another worker has read them.
    if (state.attempt === attempt) return undefined;
    const readings = state.readings + 1;
    const unread = lists.map(({ object, origin }) => ({ name: object.key, origin }));
    await setDigestState(trx, id, { ...state, unread, readings });
    return readings;
  });
}

/** Records the digests of a list. @throws Problem `digest_list_invalid` that names its first errors */
async function record(
  { db }: StepContext,
  { id }: AttemptRef,
  { reading, rest, selects }: { reading: number; rest: number; selects: (key: string) => boolean },
  from: ListSource,
  list: SourceList,
): Promise<UsedDigestList> {
  const { object, options, origin } = list;
  const read = new DigestListParser(options, { selects, mostFaults: MOST_NAMED });
  let sha512: string | undefined;
  let batch: { line: number; digest: StatedDigest }[] = [];
  const flush = async () => {
    const digests = batch.map(({ digest }) => digest);
    const known = new Map<string, string>();
    for (const { line, digest } of batch) {
      const name = `${digest.algorithm} ${digest.key}`;
      if ((known.get(name) ?? digest.digest) !== digest.digest) read.contradict(line);
      known.set(name, digest.digest);
    }
    const contradicted = await contradictedKeys(db, id, reading, digests);
    for (const { line, digest } of contradicted.size === 0 ? [] : batch)
      if (contradicted.has(digest.key)) read.contradict(line);
    await insertStatedDigests(db, id, reading, digests);
    batch = [];
  };
  const stored = (digest: string) => {
    sha512 = digest;
  };
  for await (const text of linesOf(from, object, stored)) {
    for (const digest of read.take(text)) batch.push({ line: read.lines, digest });
    const isTooLong = read.entries > rest;
    if (isTooLong) read.refuse("digest_line_invalid", TOO_MANY);
    if (read.faulty >= MOST_FAULTS || isTooLong) break;
    if (batch.length >= AT_ONCE) await flush();
  }
  read.end();
  await flush();
  const { faulty, faults, entries } = read;
  const unselected = read.isSelected ? undefined : faultOfUnselected(list, entries);
  if (faulty === 0 && unselected !== undefined)
    throw new Problem("digest_list_invalid", `“${inMessage(object.key)}”: ${unselected}`);
  if (faulty > 0) {
    const more = faulty > faults.length ? ` and ${several(faulty - faults.length, "other line")}` : "";
    throw new Problem("digest_list_invalid", `“${inMessage(object.key)}”: ${read.faultsInWords()}${more}`);
  }
  return { name: object.key, origin, entries, etag: object.etag, ...(sha512 !== undefined && { sha512 }) };
}

/** @throws Problem `digest_list_invalid` if a file of the payload is not in every manifest that must name it */
async function checkBag(
  { db }: StepContext,
  { id }: SubmissionRow,
  reading: number,
  bag: SourceBag | undefined,
): Promise<void> {
  if (bag === undefined || bag.complete.length < 2) return;
  const of = { reading, folder: `${bag.root}data/`, algorithms: bag.complete };
  const fault = faultOfBag(bag, await incompleteKeys(db, id, of));
  if (fault !== undefined) throw new Problem("digest_list_invalid", fault);
}

async function finishReading(
  { db }: StepContext,
  { id, attempt }: AttemptRef,
  reading: number,
  used: UsedDigestList[],
  bag: SourceBag | undefined,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, id);
    const state = row?.digests;
    if (row?.attempt !== attempt || row.status !== "listing" || state == null || state.attempt === attempt) return;
    const lists = [...state.lists.filter(({ origin }) => origin === "request"), ...used];
    await setDigestState(trx, id, { ...state, lists, unread: [], reading, attempt, bag: bag?.root ?? null });
    await dropReadings(trx, id, [0, reading]);
    await addEvent(trx, id, { type: "digests_read", message: readInWords(used, bag) });
  });
}

function readInWords(used: readonly UsedDigestList[], bag: SourceBag | undefined): string {
  const entries = used.reduce((sum, list) => sum + list.entries, 0);
  const unsupported = bag?.unsupported.map((key) => `“${inMessage(key)}”`) ?? [];
  const rest = unsupported.length === 0 ? "" : `; not supported: ${unsupported.join(", ")}`;
  return `Checksum lists read: ${several(used.length, "list")}, ${several(entries, "checksum")}${rest}`;
}

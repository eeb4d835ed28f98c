import {
  contradictedKeys,
  digestListsOf,
  dropReadings,
  insertStatedDigests,
  setDigestState,
} from "../../db/submissions/digests.ts";
import { lockSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { BAG_DECLARATION, bagRootOf, readBagDeclaration } from "../../describe/digest-lists/bag.ts";
import { manifestOf } from "../../describe/digest-lists/format.ts";
import { folderOf } from "../../describe/digest-lists/listed-path.ts";
import { DigestListParser, type ListOptions, type StatedDigest } from "../../describe/digest-lists/parse-list.ts";
import { inMessage } from "../../domain/in-message.ts";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import { several } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { newDigestState, type UsedDigestList } from "../../domain/submission/digest-state.ts";
import type { ListedObject, ListingPage } from "../../source/source.ts";
import { type AttemptRef, type StepContext, selectionOf } from "../context.ts";
import { sourceOf } from "../submission-source.ts";
import { findObject, type ListSource, linesOf } from "./list-lines.ts";

/** A list in the source. */
interface SourceList {
  object: ListedObject;
  options: ListOptions;
  origin: UsedDigestList["origin"];
}

/** Digests that are recorded at once. */
const AT_ONCE = 5_000;
/** Errors of a list that the message names. */
const MOST_NAMED = 5;

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
  const { prefix } = selectionOf(row);
  const bag = await bagLists(from, prefix, first);
  const named = row.digests === null ? [] : await namedLists(context, from, row.id);
  const lists = [...named, ...(bag?.lists ?? [])];
  if (lists.length === 0) return;
  const reading = await beginReading(context, work);
  if (reading === undefined) return;
  const used: UsedDigestList[] = [];
  for (const list of lists) used.push(await record(context, work, reading, from, list));
  await finishReading(context, work, reading, used, bag?.root ?? null);
}

/** The lists that the request names by key. @throws Problem `digest_list_unreadable` if one does not exist */
async function namedLists({ db }: StepContext, from: ListSource, id: string): Promise<SourceList[]> {
  const lists: SourceList[] = [];
  for (const { key, name, base, format } of await digestListsOf(db, id)) {
    if (key === null) continue;
    const object = await findObject(from, key);
    if (object === undefined)
      throw new Problem("digest_list_unreadable", `The digest list “${inMessage(key)}” does not exist`);
    lists.push({
      object,
      options: { name, base: base ?? folderOf(key), ...(format !== null && { format }) },
      origin: "source",
    });
  }
  return lists;
}

/** The manifests of the bag in the folder of the selection; undefined if it has none. */
async function bagLists(
  from: ListSource,
  prefix: string | undefined,
  first: ListingPage,
): Promise<{ root: string; lists: SourceList[] } | undefined> {
  const root = bagRootOf(prefix);
  if (root === undefined) return undefined;
  const declaration = await declarationOf(from, root + BAG_DECLARATION, first);
  if (declaration === undefined || declaration.bytes > MOST_DECLARATION) return undefined;
  const text = (await Array.fromAsync(linesOf(from, declaration))).join("\n");
  const declared = readBagDeclaration(text);
  if (declared === undefined) return undefined;
  if (declared.encoding !== "utf-8")
    throw new Problem(
      "digest_list_invalid",
      `The bag states the encoding ${inMessage(declared.encoding)}. Only UTF-8 is supported`,
    );
  const lists: SourceList[] = [];
  for (const kind of ["manifest-", "tagmanifest-"]) {
    for await (const { objects } of from.source.pages({ prefix: root + kind, position: undefined }, from.signal)) {
      for (const object of objects) {
        if (folderOf(object.key) !== root || manifestOf(object.key)?.algorithm === undefined) continue;
        const options = { name: object.key, base: root, format: "bagit" as const, isOldBag: declared.isOld };
        lists.push({ object, options, origin: "bag" });
      }
    }
  }
  const isBag = lists.some(({ object }) => manifestOf(object.key)?.kind === "payload");
  return isBag ? { root, lists } : undefined;
}

/** `bagit.txt` has two lines. */
const MOST_DECLARATION = 10_000;

/** The declaration of a bag is on the first page, unless many keys are before it, or the listing is not in order. */
async function declarationOf(from: ListSource, key: string, first: ListingPage): Promise<ListedObject | undefined> {
  const found = first.objects.find((object) => object.key === key);
  if (found !== undefined || first.next === undefined) return found;
  const isBehind = first.objects.every((object, index) => {
    const before = first.objects[index - 1];
    return before === undefined || compareKeys(before.key, object.key) < 0;
  });
  const last = first.objects.at(-1);
  if (isBehind && last !== undefined && compareKeys(last.key, key) > 0) return undefined;
  return findObject(from, key);
}

async function beginReading({ db }: StepContext, { id, attempt }: AttemptRef): Promise<number | undefined> {
  return db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, id);
    if (row?.attempt !== attempt || row.status !== "listing") return undefined;
    const state = row.digests ?? newDigestState([], true);
    const readings = state.readings + 1;
    await setDigestState(trx, id, { ...state, readings });
    return readings;
  });
}

/** Records the digests of a list. @throws Problem `digest_list_invalid` that names its first errors */
async function record(
  { db }: StepContext,
  { id }: AttemptRef,
  reading: number,
  from: ListSource,
  { object, options, origin }: SourceList,
): Promise<UsedDigestList> {
  const parser = new DigestListParser(options);
  const faults: string[] = [];
  let [faulty, line, entries] = [0, 0, 0];
  let batch: { line: number; digest: StatedDigest }[] = [];
  const refuse = (at: number, detail: string) => {
    faulty++;
    if (faults.length < MOST_NAMED) faults.push(`line ${at}: ${detail}`);
  };
  const flush = async () => {
    const digests = batch.map(({ digest }) => digest);
    const known = new Map<string, string>();
    for (const { line: at, digest } of batch) {
      const name = `${digest.algorithm} ${digest.key}`;
      if ((known.get(name) ?? digest.digest) !== digest.digest) refuse(at, CONTRADICTED);
      known.set(name, digest.digest);
    }
    const contradicted = await contradictedKeys(db, id, reading, digests);
    for (const { line: at, digest } of contradicted.size === 0 ? [] : batch)
      if (contradicted.has(digest.key)) refuse(at, CONTRADICTED);
    await insertStatedDigests(db, id, reading, digests);
    batch = [];
  };
  for await (const text of linesOf(from, object)) {
    line++;
    const found = parser.take(text);
    if (Array.isArray(found)) for (const digest of found) batch.push({ line, digest });
    else refuse(found.line, found.detail);
    entries += Array.isArray(found) ? found.length : 0;
    if (batch.length >= AT_ONCE) await flush();
  }
  const last = parser.end();
  if (last !== undefined) refuse(last.line, last.detail);
  await flush();
  // A bag can have an empty payload manifest, for instance of another algorithm that only tag files use.
  if (entries === 0 && faulty === 0 && origin !== "bag") refuse(1, "The list names no files.");
  if (faulty > 0) {
    const more = faulty > faults.length ? ` and ${several(faulty - faults.length, "other line")}` : "";
    throw new Problem("digest_list_invalid", `“${inMessage(object.key)}”: ${faults.join("; ")}${more}`);
  }
  return { name: object.key, origin, entries };
}

const CONTRADICTED = "Another line states a different checksum for this file.";

async function finishReading(
  { db }: StepContext,
  { id, attempt }: AttemptRef,
  reading: number,
  used: UsedDigestList[],
  bag: string | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, id);
    const state = row?.digests;
    if (row?.attempt !== attempt || row.status !== "listing" || state == null || state.attempt === attempt) return;
    const lists = [...state.lists.filter(({ origin }) => origin === "request"), ...used];
    await setDigestState(trx, id, { ...state, lists, reading, attempt, bag });
    await dropReadings(trx, id, [0, reading]);
  });
}

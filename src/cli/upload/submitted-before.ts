import { isDeepStrictEqual } from "node:util";
import type { Submission, SubmissionEntry } from "../../../packages/client/src/index.ts";
import { UPLOAD } from "../../domain/source-access/upload-place.ts";
import type { Client } from "../client/client.ts";
import { problemOf } from "../terminal/failure.ts";
import { filesOf } from "./existing-upload.ts";
import type { LocalFiles } from "./local-files.ts";

/** Newest submissions of the user among which the same one is looked for. */
const RECENT = 20;
/** Milliseconds for which a completed submission counts as the same, as in the service for buckets. */
const RECENT_MS = 600_000;

/** What the user wants to submit. */
export interface Wanted {
  local: LocalFiles;
  metadata: unknown;
  /** The names or keys of the digest lists; undefined without any statement. */
  lists: string[] | undefined;
  /** To which a version is added; undefined for a new dataset. */
  dataset: string | undefined;
}

/**
 * A submission among the newest of the user that is open or was accepted in the last ten minutes, and has the same metadata, digest lists
 * with the same names, and files with the same paths and sizes. Contents are not compared.
 * @throws Failure
 */
export async function submittedBefore(client: Client, wanted: Wanted): Promise<Submission | undefined> {
  const { owner } = await client.ask(client.api.GET("/caller"));
  const query = { owner, limit: RECENT };
  const { data, headers } = await client.askWithHeaders(client.api.GET("/submission", { params: { query } }));
  // The clock of this computer can be wrong, and a proxy can remove the header.
  const now = Date.parse(headers.get("date") ?? new Date().toISOString());
  for (const entry of data) {
    if (!isCandidate(entry, wanted.dataset, now)) continue;
    const { id } = entry;
    const submission = await client.ask(client.api.GET("/submission/{id}", { params: { path: { id } } }));
    if (!isDeepStrictEqual(submission.metadata, wanted.metadata) || !hasLists(submission, wanted.lists)) continue;
    if (await hasFiles(client, submission, wanted.local)) return submission;
  }
  return undefined;
}

function isCandidate(entry: SubmissionEntry, dataset: string | undefined, now: number): boolean {
  const { source, status, withdrawn, target, createdAt } = entry;
  if (source.endpoint !== UPLOAD || withdrawn !== null || status === "failed" || status === "cancelled") return false;
  if (status === "completed" && now - Date.parse(createdAt) > RECENT_MS) return false;
  if (target === null || dataset === undefined) return target?.version === 1;
  return target.version > 1 && target.id === dataset.toLowerCase().replace(/^urn:uuid:/, "");
}

/** The manifests of a bag are found, and not stated. */
function hasLists({ digests }: Submission, names: string[] = []): boolean {
  // Earlier releases of the service have no lists, or state none that were not read.
  const used = [...(digests?.lists ?? []), ...(digests?.unread ?? [])].filter(({ origin }) => origin !== "bag");
  return isDeepStrictEqual(used.map(({ name }) => name).toSorted(), names.toSorted());
}

async function hasFiles(client: Client, submission: Submission, { files, bytes }: LocalFiles): Promise<boolean> {
  const { listingComplete, objectsListed, bytesListed } = submission.progress;
  if (listingComplete && (objectsListed !== files.length || bytesListed !== bytes)) return false;
  const left = new Map(files.map((file) => [file.path, file.bytes]));
  try {
    for await (const file of listingComplete ? listedFiles(client, submission) : sentFiles(client, submission)) {
      if (left.get(file.path) !== file.bytes) return false;
      left.delete(file.path);
    }
  } catch (error) {
    // The upload can be deleted or returned to its owner while its files are read, because the submission ends.
    if (problemOf(error)?.code === "not_found") return false;
    throw error;
  }
  return left.size === 0;
}

async function* listedFiles(client: Client, { id }: Submission): AsyncGenerator<{ path: string; bytes: number }> {
  const pages = client.pages((page) =>
    client.api.GET("/submission/{id}/files", { params: { path: { id }, query: page } }),
  );
  for await (const { key, bytes } of pages) yield { path: key, bytes };
}

function sentFiles(client: Client, { source }: Submission): AsyncGenerator<{ path: string; bytes: number }> {
  return filesOf(client, { id: source.bucket });
}

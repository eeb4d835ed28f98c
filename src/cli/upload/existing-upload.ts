import { isDeepStrictEqual } from "node:util";
import type { Problem, Submission } from "../../../packages/client/src/index.ts";
import { UPLOAD } from "../../domain/source-access/upload-place.ts";
import { commandName } from "../api-command.ts";
import type { Client } from "../client/client.ts";
import { Failure } from "../terminal/failure.ts";
import { FAILED, NEXT, show } from "../terminal/text.ts";
import type { LocalFiles } from "./local-files.ts";
import type { KnownFile } from "./sender.ts";
import type { Sending, Upload } from "./upload.ts";

const PAGE = 1_000;

/**
 * The upload that is to be continued: the named one, or the newest that was not submitted and has files, all of which are in the folder.
 * Undefined if there is none.
 * @throws Failure
 */
export async function findUpload(
  client: Client,
  { files }: LocalFiles,
  named: string | undefined,
): Promise<Pick<Sending, "upload" | "known"> | undefined> {
  if (named !== undefined) {
    const upload = await getUpload(client, named);
    if (upload.submission !== null)
      throw new Failure(1, show`The upload belongs to the submission ${upload.submission}`);
    const known = await knownFiles(client, upload);
    return { upload, known: known ?? new Map() };
  }
  const paths = new Set(files.map(({ path }) => path));
  for (const upload of await client.ask(client.api.GET("/uploads"))) {
    if (upload.fileCount === 0 || upload.fileCount > paths.size) continue;
    const known = await knownFiles(client, upload, paths);
    if (known !== undefined) return { upload, known };
  }
  return undefined;
}

/** An upload of the user. @throws Failure that says how to find others, if there is none with this id */
export async function getUpload(client: Client, id: string): Promise<Upload> {
  return client.ask(client.api.GET("/uploads/{id}", { params: { path: { id } } })).catch((error: unknown) => {
    const { problem } = ((error as Failure).data ?? {}) as { problem?: Problem };
    if (problem?.code !== "not_found" && problem?.code !== "invalid_request") throw error;
    const lines = [
      show`${FAILED} You have no upload with the id ${id}`,
      show`  ${NEXT} To list your uploads: ${commandName()} uploads list`,
    ];
    throw new Failure(1, lines, { data: { problem }, cause: error });
  });
}

/** The files of an upload by path. Undefined if one is not among these paths. */
async function knownFiles(
  client: Client,
  upload: Upload,
  among?: ReadonlySet<string>,
): Promise<Sending["known"] | undefined> {
  const known = new Map<string, KnownFile>();
  for await (const file of filesOf(client, upload)) {
    if (among?.has(file.path) === false) return undefined;
    known.set(file.path, file);
  }
  return known;
}

async function* filesOf(client: Client, { id }: Upload): AsyncGenerator<KnownFile> {
  let after: string | undefined;
  do {
    const query = { limit: PAGE, ...(after !== undefined && { after }) };
    const page = await client.ask(client.api.GET("/uploads/{id}/files", { params: { path: { id }, query } }));
    yield* page.files;
    after = page.next ?? undefined;
  } while (after !== undefined);
}

/**
 * Reads the upload, and then its files, which other programs can change.
 *
 * @param digests the SHA-512 of each file of the folder, by path
 * @returns the upload as it was before, so that its revision is not newer than its files; undefined if these are not those of the folder
 * @throws Failure
 */
export async function compareUpload(
  client: Client,
  { id }: Upload,
  digests: ReadonlyMap<string, string>,
): Promise<Upload | undefined> {
  const upload = await getUpload(client, id);
  if (upload.fileCount !== digests.size) return undefined;
  let same = 0;
  for await (const { path, sha512, completedAt } of filesOf(client, upload)) {
    if (completedAt === null || sha512 === null || digests.get(path) !== sha512) return undefined;
    same += 1;
  }
  return same === digests.size ? upload : undefined;
}

/** Newest submissions among which a repeated one is looked for. */
const RECENT = 20;
/** Milliseconds for which a completed submission counts as the same, as in the service for buckets. */
const RECENT_MS = 600_000;

/**
 * A submission of an upload that is open or was accepted in the last ten minutes, and has the same metadata and dataset, and as many
 * files and bytes. Whether the files are the same is not compared.
 * @throws Failure
 */
export async function findSubmitted(
  client: Client,
  { files, bytes }: LocalFiles,
  { metadata, dataset }: { metadata: unknown; dataset?: string | undefined },
): Promise<Submission | undefined> {
  const recent = client.pages((page) => client.api.GET("/submission", { params: { query: page } }), RECENT);
  for await (const { id, source, status, withdrawn, target, createdAt } of recent) {
    if (source.endpoint !== UPLOAD || withdrawn !== null || status === "failed" || status === "cancelled") continue;
    if (status === "completed" && Date.now() - Date.parse(createdAt) > RECENT_MS) continue;
    if (!isFor(target, dataset)) continue;
    const submission = await client.ask(client.api.GET("/submission/{id}", { params: { path: { id } } }));
    if (!isDeepStrictEqual(submission.metadata, metadata)) continue;
    const found = await amountOf(client, submission);
    if (found.files === files.length && found.bytes === bytes) return submission;
  }
  return undefined;
}

/** @param dataset to which a version is added; undefined for a new dataset */
function isFor(target: Submission["target"], dataset: string | undefined): boolean {
  if (target === null || dataset === undefined) return target?.version === 1;
  return target.version > 1 && target.id === dataset.toLowerCase().replace(/^urn:uuid:/, "");
}

/** The number of files of a submission, and their bytes. Until they are listed, the upload is asked. */
async function amountOf(
  client: Client,
  { id, source, progress }: Submission,
): Promise<{ files: number; bytes: number }> {
  const { objectsListed, bytesListed, listingComplete } = progress;
  if (listingComplete) return { files: objectsListed, bytes: bytesListed };
  try {
    const { fileCount, bytes } = await getUpload(client, source.bucket);
    return { files: fileCount, bytes };
  } catch (error) {
    // It is deleted when the submission has ended, which can be meanwhile.
    const now = await client.ask(client.api.GET("/submission/{id}", { params: { path: { id } } }));
    if (!now.progress.listingComplete) throw error;
    return amountOf(client, now);
  }
}

import { commandName } from "../api-command.ts";
import type { Client } from "../client/client.ts";
import { Failure, problemOf } from "../terminal/failure.ts";
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
    const problem = problemOf(error);
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

/** The files of an upload. @throws Failure */
export async function* filesOf(client: Client, { id }: Pick<Upload, "id">): AsyncGenerator<KnownFile> {
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

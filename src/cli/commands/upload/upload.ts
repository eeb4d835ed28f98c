import type { Command } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf, commandName, given, type OptionsOf } from "../../api-command.ts";
import { type Client, isUncertain } from "../../client/client.ts";
import { digestsHelp, gatherLists, NO_DIGESTS, readDigestLists } from "../../digest-lists.ts";
import { askAboutMetadata, readMetadata } from "../../metadata-file.ts";
import { Failure, INTERRUPTED, problemOf } from "../../terminal/failure.ts";
import { namedEntries } from "../../terminal/named-entries.ts";
import { moment, several, size } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { FAILED, NEXT, OK, type Shown, show, styled, WARNING } from "../../terminal/text.ts";
import type { LocalFiles } from "../../upload/local-files.ts";
import type { Wanted } from "../../upload/submitted-before.ts";
import type { Sending } from "../../upload/upload.ts";
import { followAccepted } from "../submission/accepted.ts";

/** `upload`: sends the files of a folder and submits them. */
export function addUpload(program: Command): void {
  addUploadCommand(program)
    .addHelpText("after", digestsHelp("that is sent") + HELP)
    .action(upload);
}

type UploadOptions = OptionsOf<typeof addUploadCommand>;

function addUploadCommand(program: Command) {
  return addApiCommand(program, "upload", "send the files of a folder, and submit them")
    .argument("<folder>", "folder whose files become the dataset")
    .requiredOption("--metadata <file>", "file with the metadata as JSON; - for standard input")
    .option("--upload <id>", "continue this upload; its files that are not in the folder are removed from it")
    .option(
      "--new",
      "start a new upload, also if one with these files exists or was just submitted; --upload takes precedence",
    )
    .option("--skip-others", "leave out links, devices and pipes, which are otherwise an error")
    .option(
      "--digests <file>",
      "compare the files with this checksum list; - for standard input; repeatable",
      gatherLists,
    )
    .option(
      "--digests-key <key>",
      "compare the files with the checksum list that is this file of the folder; repeatable",
      gatherLists,
    )
    .option("--digests-base <folder>", "folder of the source to which the paths of these lists are relative")
    .addOption(NO_DIGESTS)
    .option("--dataset <id>", "add a version to this dataset")
    .option(
      "--notify <address>",
      "e-mail address to notify when the submission is accepted, requires action or ends, or the upload expires",
    )
    .option("--reserve-doi", "reserve a DOI now, for example to cite it in a manuscript; it resolves after publication")
    .option("--watch", "follow the submission until it ends or requires action")
    .option("--keep-waiting", "with --watch: continue while the submission waits");
}

const HELP = `
Paths below the folder become the keys. Each file is hashed (SHA-512) while it is
sent, and the service compares it when it has arrived, and again when it is
archived. Nothing is submitted before all files have arrived, or if another program
has changed the upload meanwhile.

After an interruption, run the same command again: it hashes the files and sends
only what is missing, also on another day. Files that have changed are sent again.
“accession uploads list” shows what has arrived.

Minimum metadata:
  {"title": "Barley roots 2026", "authors": [{"role": "Creator", "firstName": "Josiah", "lastName": "Carberry"}]}

Examples:
  accession upload barley-roots --metadata dataset.json --watch
  accession upload barley-roots --metadata dataset.json --digests SHA256SUMS
  accession upload barley-roots --metadata dataset.json --dataset 6f1c2d7e-…`;

async function upload(folder: string, options: UploadOptions): Promise<void> {
  const { client, output } = clientOf(options);
  const { requireListedFiles } = await import("../../upload/listed-files.ts");
  const { filesBelow } = await import("../../upload/local-files.ts");
  const { compareUpload } = await import("../../upload/existing-upload.ts");
  const { sendFolder } = await import("../../upload/upload.ts");
  const metadata = await readMetadata(options.metadata);
  const lists = await readDigestLists(options);
  const local = await filesBelow(folder, given({ skipOthers: options.skipOthers }));
  sayFound(output, folder, local);
  await requireListedFiles(folder, local, lists.digests);
  const sending: Sending = {
    folder,
    local,
    ...(await openUpload({ client, output }, { local, metadata, lists }, options)),
  };
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  let compared: Sending["upload"] | undefined;
  try {
    const digests = await sendFolder({ client, output }, sending, stop.signal);
    stop.signal.throwIfAborted();
    compared = await compareUpload(client, sending.upload, digests);
    stop.signal.throwIfAborted();
  } catch (error) {
    const kept = isKept(again(options, sending.upload));
    if (!stop.signal.aborted) throw isUnreachable(error) ? new Failure(3, [...error.lines, kept], error) : error;
    output.note(kept);
    process.exitCode = INTERRUPTED;
    return;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
  if (compared === undefined) throw changed(sending.upload);
  const submission = await submit(client, requestFor(compared, { metadata, lists }, options)).catch(
    (error: unknown) => {
      if (problemOf(error)?.code === "upload_changed") throw changed(compared, error as Failure);
      throw isUncertain(error) ? uncertain(error, again(options, compared)) : error;
    },
  );
  output.data(submission);
  output.say(show`${OK} Accepted as ${styled("bold", submission.id)}`);
  await followAccepted({ client, output }, submission, options);
}

/** How to run the command so that it continues an upload. */
function again({ new: isNew, upload }: UploadOptions, { id }: { id: string }): string {
  return isNew && upload === undefined ? `the same command again with --upload ${id}` : "the same command again";
}

function isKept(command: string): Shown {
  return show`Nothing was submitted. What has arrived is kept for two weeks. To send the rest, run ${command}.`;
}

/**
 * Refuses to send again what was just submitted, most often because the same command was run again.
 * @throws Failure that names the submission
 */
async function refuseRepeated(client: Client, wanted: Wanted): Promise<void> {
  const { submittedBefore } = await import("../../upload/submitted-before.ts");
  const found = await submittedBefore(client, wanted);
  if (found === undefined) return;
  const { id, status, createdAt } = found;
  const what = "has the same metadata and lists, and files with the same paths and sizes. Nothing was sent.";
  const next =
    status === "waiting"
      ? [
          show`  ${NEXT} It waits. To see why: ${commandName()} status ${id}`,
          show`  ${NEXT} To send corrected files instead: ${commandName()} cancel ${id}`,
        ]
      : [show`  ${NEXT} To see it: ${commandName()} status ${id}`];
  throw new Failure(
    1,
    [
      show`${FAILED} The submission ${id}, accepted ${moment(createdAt)}, ${what}`,
      ...next,
      show`  ${NEXT} To submit this folder in addition, for example because contents have changed, add --new`,
    ],
    { data: { submittedBefore: { id, status, createdAt } } },
  );
}

function isUnreachable(error: unknown): error is Failure {
  return error instanceof Failure && error.exitCode === 3;
}

function sayFound(output: Output, folder: string, { files, bytes, skipped, emptyFolders }: LocalFiles): void {
  output.say(show`${folder}: ${several(files.length, "file")}, ${size(bytes)}`);
  if (skipped.length > 0) output.note(show`${WARNING} Left out: ${several(skipped.length, "entry", "entries")}`);
  for (const entry of skipped) output.note(show`    ${entry}`);
  if (emptyFolders.length === 0) return;
  const are = emptyFolders.length === 1 ? "is" : "are";
  output.note(show`${WARNING} ${several(emptyFolders.length, "folder")} without files ${are} not part of the dataset`);
  for (const line of namedEntries(emptyFolders)) output.note(show`  ${line}`);
}

/** The upload that is continued, or a new one, after the service has found the rest of the request valid. */
async function openUpload(
  { client, output }: { client: Client; output: Output },
  { local, ...stated }: { local: LocalFiles } & Stated,
  options: UploadOptions,
): Promise<Pick<Sending, "upload" | "known">> {
  const { findUpload } = await import("../../upload/existing-upload.ts");
  const { upload: named } = options;
  const isNew = options.new === true && named === undefined;
  const { metadata, lists } = stated;
  const names = lists.digests?.map(({ key, name }) => key ?? name ?? "");
  if (!isNew && named === undefined)
    await refuseRepeated(client, { local, metadata, lists: names, dataset: options.dataset });
  const found = isNew ? undefined : await findUpload(client, local, named);
  const wish = options.notify === undefined ? {} : { body: { notify: { email: options.notify } } };
  const empty = await askAboutMetadata(client.ask(client.api.POST("/uploads", wish)));
  const remove = () => client.ask(client.api.DELETE("/uploads/{id}", { params: { path: { id: empty.id } } }));
  await tryRequest(client, requestFor(empty, stated, options)).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  if (found === undefined) return { upload: empty, known: new Map() };
  await remove();
  await client.ask(client.api.PATCH("/uploads/{id}", { params: { path: { id: found.upload.id } }, ...wish }));
  const { id, receivedBytes, fileCount, expiresAt } = found.upload;
  output.say(show`Continuing the upload ${id}, which has ${size(receivedBytes)} of ${several(fileCount, "file")}`);
  // Earlier releases of the service have no parts.
  const parts = found.upload.parts?.count ?? 0;
  if (parts > 0)
    output.note(
      show`${WARNING} Another program has sent ${several(parts, "part")} of files that are not joined. Join or delete them before you submit`,
    );
  if (expiresAt !== null)
    output.say(show`  The service keeps it until ${expiresAt.slice(0, 10)}, and for two weeks after each byte`);
  return found;
}

/** What the user has written about the files. */
interface Stated {
  metadata: unknown;
  lists: Awaited<ReturnType<typeof readDigestLists>>;
}

type SubmitRequest = ReturnType<typeof requestFor>;

/** @param upload as it was when its files were compared: if they are changed after that, the submission is refused */
function requestFor(
  { id, revision }: { id: string; revision?: number },
  { metadata, lists }: Stated,
  { dataset, notify, reserveDoi }: UploadOptions,
) {
  return {
    // The service checks it.
    metadata: metadata as components["schemas"]["Metadata"],
    // Earlier releases of the service state no revision.
    upload: { id, ...given({ revision }) },
    ...lists,
    ...(dataset !== undefined && { dataset: { id: dataset } }),
    ...(notify !== undefined && { notify: { email: notify } }),
    ...given({ reserveDoi }),
  };
}

function submit(client: Client, body: SubmitRequest) {
  return askAboutMetadata(client.ask(client.api.POST("/submission/upload/s3upload", { body })), body.digests);
}

/**
 * Lets the service check a request before hours are spent on sending. It names an empty upload, which cannot be submitted and is refused
 * only after metadata, dataset and quota were checked.
 * @throws Failure for anything else that is refused
 */
async function tryRequest(client: Client, body: SubmitRequest): Promise<void> {
  await submit(client, body).catch((error: unknown) => {
    if (problemOf(error)?.code !== "upload_empty") throw error;
  });
}

function changed({ id }: { id: string }, refusal?: Failure): Failure {
  return new Failure(
    1,
    [
      show`${FAILED} Another program has changed the upload ${id}: it no longer has exactly the files of the folder. Nothing was submitted.`,
      show`  ${NEXT} When no other program changes it, run the same command again with --upload ${id}: it sends what is`,
      show`    missing, and removes from the upload what is not in the folder.`,
    ],
    { data: refusal?.data, cause: refusal },
  );
}

/** @param command that continues the upload */
function uncertain(timeout: Failure, command: string): Failure {
  const find = show`  The service may have accepted the submission. To find it: ${commandName()} list`;
  const next = show`  If it is not in the list, run ${command}: nothing is sent twice.`;
  return new Failure(3, [...timeout.lines, find, next], { cause: timeout });
}

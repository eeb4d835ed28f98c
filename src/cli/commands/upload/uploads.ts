import type { Command } from "@commander-js/extra-typings";
import { addApiCommand, clientOf, commandName } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure } from "../../terminal/failure.ts";
import { count, moment, several, size } from "../../terminal/numbers.ts";
import { type Column, sayTable } from "../../terminal/table.ts";
import { FAILED, NEXT, OK, show } from "../../terminal/text.ts";
import { getUpload } from "../../upload/existing-upload.ts";
import type { Upload } from "../../upload/upload.ts";

/** `uploads list`, `uploads delete`: uploads that were not submitted. */
export function addUploads(program: Command): void {
  const uploads = program.command("uploads").description("list and delete uploads that were not submitted");
  addUploadsList(uploads);
  addUploadsDelete(uploads);
}

function addUploadsList(uploads: Command): void {
  addApiCommand(uploads, "list", "list your uploads that were not submitted, newest first")
    .addHelpText(
      "after",
      `
To continue an upload, name it: accession upload FOLDER --metadata FILE --upload ID`,
    )
    .action(async (options) => {
      const { client, output } = clientOf(options);
      const uploads = await client.ask(client.api.GET("/uploads"));
      await sayTable(output, uploads, { columns, none: show`You have no uploads` });
    });
}

function addUploadsDelete(uploads: Command): void {
  addApiCommand(uploads, "delete", "delete uploads that were not submitted, with all their files")
    .argument("<id...>", "ids of the uploads")
    .action(async (ids, options) => {
      const { client, output } = clientOf(options);
      const failures: Failure[] = [];
      for (const id of ids) {
        try {
          const { fileCount, receivedBytes } = await deleteUpload(client, id);
          output.data({ id, deleted: true });
          output.say(show`${OK} ${id} is deleted (${several(fileCount, "file")}, ${size(receivedBytes)})`);
        } catch (error) {
          // The others are deleted nevertheless.
          if (!(error instanceof Failure)) throw error;
          failures.push(error);
          output.data({ id, deleted: false, ...(error.data as object | undefined) });
        }
      }
      const [first, ...others] = failures;
      if (first === undefined) return;
      const lines = [first, ...others].flatMap((failure) => failure.lines);
      throw new Failure(first.exitCode, lines, { cause: first });
    });
}

/** @returns the upload as it was @throws Failure */
async function deleteUpload(client: Client, id: string): Promise<Upload> {
  const upload = await getUpload(client, id);
  if (upload.submission !== null)
    throw new Failure(1, [
      show`${FAILED} The upload ${id} belongs to the submission ${upload.submission}. The service deletes it some minutes after that has ended`,
      show`  ${NEXT} To see the submission: ${commandName()} status ${upload.submission}`,
    ]);
  await client.ask(client.api.DELETE("/uploads/{id}", { params: { path: { id } } }));
  return upload;
}

const columns: readonly Column<Upload>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "created", cell: ({ createdAt }) => moment(createdAt), dispensable: 2 },
  { title: "expires", cell: ({ expiresAt }) => (expiresAt === null ? "" : moment(expiresAt)) },
  { title: "files", cell: ({ fileCount }) => count(fileCount), side: "right" },
  { title: "incomplete", cell: ({ incompleteFiles }) => count(incompleteFiles), side: "right", dispensable: 1 },
  { title: "arrived", cell: ({ receivedBytes }) => size(receivedBytes), side: "right" },
  { title: "of", cell: ({ bytes }) => size(bytes), side: "right", dispensable: 3 },
];

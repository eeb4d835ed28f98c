import type { Command } from "@commander-js/extra-typings";
import { addApiCommand, clientOf } from "../../api-command.ts";
import { count, moment, several, size } from "../../terminal/numbers.ts";
import { type Column, sayTable } from "../../terminal/table.ts";
import { OK, show } from "../../terminal/text.ts";
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
      for (const id of ids) {
        const upload = await getUpload(client, id);
        await client.ask(client.api.DELETE("/uploads/{id}", { params: { path: { id } } }));
        output.data({ id, deleted: true });
        output.say(show`${OK} ${id} is deleted (${several(upload.fileCount, "file")}, ${size(upload.receivedBytes)})`);
      }
    });
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

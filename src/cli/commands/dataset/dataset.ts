import type { Command } from "@commander-js/extra-typings";
import type { Dataset, DatasetEntry, DatasetFile } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf, DATASET, datasetPath, VERSION, versionQuery } from "../../api-command.ts";
import { STANDARD_OUTPUT, save } from "../../client/download.ts";
import { count, moment, several, size } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, sayPages } from "../../terminal/table.ts";
import { FAILED, show, styled } from "../../terminal/text.ts";
import { addListCommand, sayList } from "../submission/list.ts";
import { addDatasetMetadata } from "./dataset-metadata.ts";

/** `dataset list`, `dataset show`, `dataset get`: list datasets, show one, and download its files; and its metadata. */
export function addDataset(program: Command): void {
  const dataset = program
    .command("dataset")
    .description("list datasets, show a dataset, download its files, and change its metadata");
  addListVerb(dataset);
  addShow(dataset);
  addGet(dataset);
  addDatasetMetadata(dataset);
}

function addListVerb(dataset: Command): void {
  addListCommand(dataset, "list datasets with their latest version, newest first")
    .addHelpText(
      "after",
      `
Examples:
  accession dataset list --q barley
  accession dataset list --updated-after 2026-11-01T00:00:00Z --json`,
    )
    .action(async (options) => {
      await sayList({
        ...options,
        columns: entries,
        read: (client, query) => client.api.GET("/dataset", { params: { query } }),
        none: show`No datasets match`,
      });
    });
}

const entries: readonly Column<DatasetEntry>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "version", cell: ({ version, withdrawn }) => (withdrawn === null ? version : "withdrawn"), side: "right" },
  { title: "archived", cell: ({ publishedAt }) => moment(publishedAt), dispensable: 1 },
  { title: "objects", cell: ({ objects }) => count(objects), side: "right", dispensable: 2 },
  { title: "size", cell: ({ bytes }) => size(bytes), side: "right", dispensable: 3 },
  { title: "title", cell: ({ title }) => title, fills: true },
];

function addShow(dataset: Command): void {
  addApiCommand(dataset, "show", "show a dataset")
    .addOption(VERSION)
    .addArgument(DATASET)
    .option("--files", "also list its files (in JSON: only its files, one per line)")
    .action(async (id, { files, ...options }) => {
      const { client, output } = clientOf(options);
      const query = versionQuery(options);
      const found = await client.ask(client.api.GET("/dataset/{id}", { params: { path: { id }, query } }));
      if (files !== true) output.data(found);
      output.say(styled("bold", found.title), { hang: 0 });
      output.say(show`  ${found.identifier}`);
      for (const { version, identifier, publishedAt, objects, bytes, submission } of found.versions) {
        const by = submission === null ? "" : `, submission ${submission}`;
        const as = identifier === found.identifier ? "" : `, ${identifier}`;
        output.say(
          show`  version ${version}, ${moment(publishedAt)}: ${several(objects, "object")}, ${size(bytes)}${by}${as}`,
          { hang: 4 },
        );
      }
      if (found.audit !== null) sayAudit(output, found.audit);
      if (files !== true) return;
      const pages = client.pages((page) =>
        client.api.GET("/dataset/{id}/files", { params: { path: { id }, query: { ...query, ...page } } }),
      );
      await sayPages(output, pages, columns);
    });
}

function addGet(dataset: Command): void {
  addApiCommand(dataset, "get", "download a file of a dataset, or a folder as a ZIP archive")
    .addOption(VERSION)
    .addArgument(DATASET)
    .argument("<path>", "path of a file as in “accession dataset show --files”, or of a folder")
    .option(
      "--output <file>",
      "file to write; - for standard output (default: the name of the file); existing files are not overwritten",
    )
    .addHelpText(
      "after",
      `
Examples:
  accession dataset get urn:uuid:7f3c9c1e-… data/plots.csv
  accession dataset get urn:uuid:7f3c9c1e-… data/images/ --output images.zip`,
    )
    .action(async (id, path, { output: target, datasetVersion, ...options }) => {
      const { client, output } = clientOf(options);
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      const name = (answer: Response) => nameOf(path, isPacked(answer));
      await save(client, datasetPath(id, `/files/${encoded}`, datasetVersion), target ?? name, output);
    });
}

function sayAudit(output: Output, { at, ok, findings }: NonNullable<Dataset["audit"]>): void {
  const found = ok ? styled("green", "no defects") : styled("red", `${several(findings.length, "defect")}`);
  output.say(show`  last audit ${moment(at)}: ${found}`);
  for (const { path, detail } of findings) output.say(show`  ${FAILED} ${path || "."}: ${detail}`, { hang: 4 });
}

/** Whether the response is a ZIP archive of a folder, which has no ranges. */
function isPacked({ headers }: Response): boolean {
  return headers.get("accept-ranges") === "none";
}

/** Returns a safe file name from the last part of a path. */
function nameOf(path: string, packed: boolean): string {
  const last = path.replace(/\/$/, "").split("/").at(-1) ?? "";
  const name = packed ? `${last}.zip` : last;
  return name === STANDARD_OUTPUT || /[\\\p{Cc}]|^\.{0,2}$/u.test(name) ? "file" : name;
}

const columns: readonly Column<DatasetFile>[] = [
  { title: "size", cell: ({ bytes }) => size(bytes), side: "right" },
  { title: "verified by", cell: ({ verifiedBy }) => verifiedBy ?? "", dispensable: 1 },
  { title: "path", cell: ({ path }) => path },
];

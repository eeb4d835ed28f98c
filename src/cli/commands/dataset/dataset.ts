import type { Command } from "commander";
import type { Dataset, DatasetEntry, DatasetFile } from "../../../../packages/client/src/index.ts";
import {
  addApiCommand,
  addVersionOption,
  type Common,
  clientOf,
  DATASET,
  datasetPath,
  type OfVersion,
} from "../../api-command.ts";
import { STANDARD_OUTPUT, save } from "../../client/download.ts";
import { count, moment, several, size } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { sayPages } from "../../terminal/table.ts";
import { show, styled } from "../../terminal/text.ts";
import { addListOptions, type ListOptions, sayList } from "../submission/list.ts";
import { addDatasetMetadata } from "./dataset-metadata.ts";

interface ShowOptions extends Common, OfVersion {
  files?: boolean;
}

interface GetOptions extends Common, OfVersion {
  output?: string;
}

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
  addListOptions(addApiCommand(dataset, "list", "list datasets with their latest version, newest first"))
    .addHelpText(
      "after",
      `
Examples:
  accession dataset list --q barley
  accession dataset list --updated-after 2026-11-01T00:00:00Z --json`,
    )
    .action(async (options: ListOptions) => {
      await sayList({
        ...options,
        columns: entries,
        read: (client, query) => client.api.GET("/dataset", { params: { query } }),
        none: show`No datasets match`,
      });
    });
}

const entries = [
  { title: "id", cell: ({ id }: DatasetEntry) => id },
  {
    title: "version",
    cell: ({ version, withdrawn }: DatasetEntry) => (withdrawn === null ? String(version) : "withdrawn"),
    side: "right" as const,
  },
  { title: "archived", cell: ({ publishedAt }: DatasetEntry) => moment(publishedAt), dispensable: 1 },
  { title: "objects", cell: ({ objects }: DatasetEntry) => count(objects), side: "right" as const, dispensable: 2 },
  { title: "size", cell: ({ bytes }: DatasetEntry) => size(bytes), side: "right" as const, dispensable: 3 },
  { title: "title", cell: ({ title }: DatasetEntry) => title, fills: true as const },
];

function addShow(dataset: Command): void {
  addVersionOption(addApiCommand(dataset, "show", "show a dataset"))
    .argument(...DATASET)
    .option("--files", "also list its files (in JSON: only its files, one per line)")
    .action(async (id: string, { files, datasetVersion, ...options }: ShowOptions) => {
      const { client, output } = clientOf(options);
      const query = datasetVersion === undefined ? {} : { version: datasetVersion };
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
  addVersionOption(addApiCommand(dataset, "get", "download a file of a dataset, or a folder as a ZIP archive"))
    .argument(...DATASET)
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
    .action(async (id: string, path: string, { output: target, datasetVersion, ...options }: GetOptions) => {
      const { client, output } = clientOf(options);
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      const name = (answer: Response) => nameOf(path, isPacked(answer));
      await save(client, datasetPath(id, `/files/${encoded}`, datasetVersion), target ?? name, output);
    });
}

function sayAudit(output: Output, { at, ok, findings }: NonNullable<Dataset["audit"]>): void {
  const found = ok ? styled("green", "no defects") : styled("red", `${several(findings.length, "defect")}`);
  output.say(show`  last audit ${moment(at)}: ${found}`);
  for (const { path, detail } of findings)
    output.say(show`  ${styled("red", "✗")} ${path || "."}: ${detail}`, { hang: 4 });
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

const columns = [
  { title: "size", cell: ({ bytes }: DatasetFile) => size(bytes), side: "right" as const },
  { title: "verified by", cell: ({ verifiedBy }: DatasetFile) => verifiedBy ?? "", dispensable: 1 },
  { title: "path", cell: ({ path }: DatasetFile) => path },
];

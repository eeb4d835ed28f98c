import { mkdtemp, rename, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { uuidOf } from "../../../domain/uuid.ts";
import { addApiCommand, clientOf, DATASET, datasetPath, VERSION } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import {
  download,
  exportWait,
  requireOutsideArchive,
  STANDARD_OUTPUT,
  save,
  withTemporary,
} from "../../client/download.ts";
import { Failure, reasonOf } from "../../terminal/failure.ts";
import { several } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { OK, show } from "../../terminal/text.ts";

/** Formats that contain all files. The service defines the others. */
const PACKAGES = ["bagit", "ro-crate"];

/** `export`: exports a dataset or its metadata. */
export function addExport(program: Command): void {
  addApiCommand(program, "export", "export a dataset as a package, or its metadata")
    .addOption(VERSION)
    .addArgument(DATASET)
    .requiredOption("--format <format>", "bagit or ro-crate (with all files), or a metadata format (see below)")
    .option(
      "--output <path>",
      "file to write; for bagit and ro-crate a folder, or a ZIP archive if it ends in .zip; - for standard output",
    )
    .addHelpText(
      "after",
      `
Metadata formats: bibtex, croissant, csl, datacite-json, datacite-xml, dcat,
dublin-core, ris, schema-org. Without --output, metadata is written to standard
output, and a package to a ZIP archive in the working directory. If --output is
a folder, it must not exist. The export temporarily needs twice the disk space,
because it downloads the ZIP archive first.

Examples:
  accession export urn:uuid:7f3c9c1e-… --format bibtex
  accession export urn:uuid:7f3c9c1e-… --format bagit --output barley-bag`,
    )
    .action(async (dataset, { format, output: target, datasetVersion: version, ...options }) => {
      const { client, output } = clientOf(options);
      const path = datasetPath(dataset, `/export/${encodeURIComponent(format)}`, version);
      if (!PACKAGES.includes(format)) return void (await save(client, path, target ?? STANDARD_OUTPUT, output));
      const name = version === undefined ? idOf(dataset) : `${idOf(dataset)}-v${version}`;
      const place = target ?? `${name}.${format}.zip`;
      if (place === STANDARD_OUTPUT || place.endsWith(".zip")) {
        return void (await save(client, path, place, output, exportWait(output)));
      }
      await exportFolder(client, path, place, { output, below: format === "bagit" ? `${idOf(dataset)}/` : "" });
    });
}

/** Downloads and unpacks a package. The folder appears only when it is complete. */
async function exportFolder(
  client: Client,
  path: string,
  folder: string,
  { output, below }: { output: Output; below: string },
): Promise<void> {
  if ((await stat(folder).catch(() => undefined)) !== undefined) {
    throw new Failure(2, show`${folder} already exists. An export needs a new folder.`);
  }
  await requireOutsideArchive(folder);
  const whole = resolve(folder);
  const aside = await mkdtemp(join(dirname(whole), `.${basename(whole)}-`)).catch((error: unknown) => {
    throw new Failure(2, show`${folder} cannot be created: ${reasonOf(error)}`);
  });
  await withTemporary(aside, async () => {
    const zip = join(aside, "package.zip");
    const { bytes } = await download(client, path, zip, output, exportWait(output));
    const { unpack } = await import("../../client/unpack.ts");
    const files = await unpack(zip, join(aside, "whole"), below);
    await rename(join(aside, "whole"), whole);
    output.data({ output: folder, files, bytes });
    output.say(show`${OK} ${folder} (${several(files, "file")})`);
  });
}

function idOf(dataset: string): string {
  return uuidOf(dataset).replace(/[^0-9A-Za-z-]/g, "_");
}

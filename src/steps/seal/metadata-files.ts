import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type InventoryWriter, writeSidecar } from "../../../packages/ocfl/src/index.ts";
import { syncFile, writeDurably } from "../../archive/folder/durable-writes.ts";
import { contentOf, inventoryOf } from "../../archive/versions.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { dataciteJson } from "../../describe/formats/datacite/datacite.ts";
import { dataciteXml } from "../../describe/formats/datacite/datacite-xml.ts";
import type { VersionFacts } from "../../describe/version-facts.ts";
import { datasetUrn } from "../../domain/uuid.ts";

/** A version of the OCFL object that is being written. */
interface Target {
  folder: string;
  ocflVersion: number;
  inventory: InventoryWriter;
}

/** Paths of the files that describe a dataset. */
export const CRATE = "ro-crate-metadata.json";
const DATACITE_XML = "metadata/datacite.xml";
const DATACITE_JSON = "metadata/datacite.json";
const SUBMISSION = "metadata/submission.json";
const FIELDS = "metadata/fields-";

/** Writes the files that describe the dataset, except its RO-Crate, and adds them to the inventory. */
export async function writeMetadata(target: Target, facts: VersionFacts, row: SubmissionRow): Promise<void> {
  const { folder, ocflVersion, inventory } = target;
  const { datasetId: id, version, revision } = facts;
  // The schemas of the operator's fields have files of their own.
  const { fieldSchemas, ...metadata } = facts.metadata;
  const submission = {
    submission: { id: row.id, attempt: row.attempt, acceptedAt: row.created_at.toISOString() },
    dataset: { id, version, ...(revision !== undefined && { revision }), identifier: datasetUrn(id) },
    metadata,
    source: facts.source,
  };
  const files: Record<string, string> = {
    [DATACITE_XML]: dataciteXml(facts),
    [DATACITE_JSON]: `${JSON.stringify(dataciteJson(facts), null, 2)}\n`,
    [SUBMISSION]: `${JSON.stringify(submission, null, 2)}\n`,
    ...fieldFiles(metadata.fields, fieldSchemas),
  };
  for (const [path, text] of Object.entries(files)) {
    const file = metadataFile(ocflVersion, path);
    await inventory.add({ ...file, sha512: await writeDurably(join(folder, file.contentPath), text) });
  }
}

/** The values of each group of the operator's fields, and the schema that defines them, as it was configured. */
function fieldFiles(
  fields: VersionFacts["metadata"]["fields"] = {},
  schemas: VersionFacts["metadata"]["fieldSchemas"] = {},
): Record<string, string> {
  return {
    ...fileForEach(fields, ".json", (values) => `${JSON.stringify(values, null, 2)}\n`),
    ...fileForEach(schemas, ".schema.json", (text) => text),
  };
}

function fileForEach<T>(
  groups: Record<string, T>,
  ending: string,
  write: (group: T) => string,
): Record<string, string> {
  const files = Object.entries(groups).map(([name, group]) => [`${FIELDS}${name}${ending}`, write(group)]);
  return Object.fromEntries(files);
}

/** The logical path of a file of the package, and where a version of the OCFL object stores it. */
export function metadataFile(ocflVersion: number, path: string): { path: string; contentPath: string } {
  return { path, contentPath: `${contentOf(ocflVersion)}/${path}` };
}

/**
 * Writes the inventory in the object's root and its equal copy in the version (OCFL 1.1, section 3.5.1).
 * @param about.message why the version exists
 * @param about.address of the service
 * @returns its SHA-512
 */
export async function writeInventories(
  { folder, ocflVersion, inventory }: Target,
  facts: VersionFacts,
  about: { message: string; created: string; address: string },
): Promise<string> {
  const root = join(folder, "inventory.json");
  const { sha512 } = await inventory.write(root, {
    id: datasetUrn(facts.datasetId),
    version: ocflVersion,
    created: about.created,
    message: about.message,
    user: { name: facts.publisher.name, address: about.address },
  });
  await writeSidecar(root, sha512);
  const copy = join(folder, inventoryOf(ocflVersion));
  await copyFile(root, copy);
  await syncFile(copy);
  await writeSidecar(copy, sha512);
  return sha512;
}

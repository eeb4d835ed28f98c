import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JSONWebKeySet } from "jose";
import { readPublicationRecords } from "../../../src/archive/archived-records.ts";
import { objectFolder } from "../../../src/archive/layout.ts";
import { FolderReader } from "../../../src/archive/reader.ts";
import type { TestedDataset, TestedVersion } from "./tested-dataset.ts";

/**
 * Checks the publication records of a version in the archive: valid signatures, an unbroken chain, the digests of the
 * inventories in the archive, and a newest record that states the present.
 */
export async function checkRecords(
  { archive, keys }: { archive: string; keys: JSONWebKeySet },
  { dataset, version }: { dataset: TestedDataset; version: TestedVersion },
  // biome-ignore lint/suspicious/noExplicitAny: the view of the publication.
  view: any,
  expect: (holds: boolean, detail: string) => void,
): Promise<void> {
  const of = `version ${version.number} of ${dataset.id}`;
  const folder = `ocfl/${objectFolder(`urn:uuid:${dataset.id}`)}`;
  const all = await readPublicationRecords({
    reader: new FolderReader(archive),
    folder,
    dataset: dataset.id,
    keys,
  }).catch((error) => {
    expect(false, `the records of ${dataset.id} are invalid: ${String(error)}`);
    return [];
  });
  const records = all.filter(({ record }) => record.dataset.version === version.number);
  const isPublished = version.visibility !== "hidden";
  expect(records.length > 0 === isPublished, `${of} is ${version.visibility}, and has ${records.length} records`);
  for (const [index, { record }] of records.entries()) {
    const before = records[index - 1];
    const previous = before === undefined ? undefined : sha512(before.jws);
    expect(record.number === index + 1, `the records of ${of} have the number ${record.number} after ${index}`);
    expect(record.previous === previous, `record ${record.number} of ${of} names another previous record`);
    expect(record.identifier === view.identifier, `record ${record.number} of ${of} has another identifier`);
    const { path, sha512: stated } = record.digests.inventory;
    const inventory = await readFile(join(archive, folder, path), "utf8").catch(() => "");
    expect(sha512(inventory) === stated, `record ${record.number} of ${of} names another digest of ${path}`);
    const isReviewed = record.digests.reviewed === view.reviewedSha512;
    expect(isReviewed, `record ${record.number} of ${of} names another reviewed digest`);
  }
  const last = records.at(-1)?.record;
  if (last === undefined) return;
  const { state, title, access, conceptDoi } = last;
  const isCurrent = state === view.state && title === version.title && access === version.access;
  expect(isCurrent, `the newest record of ${of} states ${state}, ${access}, ${title}`);
  const concept = view.conceptDoi === null ? undefined : `https://doi.org/${view.conceptDoi}`;
  expect(conceptDoi === concept, `the newest record of ${of} has the concept DOI ${conceptDoi}, not ${concept}`);
  expect(records[0]?.record.digests.inventory.sha512 === view.reviewedSha512, `${of} was published with other bytes`);
}

function sha512(text: string): string {
  return createHash("sha512").update(text).digest("hex");
}

import { join } from "node:path";
import type { JSONWebKeySet } from "jose";
import { type RegularFiles, type ReportFinding, walk } from "../../../packages/ocfl/src/index.ts";
import { datasetUrn } from "../../domain/uuid.ts";
import type { RecordKind } from "../../publication/rules/publication.ts";
import { isRecordName, recordDigest, recordName } from "../receipts/publication-record.ts";
import { verifyPublicationRecord, verifyReviewRecord } from "../receipts/signing.ts";
import type { ServiceCode } from "./codes.ts";

/** A record has at most 200 entries of some kB. */
const RECORD_BYTES = 16 << 20;

/** What precedes the first record of a version. */
const BEGINNING = { version: 0, number: 0, sha512: undefined };

const VERIFY = { publication: verifyPublicationRecord, review: verifyReviewRecord };

/**
 * Checks the signed records of one kind in the logs of an object: signatures, names, and that each one names the one before.
 * Reports EL02 for a record that is missing between others, EL03 for other files, EL05 for invalid records.
 *
 * @param of.id of the object: `urn:uuid:` and the id of the dataset
 * @param of.keys without them no signature is checked
 */
export async function checkRecords(
  files: RegularFiles,
  { kind, id, keys }: { kind: RecordKind; id: string | undefined; keys: JSONWebKeySet | undefined },
  report: ReportFinding<ServiceCode>,
): Promise<void> {
  const names: string[] = [];
  for await (const { path, kind: type } of walk(join(files.folder, "logs", kind), () => undefined)) {
    if (type === "file" && isRecordName(path)) names.push(path);
    else report("EL03", `logs/${kind}/${path}`, `The file is not a ${kind} record`);
  }
  // Undefined after an invalid record: the next one cannot be compared.
  let before: { version: number; number: number; sha512: string | undefined } | undefined = BEGINNING;
  for (const name of names.toSorted(inOrder)) {
    const path = `logs/${kind}/${name}`;
    const jws = (await files.text(path, RECORD_BYTES)) ?? "";
    const verified = await VERIFY[kind](jws, keys);
    if (!verified.ok) {
      report("EL05", path, verified.detail);
      before = undefined;
      continue;
    }
    const { dataset, number, previous } = verified.record;
    if (datasetUrn(dataset.id) !== id || recordName(dataset.version, number) !== name) {
      report("EL05", path, `The record is number ${number} of version ${dataset.version} of ${dataset.id}`);
    }
    if (before !== undefined) {
      const last = before.version === dataset.version ? before : BEGINNING;
      const missing = `logs/${kind}/${recordName(dataset.version, number - 1)}`;
      if (number > last.number + 1) report("EL02", missing, `The record is missing; ${path} follows it`);
      else if (previous !== last.sha512) report("EL05", path, "The record does not name the one before");
    }
    before = { ...dataset, number, sha512: recordDigest(jws) };
  }
}

/** Orders names by version and number. */
function inOrder(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

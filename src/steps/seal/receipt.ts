import {
  type ComparedLists,
  type Drift,
  deletionVerdict,
  type Receipt,
  truncateReceipt,
} from "../../archive/receipts/receipt.ts";
import { signReceipt } from "../../archive/receipts/signing.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { VersionFacts } from "../../describe/version-facts.ts";
import { areaOf } from "../../domain/source-access/upload-place.ts";
import { datasetUrn } from "../../domain/uuid.ts";
import type { StepContext } from "../context.ts";
import type { Contents } from "./contents.ts";
import { MANIFEST } from "./contents.ts";

/** Creates the signed receipt: what the package contains and how it was verified. */
export async function issueReceipt(
  context: StepContext,
  row: SubmissionRow,
  made: {
    facts: VersionFacts;
    contents: Contents;
    digestLists: ComparedLists | undefined;
    drift: Drift[];
    inventory: Receipt["digests"]["inventory"];
  },
): Promise<string> {
  const { facts, contents, drift } = made;
  const now = new Date().toISOString();
  const receipt = truncateReceipt({
    submission: { id: row.id, attempt: row.attempt },
    dataset: { id: facts.datasetId, version: facts.version, identifier: datasetUrn(facts.datasetId) },
    title: row.title,
    source: facts.source,
    counts: { listed: row.objects_listed, stored: contents.stored, excluded: contents.excluded },
    bytes: contents.bytes,
    verified: contents.verified,
    exclusions: contents.exclusions,
    drift,
    ...(made.digestLists && { digestLists: made.digestLists }),
    ...(contents.changes && { changes: contents.changes }),
    digests: {
      sourceManifest: { path: MANIFEST, sha512: contents.manifest.sha512 },
      inventory: made.inventory,
    },
    firstReadAt: row.first_read_at?.toISOString() ?? now,
    lastReadAt: row.last_read_at?.toISOString() ?? now,
    issuedAt: now,
    issuer: { publisher: context.publisher.name, url: context.publicUrl() },
    ...deletionVerdict({
      excluded: contents.excluded,
      drifted: row.drift_total,
      verified: contents.verified,
      notRead: row.objects_unchanged,
      selection: facts.source.selection,
      isUpload: areaOf(row) !== undefined,
    }),
  });
  return signReceipt({ ...receipt, driftTotal: row.drift_total }, context.signingKey);
}

import { doiAttributes } from "../describe/formats/datacite/doi-attributes.ts";
import { registrationViolations, type SchemaViolation } from "../describe/formats/datacite/schema-violations.ts";
import { type VersionFacts, versionUrl } from "../describe/version-facts.ts";
import { datasetUrn } from "../domain/uuid.ts";

export type { SchemaViolation } from "../describe/formats/datacite/schema-violations.ts";

/**
 * Validates the record that would be registered for a version if it were published today.
 *
 * @param facts with the dates of the publication
 * @param doi undefined if none is chosen yet
 */
export async function violationsIfPublished(
  facts: VersionFacts & { url: string },
  doi: string | undefined,
): Promise<readonly SchemaViolation[]> {
  const url = versionUrl(facts.url, facts.version);
  return registrationViolations(doi ?? datasetUrn(facts.datasetId), doiAttributes(facts, { url }));
}

import { createHash } from "node:crypto";
import { doisOf } from "../../db/publication/dois.ts";
import { type PublicationRow, publicationsOf } from "../../db/publication/publications.ts";
import {
  conceptAttributes,
  type DoiAttributes,
  type DoiPublication,
  doiAttributes,
} from "../../describe/formats/datacite/doi-attributes.ts";
import { registrationViolations } from "../../describe/formats/datacite/schema-violations.ts";
import { Problem } from "../../domain/problems.ts";
import type { StepContext } from "../../steps/context.ts";
import { CONCEPT } from "../rules/doi.ts";
import { publicationFacts } from "../service/publication-facts.ts";

/** What a DOI must state. */
export interface DoiMetadata {
  url: string;
  attributes: DoiAttributes;
  sha256: string;
}

/** A DOI's dataset and version; {@link CONCEPT} stands for all versions. */
export interface DoiSubject {
  dataset_id: string;
  version: number;
}

/**
 * What the DOI of a version, or the concept DOI of a dataset, must state now.
 *
 * @param registering a version that is being registered, and counts as published
 * @returns undefined if no version is or was published
 */
export async function doiMetadataOf(
  context: StepContext,
  subject: DoiSubject,
  registering?: PublicationRow,
): Promise<DoiMetadata | undefined> {
  const all = (await publicationsOf(context.db, subject.dataset_id)).map((row) =>
    row.version === registering?.version ? registering : row,
  );
  const described = all.filter((row) => row.published_at !== null || row === registering);
  if (subject.version !== CONCEPT) {
    const row = described.find(({ version }) => version === subject.version);
    if (row === undefined) return undefined;
    const url = `${datasetUrl(context, row)}?version=${row.version}`;
    return withDigest(url, doiAttributes(await publicationFacts(context, row), publicationOf(row, url)));
  }
  // The rows are in order, newest version first. While a later version is being registered, the published one describes the
  // dataset. If all versions are withdrawn, the newest one does.
  const newest =
    described.find(({ state }) => state === "published") ??
    described.find((row) => row === registering) ??
    described[0];
  if (newest === undefined) return undefined;
  const url = datasetUrl(context, newest);
  const first = described
    .map((row) => row.published_at ?? row.announced_at ?? new Date())
    .reduce((one, other) => (one < other ? one : other));
  const dois = new Map((await doisOf(context.db, subject.dataset_id)).map((doi) => [doi.version, doi]));
  const versions = described.flatMap(({ version }) =>
    dois.get(version)?.state === "findable" ? (dois.get(version)?.doi ?? []) : [],
  );
  const facts = await publicationFacts(context, newest);
  // The year of a citation of the dataset does not change with a later version.
  const publication = { ...facts.publication, issued: first.toISOString().slice(0, 10) };
  const attributes = conceptAttributes({ ...facts, publication }, publicationOf(newest, url), versions.reverse());
  return withDigest(url, attributes);
}

/** Validates a record against DataCite's schema before it is sent. @throws Problem `datacite_schema` */
export async function requireValid(doi: string, { attributes }: DoiMetadata): Promise<void> {
  const violations = await registrationViolations(doi, attributes);
  if (violations.length === 0) return;
  const named = violations.map(({ property, message }) => (property === null ? message : `${property}: ${message}`));
  throw new Problem("datacite_schema", `The record of the DOI ${doi} was not sent. ${named.join(" ")}`);
}

function withDigest(url: string, attributes: DoiAttributes): DoiMetadata {
  return { url, attributes, sha256: createHash("sha256").update(JSON.stringify(attributes)).digest("hex") };
}

function datasetUrl({ publication }: StepContext, { dataset_id }: DoiSubject): string {
  return `${publication.baseUrl()}/dataset/${dataset_id}`;
}

function publicationOf({ withdrawn_at, withdrawn_reason }: PublicationRow, url: string): DoiPublication {
  return {
    url,
    ...(withdrawn_at !== null && {
      withdrawn: { day: withdrawn_at.toISOString().slice(0, 10), reason: withdrawn_reason ?? "" },
    }),
  };
}

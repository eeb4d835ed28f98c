import type { AccessKind } from "../../../packages/rules/src/index.ts";
import { collectionsById } from "../../db/collections/collections.ts";
import { lastAudit } from "../../db/datasets/audits.ts";
import { accountCheck } from "../../db/publication/doi-account.ts";
import { doisOf } from "../../db/publication/dois.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import { type SchemaViolation, violationsIfPublished } from "../../export/registered-record.ts";
import { type CheckFinding, checkForPublication } from "../../publication/rules/checks.ts";
import { publicationDates } from "../../publication/rules/dates.ts";
import { FileFactsCollector } from "../../publication/rules/file-facts.ts";
import type { HttpContext } from "../context.ts";
import { exportInputOf, metadataOf } from "./export-input.ts";
import { filesOf } from "./files.ts";
import type { Version } from "./readable-version.ts";

/** The findings of the automatic checks for a version, if it were published with the access of this row. */
export async function checksOf(
  context: HttpContext,
  version: Version,
  { access, embargo_date: embargoDate, state, agreement, collections }: PublicationRow,
): Promise<CheckFinding[]> {
  const { registersDois, agreements } = context.publication;
  const audit = await lastAudit(context.db, version.dataset.id);
  const { metadata } = await metadataOf(context, version);
  const { facts: files, mediaTypes } = await fileFactsOf(context, version);
  return checkForPublication({
    metadata,
    files,
    accountProblem: registersDois ? ((await accountCheck(context.db))?.problem ?? null) : null,
    registersDois,
    violations: registersDois ? await violationsOf(context, version, { access, embargoDate, mediaTypes }) : [],
    state,
    agreement,
    agreements,
    excluded: version.submission.objects_excluded,
    auditOk: audit?.ok ?? undefined,
    today: new Date().toISOString().slice(0, 10),
    access,
    embargoDate,
    collections: [...(await collectionsById(context.db, collections)).values()],
  });
}

/** Validates the record that would be registered at DataCite. */
async function violationsOf(
  context: HttpContext,
  version: Version,
  { access, embargoDate, mediaTypes }: { access: AccessKind; embargoDate: string | null; mediaTypes: string[] },
): Promise<readonly SchemaViolation[]> {
  const { facts } = await exportInputOf(context, version);
  const { embargoDate: _, ...metadata } = facts.metadata;
  const doi = (await doisOf(context.db, version.dataset.id)).find((one) => one.version === version.number)?.doi;
  const publication = publicationDates({ publishedAt: null, access, embargoDate, openedOn: null }, new Date());
  return violationsIfPublished({ ...facts, metadata, publication, mediaTypes }, doi);
}

/** Facts about files that were collected last. The files of a version never change. */
const collected = new Map<string, Promise<FileFactsCollector>>();
const MOST_COLLECTED = 1_000;

function fileFactsOf(context: HttpContext, version: Version): Promise<FileFactsCollector> {
  const key = version.submission.id;
  const known = collected.get(key);
  if (known !== undefined) return known;
  const facts = collect(context, version);
  collected.set(key, facts);
  facts.catch(() => collected.delete(key));
  const [oldest] = collected.keys();
  if (collected.size > MOST_COLLECTED && oldest !== undefined) collected.delete(oldest);
  return facts;
}

async function collect(context: HttpContext, version: Version): Promise<FileFactsCollector> {
  const collector = new FileFactsCollector();
  for await (const files of filesOf(context, version, { prefix: "data/" })) {
    for (const { path, bytes, contentType } of files) collector.add(path, bytes, contentType ?? undefined);
  }
  return collector;
}

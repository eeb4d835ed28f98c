import type { FastifyReply, FastifyRequest } from "fastify";
import { collectionsOf } from "../../db/collections/collections.ts";
import { lastAudit } from "../../db/datasets/audits.ts";
import { versionsOf } from "../../db/datasets/datasets.ts";
import { type LandingState, lastPublicChange } from "../../db/publication/landing-state.ts";
import { publicationsOf } from "../../db/publication/publications.ts";
import { newestRecord } from "../../db/publication/records.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { Problem } from "../../domain/problems.ts";
import { addressesOf, readersPages } from "../../public/site/addresses.ts";
import { landingPage } from "../../public/site/landing/landing.ts";
import type { Landing, ShownVersion } from "../../public/site/landing/shown.ts";
import { missingPage } from "../../public/site/missing-page.ts";
import type { Site } from "../../public/site/site.ts";
import { tombstonePage } from "../../public/site/tombstone.ts";
import { isOpen, publicVisibility } from "../../publication/rules/access.ts";
import type { HttpContext } from "../context.ts";
import { accessPage } from "../dataset/closed-files.ts";
import { exportInputOf, lastRevisedAt } from "../dataset/export-input.ts";
import { datasetUrl, requireVersion, type Version } from "../dataset/readable-version.ts";
import { accessOfRow, visibilityOf } from "../dataset/row-visibility.ts";
import { linkHeader, signpostingLinks, withdrawnLinks } from "../dataset/signposting/header.ts";
import { unpackingOf } from "../dataset/unpacking.ts";
import { isIntactFor } from "../dataset/visible-audit.ts";
import { siteScripts } from "../page/site-scripts.ts";
import { readerOf } from "../requests/access.ts";
import { countView } from "../usage/observe-uses.ts";
import { usageOf } from "../usage/usage.ts";
import { changesOf } from "./changes.ts";
import type { Place, Showing } from "./files-page.ts";
import { fewFiles, isFirstPage, MissingFolder, placeOf, queryOf, shownFiles } from "./folder.ts";
import type { RenderedLanding } from "./landing-cache.ts";
import { readmeOf } from "./readme.ts";
import { logRefusedSchemas } from "./refused-schemas.ts";
import { etagOf, languageOf, sendHtml, siteOf } from "./send.ts";
import { tombstoneFor } from "./tombstone.ts";

/** Names of larger datasets are examined when somebody opens the page of the application. */
const EXAMINED = 10_000;

/** The problems that a page with the reason replaces: the dataset, or the publication of the version, was withdrawn. */
const WITHDRAWN: readonly string[] = ["dataset_withdrawn", "publication_withdrawn"];

/** Whether a browser that opens the address of a dataset gets its landing page: a version is published, or was. */
export function hasLandingPage({ publications }: LandingState): boolean {
  return publications.some((row) => visibilityOf(row) !== "none");
}

/**
 * Sends the landing page of a published version: the page to which its DOI leads. A withdrawn version has a page that states
 * what was withdrawn and why (410).
 */
export async function sendLandingPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  state: LandingState,
): Promise<string> {
  // What a signed-in owner may see is not on this page, so that it shows the same to all.
  const { caller } = request;
  request.caller = null;
  request.grant = null;
  const language = languageOf(request);
  const site = siteOf(context, request);
  const { version: named = "" } = request.query as { version?: number };
  const place = placeOf(request);
  const { lang } = request.query as { lang?: string };
  try {
    const render = async (): Promise<RenderedLanding> => {
      const version = await requireVersion(context, request);
      const described = await exportInputOf(context, version);
      const links = await signpostingLinks(context, version, described);
      const reader = readerOf(request);
      const showing: Showing = {
        addresses: addressesOf(described, lang),
        search: (run) => context.limits.search(reply, reader, run),
      };
      const { landing, changedAt } = await landingOf(context, request, version, { described, place, lang, showing });
      const { text, basis } = landingPage(site, { ...landing, language, signposting: links });
      return { text, etag: etagOf(basis), changedAt, link: linkHeader(links), version: version.number };
    };
    const key = [state.id, named, language, lang].join(" ");
    // Other pages of the files are too many to keep, and would displace those of other datasets.
    const page = isFirstPage(place) ? await context.landings.page(key, stateText(site, state), render) : await render();
    countView(context, request, { dataset: state, number: page.version }, caller);
    reply.header("link", page.link);
    return sendHtml(request, reply, page);
  } catch (error) {
    if (error instanceof MissingFolder) {
      const path = `/dataset/${state.id}`;
      const query = named === "" ? "" : `?version=${named}`;
      const missing = {
        kind: "folder" as const,
        name: error.message,
        address: datasetUrl(context, state) + query,
        path: path + queryOf({ query }, place),
      };
      reply.code(404);
      return sendHtml(request, reply, { text: missingPage(site, missing, language) });
    }
    if (!(error instanceof Problem) || !WITHDRAWN.includes(error.code)) throw error;
    reply.code(410);
    const tombstone = await tombstoneFor(context, (request.params as { id: string }).id, error);
    const { dataset, version, identifiers } = tombstone;
    const address = datasetUrl(context, { id: dataset }) + (version === undefined ? "" : `?version=${version}`);
    const signposting = withdrawnLinks(address, identifiers);
    const copy = (await siteScripts(context)).copy?.script;
    reply.header("link", linkHeader(signposting));
    const text = tombstonePage(site, { ...tombstone, signposting, copy }, context.publisher, language);
    return sendHtml(request, reply, { text });
  }
}

/** The state from which a page is rendered, with what time alone decides. */
function stateText({ url }: Site, { publications, ...dataset }: LandingState): string {
  const now = new Date();
  return JSON.stringify([
    url,
    dataset,
    publications.map((row) => [row, publicVisibility(accessOfRow(row), now), isOpen(accessOfRow(row), now)]),
  ]);
}

async function landingOf(
  context: HttpContext,
  request: FastifyRequest,
  version: Version,
  {
    described,
    place,
    lang,
    showing,
  }: { described: ExportInput; place: Place; lang: string | undefined; showing: Showing },
): Promise<{ landing: Omit<Landing, "language" | "signposting">; changedAt: Date }> {
  const { dataset, number, revision } = version;
  const now = new Date();
  logRefusedSchemas(request, dataset.id, described.facts.metadata);
  const [collections, publications, archived, audit, publicAt] = await Promise.all([
    collectionsOf(context.db, dataset.id),
    publicationsOf(context.db, dataset.id),
    versionsOf(context.db, dataset.id),
    lastAudit(context.db, dataset.id),
    lastPublicChange(context.db, dataset.id, now),
  ]);
  const row = publications.find((one) => one.version === number);
  if (row === undefined) throw new Error(`Version ${number} of ${dataset.id} has no publication`);
  const isRegistering = row.state === "registering";
  const areFilesOpen = isOpen({ access: row.access, embargoDate: row.embargo_date }, now);
  const publishedAt = row.published_at ?? row.since;
  const revisedAt = revision?.published_at ?? undefined;
  const versions = archived.flatMap(({ version: one, objects, bytes }): ShownVersion[] => {
    const own = publications.find((other) => other.version === one);
    // A later version that is being registered is not mentioned before it is published.
    if (own === undefined || (own.state !== "published" && one !== number)) return [];
    const { published_at, since, identifier } = own;
    return [{ number: one, publishedAt: published_at ?? since, objects, bytes, identifier }];
  });
  const visible = version.reader.versions ?? [];
  const application = `${context.basePath}/app`;
  const { compare, copy, tools } = await siteScripts(context);
  const landing = {
    described,
    access: areFilesOpen ? ("open" as const) : row.access,
    embargoDate: areFilesOpen ? null : row.embargo_date,
    isRegistering,
    publishedAt,
    revisedAt: lastRevisedAt(version),
    collections: isRegistering ? [] : collections,
    versions,
    changes: await changesOf(context, version, described, publications),
    files: await shownFiles(context, version, place, showing),
    readme: await readmeOf(context, version, place, readersPages(described, lang)),
    few: isFirstPage(place) ? await fewFiles(context, version, described) : [],
    isFirstPage: isFirstPage(place),
    query: queryOf(described, place),
    unpacking:
      areFilesOpen && !isRegistering && version.objects <= EXAMINED ? await unpackingOf(context, version) : undefined,
    audit: audit?.at == null ? undefined : { at: audit.at, isIntact: isIntactFor(audit, archived, visible) },
    links: {
      ask: accessPage(context, dataset.id, number),
      manage: `${application}/datasets/${dataset.id}?version=${number}`,
      edit: `${application}/datasets/${dataset.id}/edit`,
      newVersion: `${application}/new?dataset=${dataset.id}`,
    },
    record: isRegistering ? undefined : await recordAddress(context, described, number),
    usage: shownUsage(await usageOf(context, version)),
    compare,
    copy: copy?.script,
    tools: tools && {
      ...{ script: tools.script, application },
      publication: `${context.basePath}/dataset/${dataset.id}/publication?version=${number}`,
    },
  };
  return {
    landing,
    changedAt: latestOf([
      row.since,
      publicAt,
      revisedAt,
      audit?.at ?? undefined,
      ...collections.map((one) => one.changed_at),
    ]),
  };
}

async function recordAddress(
  { db }: HttpContext,
  { facts }: ExportInput,
  version: number,
): Promise<string | undefined> {
  const record = await newestRecord(db, { dataset_id: facts.datasetId, version, kind: "publication" });
  return record && `${facts.url}/publication-record?version=${version}`;
}

/** Sessions with views and downloads of all versions, by people and programs, as DataCite adds them up. */
function shownUsage(usage: Awaited<ReturnType<typeof usageOf>>): Landing["usage"] {
  if (usage === undefined) return undefined;
  const { regular, machine } = usage.dataset;
  return {
    views: regular.uniqueInvestigations + machine.uniqueInvestigations,
    downloads: regular.uniqueRequests + machine.uniqueRequests,
  };
}

function latestOf(times: readonly (Date | undefined)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}

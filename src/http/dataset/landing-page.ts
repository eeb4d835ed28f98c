import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findDataset } from "../../db/datasets/datasets.ts";
import { publicationsOf } from "../../db/publication/publications.ts";
import { Problem } from "../../domain/problems.ts";
import { publicVisibility } from "../../domain/publication/access.ts";
import { type Agent, type Described, type Summary, summaryOf } from "../../export/described.ts";
import { METADATA_FORMATS } from "../../export/formats.ts";
import { schemaOrg } from "../../export/schema-org.ts";
import type { HttpContext, ProbeContext } from "../context.ts";
import { describedOf } from "./described.ts";
import { accessOfRow } from "./publication.ts";
import { signpostingHeader } from "./signposting.ts";
import { requireVersion, type Version } from "./version.ts";

const STYLE = `body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1.25rem;color:#1c2321;background:#fff}
h1{font-size:1.75rem;line-height:1.25}h2{font-size:1.125rem;margin-top:2rem}a{color:#0b5d48}
.notice{padding:.75rem 1rem;background:#fdf3d8;border-radius:.5rem}.muted{color:#56605c}
.text{white-space:pre-line;overflow-wrap:anywhere}li{margin:.25rem 0}
@media(prefers-color-scheme:dark){body{color:#e8ecea;background:#161b19}a{color:#7fd1b9}.notice{background:#3d3314}.muted{color:#a3ada9}}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Whether a browser that opens the address of a dataset gets its landing page: a version is published, or was. */
export async function hasLandingPage({ db }: Pick<ProbeContext, "db">, id: string): Promise<boolean> {
  const dataset = await findDataset(db, id);
  if (dataset === undefined) return false;
  const now = new Date();
  const publications = await publicationsOf(db, dataset.id);
  return publications.some((row) => row.state === "withdrawn" || publicVisibility(accessOfRow(row), now) !== "none");
}

/**
 * Sends the landing page of a published version: the page to which its DOI leads. It is static HTML without scripts, so that
 * it works in every browser, and for search engines. A withdrawn version has a page with the reason (410).
 */
export async function sendLandingPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  // What a signed-in owner may see is not on this page, so that it shows the same to all.
  request.caller = null;
  reply.type("text/html; charset=utf-8").header("content-security-policy", POLICY).header("vary", "Accept");
  try {
    const version = await requireVersion(context, request);
    const described = await describedOf(context, version);
    reply.header("link", await signpostingHeader(context, version, described));
    return page(described.facts.metadata.title, describeVersion(context, version, described), described);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "dataset_withdrawn") throw error;
    reply.code(410);
    return page("Withdrawn dataset", `<h1>Withdrawn dataset</h1>\n<p class="notice">${escaped(error.message)}</p>`);
  }
}

function describeVersion({ basePath }: HttpContext, version: Version, described: Described): string {
  const summary = summaryOf(described);
  const { facts, query } = described;
  return [
    `<h1>${escaped(summary.title)}</h1>`,
    `<p>${summary.creators.map(person).join("; ")}</p>`,
    `<p class="muted">${escaped(summary.publisher.name)}, ${summary.year}. Version ${escaped(summary.version)}. <a href="${escaped(summary.url)}">${escaped(summary.identifier)}</a></p>`,
    accessNotice(version),
    `<h2>Description</h2>\n<p class="text">${escaped(summary.description)}</p>`,
    ...(summary.keywords.length > 0 ? [`<p class="muted">Keywords: ${escaped(summary.keywords.join(", "))}</p>`] : []),
    `<h2>Licence</h2>\n<p>${licenceOf(summary)}</p>`,
    `<h2>Cite as</h2>\n<p>${escaped(citationOf(summary))}</p>`,
    filesOf(version, described),
    `<h2>Metadata</h2>\n<ul>${Object.keys(METADATA_FORMATS)
      .map((name) => `<li><a href="${escaped(`${facts.url}/export/${name}${query}`)}">${escaped(name)}</a></li>`)
      .join("")}</ul>`,
    `<p class="muted"><a href="${escaped(`${basePath}/app/datasets/${version.dataset.id}?version=${version.number}`)}">Open in the web interface</a> (for owners and curators)</p>`,
  ].join("\n");
}

/** Why the files are closed; empty if they are open. */
function accessNotice({ reader: { noFiles } }: Version): string {
  return noFiles === null ? "" : `<p class="notice">${escaped(noFiles.message)}. ${escaped(noFiles.action)}</p>`;
}

function filesOf(version: Version, { facts, query, downloads }: Described): string {
  const { objects, bytes } = version;
  const size = `${objects.toLocaleString("en")} ${objects === 1 ? "file" : "files"}, ${bytes.toLocaleString("en")} bytes`;
  if (version.reader.noFiles !== null) return `<h2>Files</h2>\n<p>${size}</p>`;
  const links = [
    ...downloads.map(({ url, name }) => `<li><a href="${escaped(url)}">${escaped(name)} (ZIP)</a></li>`),
    `<li><a href="${escaped(`${facts.url}/files${query}`)}">List of files</a></li>`,
  ];
  return `<h2>Files</h2>\n<p>${size}</p>\n<ul>${links.join("")}</ul>`;
}

function person({ name, orcid }: Agent): string {
  return orcid === undefined ? escaped(name) : `<a href="${escaped(orcid)}">${escaped(name)}</a>`;
}

function licenceOf({ licence: { name, url } }: Summary): string {
  return url === undefined || !/^https?:/.test(url)
    ? escaped(name)
    : `<a rel="license" href="${escaped(url)}">${escaped(name)}</a>`;
}

function citationOf({ creators, year, title, version, publisher, url }: Summary): string {
  const names = creators.map(({ name }) => name).join("; ");
  return `${names} (${year}). ${title} (Version ${version}) [Data set]. ${publisher.name}. ${url}`;
}

function page(title: string, content: string, described?: Described): string {
  // “<” is written as an escape, so that no text can end the script element.
  const data = described && JSON.stringify(schemaOrg(described)).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
${data === undefined ? "" : `<script type="application/ld+json">${data}</script>\n`}</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text and attribute values of HTML. Control characters and those that change the text direction are left out. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === "\n" ? character : ""))
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type ExportInput, summaryOf } from "../../describe/formats/export-input.ts";
import { addressPath } from "../../domain/keys-and-paths/path.ts";
import { Problem } from "../../domain/problems.ts";
import { addressesOf, readersPages } from "../../public/site/addresses.ts";
import { isMarkdown } from "../../public/site/markdown/text-renderer.ts";
import { missingPage } from "../../public/site/missing-page.ts";
import { inlineType, MAGIC_BYTES, PREVIEW_BYTES, previewOf } from "../../public/site/preview/content.ts";
import { previewPage } from "../../public/site/preview/page.ts";
import { LANGUAGES } from "../../public/site/site.ts";
import type { HttpContext } from "../context.ts";
import { type DatasetFile, mediaTypeOf } from "../dataset/dataset-file.ts";
import { exportInputOf } from "../dataset/export-input.ts";
import { beginningOf, findFile, isFolder, PAYLOAD } from "../dataset/files.ts";
import { requireFiles, requireVersion, type Version, VersionQuery } from "../dataset/readable-version.ts";
import { safeHeaders, sendStored } from "../dataset/send-file.ts";
import type { Server } from "../fastify.ts";
import { pathOf } from "../routes/dataset/file.ts";
import { DatasetParams, optionalFlag } from "../schemas.ts";
import { countView } from "../usage/observe-uses.ts";
import { languageOf, sendHtml, siteOf } from "./send.ts";

const params = Type.Object({ ...DatasetParams.properties, "*": Type.String() });
const querystring = Type.Object({
  ...VersionQuery,
  lang: Type.Optional(Type.Enum(LANGUAGES)),
  /** Whether the bytes of an image or a PDF are sent, for a browser that shows them. */
  inline: optionalFlag({}),
});

/** Why a page of a file leads to the page of the dataset, which says more: closed files, withdrawn versions and datasets. */
const EXPLAINED_THERE: readonly string[] = [
  "embargoed",
  "not_public",
  "publication_withdrawn",
  "dataset_withdrawn",
] as const;

/** Pages of single files of published datasets, for the public. They are rendered on the server and read only the beginning of a file. */
export function previewPages(server: Server, context: HttpContext): void {
  server.get("/dataset/:id/preview/*", { schema: { hide: true, params, querystring } }, async (request, reply) => {
    // It shows the same to all, as the landing page does.
    const { caller } = request;
    request.caller = null;
    request.grant = null;
    const { id } = request.params;
    const { inline, version: named } = request.query;
    try {
      const version = await requireVersion(context, request);
      requireFiles(version);
      const path = pathOf(request, context.basePath) ?? "";
      const file = path.startsWith(PAYLOAD) ? await findFile(context, version, path) : undefined;
      if (file !== undefined) countView(context, request, { ...version, item: `preview ${path}` }, caller);
      if (inline === true) return await sendInline(context, request, reply, version, file);
      if (file !== undefined) return await sendPage(context, request, reply, version, file);
      return await sendMissing(context, request, reply, version, path);
    } catch (error) {
      if (inline === true || !(error instanceof Problem) || !EXPLAINED_THERE.includes(error.code)) throw error;
      const query = named === undefined ? "" : `?version=${named}`;
      return reply.redirect(`${context.basePath}/dataset/${encodeURIComponent(id)}${query}`, 303);
    }
  });
}

/** On the page of a file, its name is above the headings of its text. */
const ABOVE = 1;

async function sendPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  file: DatasetFile,
): Promise<FastifyReply> {
  const described = await exportInputOf(context, version);
  const language = languageOf(request);
  const head = await beginningOf(context, version, file, PREVIEW_BYTES);
  const path = file.path.slice(PAYLOAD.length);
  const preview = previewOf(path, head, head.length === file.bytes);
  const { lang } = request.query as { lang?: string };
  const addresses = addressesOf(described, lang);
  const pages = readersPages(described, lang);
  const shown = { dataset: version.dataset.id, sha512: file.sha512, path, below: ABOVE, pages };
  const isRendered = preview.kind === "text" && isMarkdown(path);
  const rendered = isRendered ? await context.texts.html(shown, async () => head) : undefined;
  const text = previewPage(
    siteOf(context, request),
    {
      path,
      bytes: file.bytes,
      sha512: file.sha512,
      mediaType: mediaTypeOf(file),
      preview,
      rendered,
      title: summaryOf(described).title,
      addresses: {
        dataset: addresses.folder(""),
        folder: addresses.folder(path.slice(0, path.lastIndexOf("/") + 1)),
        download: addresses.file(path),
        inline: addresses.image(path),
        own: ownPath(described, file),
      },
    },
    language,
  );
  return reply.send(sendHtml(request, reply, { text }));
}

/** The path of the page of a file below the base path. */
function ownPath({ facts, query }: ExportInput, { path }: DatasetFile): string {
  return `/dataset/${facts.datasetId}/preview/${addressPath(path)}${query}`;
}

/** An image or a PDF as the browser shows it. @throws Problem `not_found` if the file is something else */
async function sendInline(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  file: DatasetFile | undefined,
): Promise<FastifyReply> {
  const head = file && (await beginningOf(context, version, file, MAGIC_BYTES));
  const type = head && inlineType(head);
  if (file === undefined || type === undefined) {
    throw new Problem("not_found", "The dataset has no image and no PDF with this path");
  }
  const name = file.path.split("/").at(-1);
  const safe = safeHeaders(name);
  return sendStored(context, request, reply, {
    version,
    file,
    headers: {
      ...safe,
      "content-type": type,
      "content-disposition": (safe["content-disposition"] ?? "").replace(/^attachment/, "inline"),
      // Some browsers show no PDF in a sandbox. Their viewers need none of the sources of a page, and scripts in a PDF have no access
      // to the site.
      ...(type === "application/pdf" && { "content-security-policy": "default-src 'none'; frame-ancestors 'none'" }),
    },
  });
}

/** A folder leads to its page; anything else is not found. */
async function sendMissing(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  path: string,
): Promise<FastifyReply> {
  const described = await exportInputOf(context, version);
  const { lang } = request.query as { lang?: string };
  const addresses = addressesOf(described, lang);
  const folder = path.endsWith("/") ? path : `${path}/`;
  if (folder.startsWith(PAYLOAD) && !folder.includes("\0") && (await isFolder(context, version, folder))) {
    return reply.redirect(addresses.folder(folder.slice(PAYLOAD.length)), 303);
  }
  const own = `/dataset/${version.dataset.id}${described.query}`;
  reply.code(404);
  const name = path.startsWith(PAYLOAD) ? path.slice(PAYLOAD.length) : path;
  const missing = { kind: "file" as const, name, address: addresses.folder("").replace(/#.*/, ""), path: own };
  return reply.send(
    sendHtml(request, reply, { text: missingPage(siteOf(context, request), missing, languageOf(request)) }),
  );
}

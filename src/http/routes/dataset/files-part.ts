import { Type } from "typebox";
import { type ApplicationAddresses, applicationAddresses } from "../../../public/site/addresses.ts";
import { html } from "../../../public/site/html.ts";
import { filesPart, statusOf } from "../../../public/site/landing/files.ts";
import type { ShownFile, ShownFiles } from "../../../public/site/landing/shown.ts";
import { readmePart } from "../../../public/site/preview/readme.ts";
import type { HttpContext } from "../../context.ts";
import { exportInputOf } from "../../dataset/export-input.ts";
import { requireVersion, type Version, VersionQuery } from "../../dataset/readable-version.ts";
import { documented, operation } from "../../operation.ts";
import { readerOf } from "../../requests/access.ts";
import { FilesPartView, FilesQuery, LanguageQuery } from "../../schemas/page-parts.ts";
import { DatasetParams, optionalFlag } from "../../schemas.ts";
import type { Place, Showing } from "../../site/files-page.ts";
import { addedFiles, isFirstPage, listedFiles, MissingFolder, placeOf } from "../../site/folder.ts";
import { readmeOf } from "../../site/readme.ts";
import { languageOf } from "../../site/send.ts";

const EXAMPLE = {
  html: '<section aria-labelledby="files"><h2 id="files">Files</h2><p class="dim">24 files, 2.04 MB</p>…</section>',
  status: "All files: 2 entries",
};

/** Returns the list of files as the page of a version in the application shows it. */
export const datasetFilesPart = operation({
  route: "GET /dataset/:id/page/files",
  operationId: "getFilesPart",
  summary: "Retrieve the list of files for the web page",
  description:
    "Returns a part of the list of files, and the README of the folder, as HTML, for the web page of this service. Programs use `GET /dataset/{id}/files`. Without access to the files, it states their number and size.",
  tag: "Datasets",
  problems: ["dataset_withdrawn", "publication_withdrawn", "archive_unreadable", "content_damaged"],
  params: DatasetParams,
  querystring: Type.Object({
    ...{ ...VersionQuery, ...LanguageQuery, ...FilesQuery },
    added: optionalFlag({
      description: "Whether the files that the archive has added are unfolded. Default: false.",
      examples: [true],
    }),
  }),
  response: {
    200: documented(FilesPartView, { description: "A part of the list.", example: EXAMPLE }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    const { dataset, number, reader } = version;
    const { basePath } = context;
    const at = { basePath, dataset: dataset.id, version: number, isNewest: number === reader.latest };
    const addresses = applicationAddresses(at);
    const place = placeOf(request);
    const caller = readerOf(request);
    const showing = { addresses, search: oneByOne };
    const described = await exportInputOf(context, version);
    const { added, files } = await listed(context, version, place, showing);
    const application = { added, showsAdded: request.query.added === true, seesSource: reader.seesSource };
    const language = languageOf(request);
    const readme = await readmeOf(context, version, place, { of: "application", ...at });
    const part = html`${filesPart({ described, files, application, language })}${readmePart(readme, language)}`;
    return {
      html: part.text,
      status: statusOf(files, language),
    };
    function oneByOne<T>(run: (isOver: () => boolean) => Promise<T>): Promise<T | undefined> {
      return context.limits.search(reply, caller, run);
    }
  },
});

async function listed(
  context: HttpContext,
  version: Version,
  place: Place,
  showing: Showing<ApplicationAddresses>,
): Promise<{ files: ShownFiles; added: ShownFile[] }> {
  const { addresses } = showing;
  try {
    const files = await listedFiles(context, version, place, showing);
    return { files, added: isFirstPage(place) ? await addedFiles(context, version, addresses) : [] };
  } catch (error) {
    if (error instanceof MissingFolder) {
      return { files: { missing: error.message, start: addresses.folder("") }, added: [] };
    }
    throw error;
  }
}

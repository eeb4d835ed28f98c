import { Type } from "typebox";
import { applicationAddresses, type FileAddresses } from "../../../public/site/addresses.ts";
import { filesPart } from "../../../public/site/landing/files.ts";
import type { ShownFile, ShownFiles } from "../../../public/site/landing/shown.ts";
import type { HttpContext } from "../../context.ts";
import { exportInputOf } from "../../dataset/export-input.ts";
import { isUnreadable } from "../../dataset/files.ts";
import { requireVersion, type Version, VersionQuery } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { FilesPartView, FilesQuery, LanguageQuery } from "../../schemas/page-parts.ts";
import { DatasetParams } from "../../schemas.ts";
import { isFirstPage, MissingFolder, ownFiles, type Place, placeOf, shownFiles } from "../../site/folder.ts";
import { languageOf } from "../../site/send.ts";
import { countUse } from "../../usage/observe-uses.ts";

/** Returns the list of files as the page of a version in the application shows it. */
export const datasetFilesPart = operation({
  route: "GET /dataset/:id/page/files",
  operationId: "getFilesPart",
  summary: "Retrieve the list of files for the web page",
  description:
    "Returns a part of the list of files as HTML, for the web page of this service. Programs use `GET /dataset/{id}/files`. Without access to the files, it states their number and size.",
  tag: "Datasets",
  problems: ["dataset_withdrawn", "publication_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object({ ...VersionQuery, ...LanguageQuery, ...FilesQuery }),
  response: {
    200: documented(FilesPartView, { description: "A part of the list.", example: examples.filesPart }),
  },
  handler: async (context, request) => {
    const version = await requireVersion(context, request);
    countUse(request, version, "investigation", "files");
    const { dataset, number, reader } = version;
    const described = await exportInputOf(context, version);
    const page = `${context.basePath}/app/datasets/${dataset.id}`;
    const isNewest = number === reader.latest;
    const addresses = applicationAddresses(described, { page, version: isNewest ? undefined : number });
    const { own, files } = await listed(context, version, placeOf(request), addresses);
    const application = { own, seesSource: reader.seesSource };
    return { html: filesPart({ described, files, application, language: languageOf(request) }).text };
  },
});

async function listed(
  context: HttpContext,
  version: Version,
  place: Place,
  addresses: FileAddresses,
): Promise<{ files: ShownFiles; own: ShownFile[] }> {
  try {
    const files = await shownFiles(context, version, place, addresses);
    return { files, own: isFirstPage(place) ? await ownFiles(context, version, addresses) : [] };
  } catch (error) {
    if (isUnreadable(error)) return { files: "unreadable", own: [] };
    if (error instanceof MissingFolder) {
      return { files: { missing: error.message, start: addresses.folder("") }, own: [] };
    }
    throw error;
  }
}

import { create as disposition } from "content-disposition";
import { Type } from "typebox";
import { contentTypeOf, FORMAT_NAMES, isMetadataFormat, METADATA_FORMATS } from "../../../describe/formats/formats.ts";
import { describe } from "../../dataset/export-input.ts";
import { requireFiles, requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { sendWhole } from "../../dataset/send-path.ts";
import { linkToPage } from "../../dataset/signposting/links.ts";
import { FILE_PROBLEMS } from "../../openapi/codes.ts";
import { descriptionMedia } from "../../openapi/descriptions.ts";
import { acceptRanges, contentDisposition, links } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { sendText } from "../../responses/send-text.ts";
import { DatasetParams } from "../../schemas.ts";
import { countUse } from "../../usage/observe-uses.ts";

const descriptions = descriptionMedia();

/** Exports a dataset: its metadata in a standard format, or a package with all files. */
export const datasetExport = operation({
  route: "GET /dataset/:id/export/:format",
  operationId: "exportDataset",
  summary: "Export a dataset",
  description:
    "`ro-crate` and `bagit` return a ZIP archive with all files, created during the download. The other formats return metadata. `GET /dataset/{id}` returns the metadata formats too, if `Accept` names their media type.",
  tag: "Datasets",
  problems: FILE_PROBLEMS,
  params: Type.Object({
    ...DatasetParams.properties,
    format: Type.Enum(FORMAT_NAMES, { description: "Format of the export.", examples: ["datacite-json"] }),
  }),
  querystring: Type.Object(VersionQuery),
  response: {
    200: documented(Type.String(), {
      description: "The dataset in the requested format.",
      headers: { "Content-Disposition": contentDisposition, Link: links, "Accept-Ranges": acceptRanges },
      json: descriptions.json,
      bytes: ["application/zip", ...descriptions.bytes],
    }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    const { format } = request.params;
    if (!isMetadataFormat(format)) {
      requireFiles(version);
      return sendWhole(context, request, reply, version, format);
    }
    const described = METADATA_FORMATS[format];
    countUse(request, version, "investigation", `metadata ${contentTypeOf(described)}`);
    reply.headers({
      "content-disposition": disposition(`${version.dataset.id}-v${version.number}.${described.extension}`),
      link: linkToPage(context, version, "describes"),
    });
    return sendText(reply, contentTypeOf(described), await describe(context, version, described));
  },
});

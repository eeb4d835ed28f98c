import { Problem } from "../../../domain/problems.ts";
import { sealAddress } from "../../../domain/sealed-address.ts";
import { metadata } from "../../openapi/examples.ts";
import * as examples from "../../openapi/upload-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { unchecked } from "../../requests/validation.ts";
import { TitledFileForm, TitledFileView } from "../../schemas/upload.ts";
import { requireTitled } from "../../upload/areas.ts";
import { lengthOfBody } from "../../upload/tus-headers.ts";

/** Receives one file of a dataset (local mode of the web client of e!DAL-PGP). */
export const datasetFileUpload = operation({
  route: "POST /submission/upload/dataset",
  operationId: "uploadDatasetFile",
  summary: "Send a file of a dataset",
  description:
    "Receives one file of a dataset from a multipart form, as the web client of e!DAL-PGP sends it in its local mode. The files of a caller with the same `title` in `metaData` are one upload, also if the requests arrive at the same time. `POST /submission/publication/publish` submits it. A file with the same path replaces the earlier one. A file is complete and durable when the response is sent.\n\nThe web client does not show errors. Therefore every file that does not arrive completely is remembered, also if the connection or the service breaks off: the next request to submit is refused, and names it. More than 16 requests of a caller at once wait for each other, and those beyond 80 are refused.\n\nOther clients can resume files and state digests: see docs/how-to/uploads.md.",
  tag: "Submitting",
  config: { streamed: true, waiting: true },
  options: unchecked,
  problems: [
    "uploads_off",
    "quota_exceeded",
    "too_many_uploads",
    "upload_too_many_files",
    "upload_changed",
    "no_space",
    "archive_unwritable",
  ],
  consumes: ["multipart/form-data"],
  body: withExample(TitledFileForm, {
    file: "test",
    metaData: JSON.stringify(metadata),
    path: `${metadata.title}/plots`,
  }),
  response: {
    200: documented(TitledFileView, { description: "The file has arrived.", example: examples.titledFile }),
  },
  handler: async (context, request) => {
    const titled = requireTitled(context);
    if (!request.isMultipart()) throw new Problem("unsupported_media_type", "A file is sent as multipart/form-data");
    const { owner, email } = callerOf(request);
    const { vault, sendsMail } = context.intake;
    const work = titled.receive({
      owner,
      contentType: request.headers["content-type"] ?? "",
      isFromWindows: /\bWindows NT\b/.test(request.headers["user-agent"] ?? ""),
      body: request.raw.iterator({ destroyOnReturn: false }),
      bytes: lengthOfBody(request.headers),
      seal: (area) => (sendsMail && email !== undefined ? sealAddress(vault, area, email) : undefined),
    });
    // What has arrived completely is recorded also if the client disconnects.
    request.work = work;
    const { area: upload, path, bytes, sha512 } = await work;
    return { upload, path, bytes, sha512 };
  },
});

import { Type } from "typebox";
import { Notify } from "../../intake/request.ts";
import {
  closedObject,
  count,
  flag,
  list,
  object,
  optionalFlag,
  optionalInteger,
  optionalText,
  text,
  textOrNull,
  time,
  timeOrNull,
  uuid,
} from "./basics.ts";

const AREA = "5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60";

const PartsView = object("UploadParts", "Parts of files that were sent and not joined.", {
  count: count("Number of parts."),
  bytes: count("Size of all of them together, in bytes."),
});

/** An upload area. */
export const UploadView = object(
  "Upload",
  "Files that are sent to the service, to become the source of a submission.",
  {
    id: uuid("Id of the upload."),
    files: text("Address to which tus clients send files."),
    batch: text("Address to which many small files are sent in one request."),
    fileCount: count("Number of files."),
    bytes: count("Size of all files and parts together, in bytes."),
    receivedBytes: count("Bytes that have arrived."),
    incompleteFiles: count("Number of files that have not arrived completely."),
    parts: PartsView,
    revision: count("Becomes larger when a file is added, completed or removed. A submission can state it."),
    submission: textOrNull("Id of the submission that reads the files; null while files can be added."),
    createdAt: time("When it was created."),
    expiresAt: timeOrNull("When it is deleted unless something is sent before; null if it belongs to a submission."),
  },
);

/** The body of a request that creates an upload. */
export const UploadWish = closedObject("UploadWish", "Who is told before the upload expires.", {
  notify: Type.Optional(Notify),
});

export const UploadFileView = object("UploadFile", "A file of an upload.", {
  path: text("Path of the file, which becomes its key; empty for a part that was not joined."),
  bytes: count("Size of the whole file, in bytes."),
  receivedBytes: count("Bytes that count. The last one counts when the whole file was compared with its SHA-512."),
  sha512: textOrNull("SHA-512 that the client has stated, in hex; null without one."),
  digestMismatch: flag("Whether the bytes that arrived last did not have the stated SHA-512, and were removed."),
  completedAt: timeOrNull("When the file was complete, and had the stated SHA-512; null until then."),
  url: text("Address of the file for tus clients."),
});

export const UploadFilesView = object("UploadFiles", "Files of an upload, by path in byte order.", {
  files: list(UploadFileView, "The files."),
  next: textOrNull("`after` of the next page; null on the last one."),
});

export const UploadParams = Type.Object({
  id: Type.String({ format: "uuid", description: "Id of the upload.", examples: [AREA] }),
});

/** The form of a batch. Its parts `path` and `sha512` precede each part `file`. */
export const UploadBatch = Type.Object(
  {
    path: Type.String({ description: "Path of the next file, which becomes its key." }),
    sha512: optionalText({ description: "SHA-512 of the next file in hex, which the service compares." }),
    file: Type.Unsafe<string>({ type: "string", format: "binary", description: "Content of the file; at most 8 MiB." }),
  },
  {
    title: "UploadBatch",
    additionalProperties: false,
    description:
      "Small files: for each of at most 10,000, the parts `path`, `sha512` if it is known, and `file`, in this order.",
  },
);

/** The form of a file that is sent under the title of its dataset, as the web client of e!DAL-PGP sends it. */
export const TitledFileForm = Type.Object(
  {
    file: Type.Unsafe<string>({ type: "string", format: "binary", description: "The file, with its name." }),
    metaData: Type.String({
      description: "Metadata of the dataset as JSON. Files with the same `title` belong to the same dataset.",
    }),
    path: Type.String({
      description:
        "The title, a slash and the folder of the file in the dataset; only the title, or empty, for no folder.",
    }),
  },
  {
    title: "TitledFileForm",
    additionalProperties: false,
    description: "A file with the metadata of its dataset. The parts may have any order.",
  },
);

/** A file that was sent under the title of its dataset. */
export const TitledFileView = object("TitledFile", "A file that is complete and durable.", {
  upload: uuid("Id of the upload that has the file."),
  path: text("Path of the file, which becomes its key."),
  bytes: count("Size of the file, in bytes."),
  sha512: text("SHA-512 of the bytes that have arrived, in hex."),
});

/** The body of a request that submits the files of a title. */
export const TitleToPublish = closedObject("TitleToPublish", "The dataset whose files were sent.", {
  title: Type.String({ maxLength: 2_100, description: "Title of the dataset, as in `metaData`." }),
});

export const UploadFilesQuery = Type.Object({
  after: optionalText({ description: "Path after which the page begins.", examples: ["plots/2025.csv"] }),
  limit: optionalInteger({
    minimum: 1,
    maximum: 1_000,
    default: 1_000,
    description: "Maximum number of files.",
    examples: [100],
  }),
  parts: optionalFlag({
    description: "Whether to list the parts that were not joined, and no files.",
    default: false,
    examples: [true],
  }),
});

export const UploadFileParams = Type.Object({
  ...UploadParams.properties,
  no: Type.String({ description: "Number of the file in the upload.", examples: ["1"] }),
});

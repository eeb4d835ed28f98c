import { Type } from "typebox";
import { SOURCE_CODES } from "../../../domain/problems.ts";
import { preview, RENAME_CODES } from "../../../intake/preview.ts";
import { PreviewRequest, readPreview } from "../../../intake/request.ts";
import { goneSignal } from "../../fastify.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt, callerOf } from "../../requests/access.ts";
import { unchecked } from "../../requests/validation.ts";
import { PreviewDigestsView } from "../../schemas/digests.ts";
import { MetadataFile } from "../../schemas/suggestions.ts";
import { count, flag, list, object, text, UnpackingView } from "../../schemas.ts";

const held = { objects: count("Number of objects."), bytes: count("Total size of the objects in bytes.") };

const ObjectTotals = object("ObjectTotals", "Number and total size of objects.", held);
/** A member of type `ObjectTotals` with its own description. */
const amount = (description: string) => Type.Intersect([ObjectTotals], { description });

const Changes = object("PreviewChanges", "Differences between a new version and the previous one.", {
  since: Type.Integer({ minimum: 1, description: "Number of the previous version." }),
  sameSource: flag(
    "Whether the new version has the same bucket as the previous one and `selection.refetch` is not true. If false, all objects are read.",
  ),
  added: amount("Objects that the previous version does not contain."),
  changed: amount("Objects of the previous version that have changed or may have changed."),
  unchanged: amount("Objects with the same size and ETag as in the previous version. They are not read again."),
  removed: Type.Union([amount("Objects that only the previous version contains."), Type.Null()], {
    description: "Objects that only the previous version contains; null if the listing was not completed.",
  }),
  toRead: amount("Objects to read: added and changed ones. `estimatedSeconds` and `fits` refer to them."),
});
const LargeObject = object("LargeObject", "One of the largest objects.", {
  key: text("Key of the object."),
  bytes: count("Size in bytes."),
});
const Folder = object("PreviewFolder", "A folder, including its subfolders.", {
  path: text("Common prefix of the keys, with the final slash."),
  ...held,
  leftOut: amount("Objects in the folder that are not selected."),
  foldersComplete: flag(
    "Whether `folders` contains all direct subfolders. False if they exceed the limits of `folders` or the listing was not completed.",
  ),
});
const FileType = object("PreviewFileType", "Objects with the same file extension.", {
  extension: text("File extension in lower case, without the dot; empty for keys without one."),
  ...held,
});
const StorageClass = object(
  "UnreadableStorageClass",
  "A storage class whose objects must be restored before they can be read.",
  { storageClass: text("Name of the storage class on the server."), objects: held.objects },
);
const Renamed = object("RenamedKey", "A key that cannot be a file path and is escaped.", {
  key: text("Key of the object in the bucket."),
  path: text("Logical path in the dataset."),
  reason: text("Human-readable reason."),
  code: Type.Enum([...RENAME_CODES], { description: "Stable code of the reason. Later versions can add codes." }),
});
const PreviewView = object("Preview", "The objects that a submission of the bucket would archive.", {
  complete: flag("Whether the listing was completed within 10 seconds."),
  ...held,
  leftOut: amount("Listed objects that are not selected."),
  largest: list(LargeObject, "Largest objects."),
  folders: list(
    Folder,
    "Folders in the order of their paths, up to three levels deep; at most the first 500 of each level.",
  ),
  foldersComplete: flag(
    "Whether `folders` contains all top-level folders. False if they exceed the limits of `folders` or the listing was not completed.",
  ),
  types: list(FileType, "The 20 file types with the largest total size, largest first."),
  metadataFiles: list(
    MetadataFile,
    "Metadata files at the top level of the selected data, from which `importBucketMetadata` suggests values; at most 10.",
  ),
  unreadableStorageClasses: list(StorageClass, "Storage classes whose objects must be restored first."),
  renamed: list(Renamed, "First keys whose logical path differs from the key."),
  renamedTotal: Type.Integer({ minimum: 0, description: "Number of keys whose logical path differs from the key." }),
  unpacking: UnpackingView,
  fits: flag("Whether the archive currently has enough free space."),
  room: Type.Union([Type.Integer(), Type.Null()], {
    description: "Free space in the archive in bytes; null for object stores, which do not report it.",
  }),
  changes: Type.Optional(Changes),
  digests: Type.Optional(PreviewDigestsView),
  estimatedSeconds: Type.Union([Type.Integer(), Type.Null()], {
    description: "Rough estimate of the transfer time in seconds.",
  }),
  notes: list(Type.String(), "Human-readable notes on content that is not archived."),
});

/** Counts the objects that a submission would archive. */
export const s3preview = operation({
  route: "POST /submission/upload/s3preview",
  operationId: "preview",
  summary: "Preview a submission",
  description:
    "Lists the bucket for at most 10 seconds and counts the selected objects. Nothing is stored. With `digests`, or if the folder has the manifests of a bag, the response states which listed files are missing, and which objects no list names. With `dataset`, the response also compares the bucket with the latest version of that dataset.",
  tag: "Before submitting",
  problems: ["source_timeout", "not_found", "dataset_withdrawn", ...SOURCE_CODES],
  options: unchecked,
  body: withExample(PreviewRequest, examples.check),
  response: { 200: documented(PreviewView, { description: "The preview.", example: examples.preview }) },
  handler: async (context, request, reply) => {
    const asked = readPreview(request.body);
    await callAt(context, request, reply, asked.access.endpoint);
    return preview(context.intake, { ...asked, owner: callerOf(request).owner }, goneSignal(reply));
  },
});

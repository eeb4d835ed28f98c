import { Type } from "typebox";
import { SOURCE_CODES } from "../../domain/problems.ts";
import { preview, RENAME_CODES } from "../../intake/preview.ts";
import { PreviewRequest, readPreview } from "../../intake/request.ts";
import type { HttpContext } from "../context.ts";
import { goneSignal, type Server } from "../fastify.ts";
import { answer, withExample } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { callAt, callerOf } from "../requests/access.ts";
import { unchecked } from "../requests/validation.ts";
import { count } from "../schemas.ts";

const held = { objects: count("How many objects."), bytes: count("Their bytes.") };

const ObjectTotals = Type.Object(held, { title: "ObjectTotals", description: "The number of objects and their size." });
/** A member with a description; all of them share one type name. */
const amount = (description: string) => Type.Intersect([ObjectTotals], { description });

const Changes = Type.Object(
  {
    since: Type.Integer({ minimum: 1, description: "The previous version." }),
    sameSource: Type.Boolean({
      description:
        "False if the bucket differs from that of the previous version, or if `selection.refetch` is true; all objects are read then.",
    }),
    added: amount("Keys that the previous version does not contain."),
    changed: amount("Keys of the previous version whose objects are not known to be unchanged."),
    unchanged: amount("Objects with the size and ETag of the previous version; they are not read again."),
    removed: Type.Union([amount("Keys that only the previous version contains."), Type.Null()], {
      description: "Null if the listing was not completed.",
    }),
    toRead: amount("Added and changed objects; `estimatedSeconds` and `fits` refer to them."),
  },
  { title: "PreviewChanges", description: "Differences between a new version and the previous one." },
);
const LargeObject = Type.Object(
  { key: Type.String({ description: "In the bucket." }), bytes: count("Its size.") },
  { title: "LargeObject", description: "One of the largest objects." },
);
const Folder = Type.Object(
  {
    path: Type.String({ description: "What its keys begin with, the slash included." }),
    ...held,
    leftOut: amount("What lies below it and is not selected."),
    foldersComplete: Type.Boolean({
      description:
        "False where `folders` does not list all folders directly in this one: they exceed its limits, or the listing stopped early.",
    }),
  },
  { title: "PreviewFolder", description: "A folder with all that lies below it." },
);
const FileType = Type.Object(
  {
    extension: Type.String({ description: "In lower case, without the dot; empty for keys without one." }),
    ...held,
  },
  { title: "PreviewFileType", description: "Objects whose keys end alike." },
);
const StorageClass = Type.Object(
  { storageClass: Type.String({ description: "As the server names it." }), objects: held.objects },
  { title: "UnreadableStorageClass", description: "A storage class from which nothing can be read at once." },
);
const Renamed = Type.Object(
  {
    key: Type.String({ description: "In the bucket." }),
    path: Type.String({ description: "What it is called in the dataset." }),
    reason: Type.String({ description: "Why, for people." }),
    code: Type.Enum([...RENAME_CODES], { description: "Stable code of the reason. Later versions can add codes." }),
  },
  { title: "RenamedKey", description: "A key that cannot be a path as it is." },
);
const PreviewView = Type.Object(
  {
    complete: Type.Boolean({ description: "False if the listing was not completed within 10 seconds." }),
    ...held,
    leftOut: amount("Listed objects that are not selected."),
    largest: Type.Array(LargeObject, {
      description: "The largest objects.",
    }),
    folders: Type.Array(Folder, {
      description: "Folders in the order of their paths, three levels deep; the first 500 of each level.",
    }),
    foldersComplete: Type.Boolean({
      description:
        "False where `folders` does not list all folders at the top of the bucket: they exceed its limits, or the listing stopped early.",
    }),
    types: Type.Array(FileType, { description: "The 20 types that hold most bytes, first the largest." }),
    unreadableStorageClasses: Type.Array(StorageClass, {
      description: "Objects that have to be restored first.",
    }),
    renamed: Type.Array(Renamed, {
      description: "The first keys that get another path, and why.",
    }),
    renamedTotal: Type.Integer({ minimum: 0, description: "How many there are in all." }),
    fits: Type.Boolean({ description: "Whether the archive has room for it at present." }),
    room: Type.Union([Type.Integer(), Type.Null()], {
      description: "Bytes that the archive has room for; null where an object store does not say.",
    }),
    changes: Type.Optional(Changes),
    estimatedSeconds: Type.Union([Type.Integer(), Type.Null()], { description: "A rough guess." }),
    notes: Type.Array(Type.String(), { description: "What will not be taken, for people." }),
  },
  { title: "Preview", description: "What a submission of the bucket would take in." },
);

/** What a submission would take in. */
export function s3preview(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3preview",
    {
      ...unchecked,
      config: { problems: ["source_timeout", "not_found", "dataset_withdrawn", ...SOURCE_CODES] },
      schema: {
        operationId: "preview",
        summary: "Count what a submission would take in",
        description:
          "Nothing of the bucket is kept. It takes 10 seconds at most. With `dataset` the answer also says what differs from its latest version.",
        tags: ["Before submitting"],
        body: withExample(PreviewRequest, examples.check),
        response: { 200: answer(PreviewView, { description: "What was counted.", example: examples.preview }) },
      },
    },
    async (request, reply) => {
      const asked = readPreview(request.body);
      await callAt(context, request, reply, asked.access.endpoint);
      return preview(context.intake, { ...asked, owner: callerOf(request).owner }, goneSignal(reply));
    },
  );
}

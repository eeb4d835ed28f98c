import { Type } from "typebox";
import { UNPACKING_REASONS } from "../../domain/keys-and-paths/unpacking.ts";
import { SUMMARY } from "../../domain/submission/summary.ts";
import { DATASET } from "../openapi/examples.ts";
import {
  count,
  flag,
  IdentifierType,
  identifierMembers,
  list,
  nullable,
  object,
  Remark,
  text,
  textOrNull,
  time,
  timeOrNull,
  uuid,
} from "./basics.ts";
import { MetadataSummary, SentMetadata, Shortened, VerifiedBy, Withdrawal } from "./submission.ts";

export const DatasetFileView = object("DatasetFile", "A file of an archived dataset.", {
  path: text("Logical path in the dataset."),
  bytes: count("Size in bytes."),
  sha512: text("SHA-512 in lower-case hexadecimal."),
  contentType: textOrNull("Media type that the source stated; null if none."),
  lastModified: textOrNull("Modification time that the source stated, in ISO 8601; null if none."),
  verifiedBy: nullable(VerifiedBy, "Evidence for the file; null for files that Accession created."),
  verifiedWith: textOrNull("Algorithm of the checksum, such as `crc64nvme` or `submitter-sha256`."),
});

const DifferentName = object("DifferentName", "A file whose name is not possible on every system.", {
  path: text("Logical path in the dataset."),
  reason: Type.Enum([...UNPACKING_REASONS], {
    description: "Stable code of the reason. Later versions can add codes.",
  }),
  other: textOrNull("With `same_name` and `same_name_on_windows`, the other file or folder; null with other reasons."),
  detail: text("Human-readable text: what happens to the file."),
});

export const UnpackingView = object(
  "Unpacking",
  "Names that Windows, macOS or common file systems cannot keep when a package is unpacked.",
  {
    files: count("Number of files whose names are not possible on every system."),
    named: list(DifferentName, "The first of these files, at most 20."),
    examined: count("Number of files whose names were examined: all, or the first ones of a large dataset."),
  },
);

export const VersionView = object("Version", "A version of a dataset.", {
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
  ...identifierMembers("the version"),
  submission: nullable(
    Type.String({ format: "uuid" }),
    "Id of the submission that created the version; null for the public.",
  ),
  publishedAt: time("Time at which the version was archived."),
  objects: count("Number of objects in the version."),
  bytes: count("Total size of the objects in bytes."),
});

const revisionMembers = {
  version: Type.Integer({ minimum: 1, description: "Number of the version that the metadata describe." }),
  revision: Type.Integer({
    minimum: 1,
    description: "Number of the metadata revision; 1 for the metadata of the submission.",
  }),
  changedBy: text(
    "Who sent these metadata; empty if the service has written them again after publication, without a change, with the identifier and the day of publication.",
  ),
  changedAt: time("Time since which they are valid."),
  note: text("Reason for the change; empty if none was given."),
};

export const MetadataRevision = object("MetadataRevision", "A state of the metadata of a version.", revisionMembers);

export const MetadataView = object("DatasetMetadata", "The metadata of a dataset.", {
  ...revisionMembers,
  metadata: SentMetadata,
  normalized: Type.Unknown({ description: "Metadata as they are archived." }),
  warnings: list(Remark, "Suggestions for better metadata."),
});

export const DatasetEntry = object(
  "DatasetEntry",
  "A dataset in a list, described by its latest version. Its size is bounded.",
  {
    id: uuid("Id of the dataset."),
    ...identifierMembers("the latest version"),
    owner: text("Owner of the dataset."),
    title: text(`Title of the latest version, cut to ${SUMMARY.title} characters.`),
    metadata: MetadataSummary,
    version: Type.Integer({ minimum: 1, description: "Number of the latest version." }),
    submission: uuid("Id of the submission that created the latest version."),
    createdAt: time("Time at which the first version was archived."),
    publishedAt: time("Time at which the latest version was archived."),
    updatedAt: time("Time at which a version was last archived, or the dataset was withdrawn."),
    objects: count("Number of objects in the latest version."),
    bytes: count("Total size of these objects in bytes."),
    withdrawn: nullable(Withdrawal, "Set if the dataset was withdrawn. Its content is permanently deleted."),
    shortened: Shortened,
    links: Type.Record(Type.String(), Type.String(), { description: "Paths: `self` and `submission`." }),
  },
);

export const Finding = object("Finding", "A defect of an archived dataset.", {
  code: text("Code of the finding, as in `accession verify`."),
  path: text("Path in the folder of the dataset; empty for the whole dataset."),
  detail: text("Human-readable explanation."),
});

export const AuditView = object("Audit", "The last audit of a dataset, which re-reads its archived files.", {
  at: time("Time of the audit."),
  ok: flag("Whether the audit found no defect."),
  files: count("Number of files that were read. For the public: those of the version."),
  bytes: count("Number of bytes that were read. For the public: those of the version."),
  findings: list(Finding, "Defects; at most the first 100. Empty for the public."),
});

export const TombstoneView = object(
  "Tombstone",
  "The record of a withdrawn dataset, whose content is permanently deleted from the archive.",
  {
    id: uuid("Id of the dataset."),
    ...identifierMembers("the newest version that was published"),
    title: text("Title of the newest version; for the public, of the newest one that was published."),
    authors: list(
      Type.String(),
      "Names of the authors of this version. Empty if they are not known, for example after a rebuild.",
    ),
    identifiers: list(Type.String(), "Identifiers under which versions were published."),
    createdAt: time("Time at which the first version was archived; for the public, the first one that it saw."),
    withdrawnAt: time("Time of the withdrawal."),
    withdrawnBy: textOrNull("Admin who withdrew the dataset; null for the public."),
    reason: text("Reason that the admin stated."),
    removedAt: timeOrNull("Time at which the content was deleted; null until then."),
    versions: list(
      object("WithdrawnVersion", "A version of a withdrawn dataset.", {
        version: Type.Integer({ minimum: 1, description: "Number of the version." }),
        submission: nullable(
          Type.String({ format: "uuid" }),
          "Id of the submission that created the version; null for the public.",
        ),
        publishedAt: time("Time at which the version was archived."),
        publication: nullable(
          object("WithdrawnVersionPublication", "The publication of a version that was withdrawn.", {
            identifier: textOrNull("Identifier under which it was published."),
            identifierType: nullable(IdentifierType),
            publishedAt: time("Time of publication."),
          }),
          "Publication of the version; null if it was not published.",
        ),
        objects: count("Number of objects that the version had."),
        bytes: count("Total size of these objects in bytes."),
        receipt: textOrNull("Path of the receipt; null for the public."),
      }),
      "Versions of the dataset; for the public, only those that were published.",
    ),
  },
);

export const DatasetParams = Type.Object({
  id: Type.String({ description: "Id of the dataset, with or without `urn:uuid:`.", examples: [DATASET] }),
});

import { Type } from "typebox";
import { SUMMARY } from "../../domain/summary.ts";
import { UNPACKING_REASONS } from "../../domain/unpacking.ts";
import { DATASET } from "../openapi/examples.ts";
import { count, IdentifierType, identifierMembers, nullable, Remark, time } from "./basics.ts";
import { MetadataSummary, SentMetadata, Shortened, VerifiedBy, Withdrawal } from "./submission.ts";

export const DatasetFileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    bytes: count("Size in bytes."),
    sha512: Type.String({ description: "SHA-512 in lower-case hexadecimal." }),
    contentType: nullable(Type.String(), "Media type that the source stated; null if none."),
    lastModified: nullable(Type.String(), "Modification time that the source stated, in ISO 8601; null if none."),
    verifiedBy: nullable(VerifiedBy, "Evidence for the file; null for files that Accession created."),
    verifiedWith: nullable(Type.String(), "Algorithm of the checksum, such as `crc64nvme`."),
  },
  { title: "DatasetFile", description: "A file of an archived dataset." },
);

const DifferentName = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    reason: Type.Enum([...UNPACKING_REASONS], {
      description: "Stable code of the reason. Later versions can add codes.",
    }),
    other: nullable(
      Type.String(),
      "With `same_name` and `same_name_on_windows`, the other file or folder; null with other reasons.",
    ),
    detail: Type.String({ description: "Human-readable text: what happens to the file." }),
  },
  { title: "DifferentName", description: "A file whose name is not possible on every system." },
);

export const UnpackingView = Type.Object(
  {
    files: count("Number of files whose names are not possible on every system."),
    named: Type.Array(DifferentName, { description: "The first of these files, at most 20." }),
    examined: count("Number of files whose names were examined: all, or the first ones of a large dataset."),
  },
  {
    title: "Unpacking",
    description: "Names that Windows, macOS or common file systems cannot keep when a package is unpacked.",
  },
);

export const VersionView = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
    ...identifierMembers("the version"),
    submission: nullable(
      Type.String({ format: "uuid" }),
      "Id of the submission that created the version; null for the public.",
    ),
    publishedAt: time("Time at which the version was archived."),
    objects: count("Number of objects in the version."),
    bytes: count("Total size of the objects in bytes."),
  },
  { title: "Version", description: "A version of a dataset." },
);

const revisionMembers = {
  version: Type.Integer({ minimum: 1, description: "Number of the version that the metadata describe." }),
  revision: Type.Integer({
    minimum: 1,
    description: "Number of the metadata revision; 1 for the metadata of the submission.",
  }),
  changedBy: Type.String({
    description:
      "Who sent these metadata; empty if the service has written them again after publication, without a change, with the identifier and the day of publication.",
  }),
  changedAt: time("Time since which they are valid."),
  note: Type.String({ description: "Reason for the change; empty if none was given." }),
};

export const MetadataRevision = Type.Object(revisionMembers, {
  title: "MetadataRevision",
  description: "A state of the metadata of a version.",
});

export const MetadataView = Type.Object(
  {
    ...revisionMembers,
    metadata: SentMetadata,
    normalized: Type.Unknown({ description: "Metadata as they are archived." }),
    warnings: Type.Array(Remark, { description: "Suggestions for better metadata." }),
  },
  { title: "DatasetMetadata", description: "The metadata of a dataset." },
);

export const DatasetEntry = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    ...identifierMembers("the latest version"),
    owner: Type.String({ description: "Owner of the dataset." }),
    title: Type.String({ description: `Title of the latest version, cut to ${SUMMARY.title} characters.` }),
    metadata: MetadataSummary,
    version: Type.Integer({ minimum: 1, description: "Number of the latest version." }),
    submission: Type.String({ format: "uuid", description: "Id of the submission that created the latest version." }),
    createdAt: time("Time at which the first version was archived."),
    publishedAt: time("Time at which the latest version was archived."),
    updatedAt: time("Time at which a version was last archived, or the dataset was withdrawn."),
    objects: count("Number of objects in the latest version."),
    bytes: count("Total size of these objects in bytes."),
    withdrawn: nullable(Withdrawal, "Set if the dataset was withdrawn. Its content is permanently deleted."),
    shortened: Shortened,
    links: Type.Record(Type.String(), Type.String(), { description: "Paths: `self` and `submission`." }),
  },
  {
    title: "DatasetEntry",
    description: "A dataset in a list, described by its latest version. Its size is bounded.",
  },
);

export const Finding = Type.Object(
  {
    code: Type.String({ description: "Code of the finding, as in `accession verify`." }),
    path: Type.String({ description: "Path in the folder of the dataset; empty for the whole dataset." }),
    detail: Type.String({ description: "Human-readable explanation." }),
  },
  { title: "Finding", description: "A defect of an archived dataset." },
);

export const AuditView = Type.Object(
  {
    at: time("Time of the audit."),
    ok: Type.Boolean({ description: "Whether the audit found no defect." }),
    files: count("Number of files that were read. For the public: those of the version."),
    bytes: count("Number of bytes that were read. For the public: those of the version."),
    findings: Type.Array(Finding, { description: "Defects; at most the first 100. Empty for the public." }),
  },
  { title: "Audit", description: "The last audit of a dataset, which re-reads its archived files." },
);

export const TombstoneView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    ...identifierMembers("the newest version that was published"),
    title: Type.String({
      description: "Title of the newest version; for the public, of the newest one that was published.",
    }),
    authors: Type.Array(Type.String(), {
      description: "Names of the authors of this version. Empty if they are not known, for example after a rebuild.",
    }),
    identifiers: Type.Array(Type.String(), { description: "Identifiers under which versions were published." }),
    createdAt: time("Time at which the first version was archived; for the public, the first one that it saw."),
    withdrawnAt: time("Time of the withdrawal."),
    withdrawnBy: nullable(Type.String(), "Admin who withdrew the dataset; null for the public."),
    reason: Type.String({ description: "Reason that the admin stated." }),
    removedAt: nullable(
      Type.String({ format: "date-time" }),
      "Time at which the content was deleted; null until then.",
    ),
    versions: Type.Array(
      Type.Object(
        {
          version: Type.Integer({ minimum: 1, description: "Number of the version." }),
          submission: nullable(
            Type.String({ format: "uuid" }),
            "Id of the submission that created the version; null for the public.",
          ),
          publishedAt: time("Time at which the version was archived."),
          publication: nullable(
            Type.Object(
              {
                identifier: nullable(Type.String(), "Identifier under which it was published."),
                identifierType: nullable(IdentifierType),
                publishedAt: time("Time of publication."),
              },
              { title: "WithdrawnVersionPublication", description: "The publication of a version that was withdrawn." },
            ),
            "Publication of the version; null if it was not published.",
          ),
          objects: count("Number of objects that the version had."),
          bytes: count("Total size of these objects in bytes."),
          receipt: nullable(Type.String(), "Path of the receipt; null for the public."),
        },
        { title: "WithdrawnVersion", description: "A version of a withdrawn dataset." },
      ),
      { description: "Versions of the dataset; for the public, only those that were published." },
    ),
  },
  {
    title: "Tombstone",
    description: "The record of a withdrawn dataset, whose content is permanently deleted from the archive.",
  },
);

export const DatasetParams = Type.Object({
  id: Type.String({ description: "Id of the dataset, with or without `urn:uuid:`.", examples: [DATASET] }),
});

import { Type } from "typebox";
import { SUMMARY } from "../../domain/summary.ts";
import { DATASET } from "../openapi/examples.ts";
import { count, nullable, time } from "./basics.ts";
import { MetadataSummary, Shortened, VerifiedBy, Withdrawal } from "./submission.ts";

export const DatasetFileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    bytes: count("Its size."),
    sha512: Type.String({ description: "In lower-case hex." }),
    contentType: nullable(Type.String(), "As the source named it."),
    lastModified: nullable(Type.String(), "As the source named it, ISO 8601."),
    verifiedBy: nullable(VerifiedBy, "How it was checked against the source; null for what Accession made."),
    verifiedWith: nullable(Type.String(), "Its algorithm."),
  },
  { title: "DatasetFile", description: "A file of an archived dataset." },
);

export const VersionView = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: "Its number." }),
    submission: Type.String({ format: "uuid", description: "Which submission it came from." }),
    publishedAt: time("When it was archived."),
    objects: count("How many it holds."),
    bytes: count("How many it holds."),
  },
  { title: "Version", description: "A version of a dataset." },
);

export const DatasetEntry = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    identifier: Type.String({ description: "`urn:uuid:` and the id." }),
    owner: Type.String({ description: "For whom it was submitted." }),
    title: Type.String({ description: `Of the latest version, at most ${SUMMARY.title} characters of it.` }),
    metadata: MetadataSummary,
    version: Type.Integer({ minimum: 1, description: "Number of the latest version." }),
    submission: Type.String({ format: "uuid", description: "The submission that created the latest version." }),
    createdAt: time("When the first version was archived."),
    publishedAt: time("When the latest version was archived."),
    updatedAt: time("When a version was last archived, or the dataset withdrawn."),
    objects: count("Objects in the latest version."),
    bytes: count("Bytes of these objects."),
    withdrawn: nullable(Withdrawal, "Set when the dataset was withdrawn: then its files are no longer available."),
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
    code: Type.String({ description: "As “accession verify” names it." }),
    path: Type.String({ description: "In the dataset’s folder; empty for the whole of it." }),
    detail: Type.String({ description: "For people." }),
  },
  { title: "Finding", description: "Something that is wrong with an archived dataset." },
);

export const AuditView = Type.Object(
  {
    at: time("When the archived bytes were last read again."),
    ok: Type.Boolean({ description: "Whether everything was as it should be." }),
    files: count("How many were read."),
    bytes: count("How many were read."),
    findings: Type.Array(Finding, { description: "The first 100 things that were wrong." }),
  },
  { title: "Audit", description: "A look at whether an archived dataset is as it should be." },
);

export const TombstoneView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    identifier: Type.String({ description: "`urn:uuid:` and the id." }),
    title: Type.String({ description: "Of the dataset." }),
    createdAt: time("When it was archived."),
    withdrawnAt: time("When it was withdrawn."),
    withdrawnBy: Type.String({ description: "The admin who withdrew it." }),
    reason: Type.String({ description: "Why, as they gave it." }),
    removedAt: nullable(Type.String({ format: "date-time" }), "When its bytes were gone; null until then."),
    versions: Type.Array(
      Type.Object(
        {
          version: Type.Integer({ minimum: 1, description: "Its number." }),
          submission: Type.String({ format: "uuid", description: "Which submission it came from." }),
          publishedAt: time("When it was archived."),
          objects: count("How many it held."),
          bytes: count("How many it held."),
          receipt: Type.String({ description: "Where the receipt is." }),
        },
        { title: "WithdrawnVersion", description: "What is known of a version whose bytes are gone." },
      ),
      { description: "The versions that it had." },
    ),
  },
  { title: "Tombstone", description: "What stays of a dataset that was withdrawn." },
);

export const DatasetParams = Type.Object({
  id: Type.String({ description: "Id of the dataset, also as `urn:uuid:…`.", examples: [DATASET] }),
});

import type { Static } from "typebox";
import type { UploadRequest } from "../../intake/request.ts";

/*
 * Examples of the OpenAPI document. All of them describe the same invented wheat trial with 24 tables. Tests send the
 * example requests to a running service, with a separate bucket.
 */

export const SUBMISSION = "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11";
export const DATASET = "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02";
export const TOKEN = "1f0a7c1d-52b6-4d0c-9a53-0c5b7e2d9f83";

export const metadata = {
  title: "Soil moisture of 24 wheat plots",
  description:
    "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
  authors: [{ role: "Creator", firstName: "Josiah", lastName: "Carberry", orcid: "0000-0002-1825-0097" }],
  language: "en",
  subjects: ["wheat", "irrigation"],
  license: "CC-BY-4.0",
};

export const selection = { prefix: "measurements/", exclude: ["**/.*"] };

export const s3Access = {
  endpoint: "https://s3.example.org",
  region: "eu-central-1",
  bucket: "demo-field-trial",
  accessKey: "DEMOACCESSKEY",
  secretKey: "demo-secret-key-not-a-secret",
};

export const check = { ...s3Access, selection };

export const upload: Static<typeof UploadRequest> = { metadata, s3Access, selection };

export const newCredentials = {
  s3Access: { accessKey: "DEMOACCESSKEY", secretKey: "demo-secret-key-not-a-secret" },
};

export const progress = {
  listingComplete: true,
  objectsListed: 24,
  bytesListed: 2_043_512,
  objectsStored: 24,
  bytesStored: 2_043_512,
  objectsFailed: 0,
  objectsExcluded: 0,
  bytesPerSecond: null,
  secondsLeft: null,
  stalled: null,
};

const self = `/submission/${SUBMISSION}`;

const metadataSummary = {
  ...metadata,
  authorsTotal: 1,
  subjectsTotal: 2,
};

const urn = { identifier: `urn:uuid:${DATASET}`, identifierType: "URN" };

export const accepted = {
  identifier: null,
  identifierType: null,
  reservedDoi: null,
  digests: null,
  id: SUBMISSION,
  status: "accepted",
  attempt: 1,
  title: metadata.title,
  owner: "josiah",
  createdAt: "2026-11-02T08:30:00.000Z",
  updatedAt: "2026-11-02T08:30:00.000Z",
  finishedAt: null,
  metadata,
  source: { endpoint: s3Access.endpoint, region: s3Access.region, bucket: s3Access.bucket, selection },
  progress: { ...progress, listingComplete: false, objectsListed: 0, bytesListed: 0, objectsStored: 0, bytesStored: 0 },
  waiting: null,
  failure: null,
  drift: [],
  target: { id: DATASET, version: 1 },
  dataset: null,
  sourceMayBeDeleted: null,
  statement: null,
  withdrawn: null,
  warnings: [],
  links: { self, files: `${self}/files`, events: `${self}/events` },
};

export const completed = {
  ...accepted,
  ...urn,
  status: "completed",
  updatedAt: "2026-11-02T08:30:04.100Z",
  finishedAt: "2026-11-02T08:30:04.100Z",
  progress,
  dataset: { id: DATASET, version: 1 },
  sourceMayBeDeleted: "yes",
  statement:
    "Every selected object was stored and verified against the source's own digests. Only a part of the bucket was selected (keys that begin with “measurements/” and do not match “**/.*”). No other objects were read. Only current object versions were read, and this archive holds one copy.",
  links: { ...accepted.links, receipt: `${self}/receipt`, dataset: `/dataset/${DATASET}` },
};

const { identifier: _, identifierType: __, reservedDoi: ___, digests: ____, ...listed } = completed;

export const entry = {
  ...listed,
  metadata: metadataSummary,
  driftTotal: 0,
  warningsTotal: 0,
  shortened: false,
};

export const datasetEntry = {
  id: DATASET,
  ...urn,
  owner: completed.owner,
  title: metadata.title,
  metadata: metadataSummary,
  version: 1,
  submission: SUBMISSION,
  createdAt: completed.updatedAt,
  publishedAt: completed.updatedAt,
  updatedAt: completed.updatedAt,
  objects: progress.objectsStored,
  bytes: progress.bytesStored,
  withdrawn: null,
  shortened: false,
  links: { self: `/dataset/${DATASET}`, submission: self },
};

export const cancelled = {
  ...accepted,
  status: "cancelled",
  updatedAt: "2026-11-02T08:30:02.000Z",
  finishedAt: "2026-11-02T08:30:02.000Z",
};

export const file = {
  path: "data/measurements/plot-01.csv",
  key: "measurements/plot-01.csv",
  bytes: 85_146,
  sha512: "4f8d".repeat(32),
  state: "stored",
  verifiedBy: "checksum",
  verifiedWith: "sha256",
  attempts: 1,
  error: null,
};

export const unpacking = {
  files: 1,
  named: [
    {
      path: "data/plots/12:30.csv",
      reason: "forbidden_character",
      other: null,
      detail: "Windows does not allow a character of this name: the file is renamed or missing after unpacking.",
    },
  ],
  examined: 24,
};

const { path, bytes, sha512, verifiedBy, verifiedWith } = file;

export const datasetFile = {
  ...{ path, bytes, sha512, contentType: "text/csv", lastModified: "2026-06-01T06:00:00.000Z" },
  ...{ verifiedBy, verifiedWith },
};

export const event = {
  id: 2,
  at: "2026-11-02T08:30:00.400Z",
  attempt: 1,
  type: "listed",
  message: "Listing completed: 24 objects, 1.9 MiB",
  data: { objects: 24, bytes: 2_043_512 },
};

export const report = {
  ok: true,
  message: "Connection successful",
  steps: [
    {
      name: "address",
      status: "passed",
      detail: "s3.example.org is 203.0.113.7",
      note: "address_resolved",
      values: { host: "s3.example.org", addresses: ["203.0.113.7"] },
      hint: "",
      code: null,
      milliseconds: 2,
    },
    {
      name: "list",
      status: "passed",
      detail: "The bucket lists 24 objects",
      note: "objects_listed",
      values: { objects: 24 },
      hint: "",
      code: null,
      milliseconds: 9,
    },
  ],
  policy: {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: ["s3:ListBucket"], Resource: ["arn:aws:s3:::demo-field-trial"] }],
  },
};

export const preview = {
  complete: true,
  objects: 24,
  bytes: 2_043_512,
  leftOut: { objects: 0, bytes: 0 },
  largest: [{ key: "measurements/plot-01.csv", bytes: 85_146 }],
  folders: [
    { path: "measurements/", objects: 24, bytes: 2_043_512, leftOut: { objects: 0, bytes: 0 }, foldersComplete: true },
  ],
  foldersComplete: true,
  types: [{ extension: "csv", objects: 24, bytes: 2_043_512 }],
  metadataFiles: [{ key: "measurements/CITATION.cff", kind: "cff", bytes: 412 }],
  unreadableStorageClasses: [],
  renamed: [],
  renamedTotal: 0,
  unpacking: { files: 0, named: [], examined: 24 },
  fits: true,
  room: 812_000_000_000,
  estimatedSeconds: 1,
  notes: ["Older versions, tags and access rules of objects are not taken."],
};

export const dataset = {
  id: DATASET,
  ...urn,
  title: metadata.title,
  version: 1,
  createdAt: "2026-11-02T08:30:04.100Z",
  versions: [
    {
      ...{ version: 1, ...urn, submission: SUBMISSION },
      ...{ publishedAt: "2026-11-02T08:30:04.100Z", objects: 24, bytes: 2_043_512 },
    },
  ],
  audit: { at: "2026-11-09T02:00:00.000Z", ok: true, files: 29, bytes: 2_061_344, findings: [] },
  view: "full",
};

export const metadataRevision = {
  version: 1,
  revision: 1,
  changedBy: "josiah",
  changedAt: "2026-11-02T08:30:04.100Z",
  note: "",
};

export const metadataChange = { metadata, note: "Corrected the number of plots" };

export const tombstone = {
  id: DATASET,
  ...urn,
  title: metadata.title,
  authors: ["Carberry, Josiah"],
  identifiers: [`urn:uuid:${DATASET}`],
  createdAt: "2026-11-02T08:30:04.100Z",
  withdrawnAt: "2026-12-01T10:00:00.000Z",
  withdrawnBy: "admin",
  reason: "The owner of the field did not consent",
  removedAt: null,
  versions: dataset.versions.map(({ identifier, identifierType, ...version }) => ({
    ...version,
    publication: { ...urn, publishedAt: "2026-11-03T09:00:00.000Z" },
    receipt: `${self}/receipt`,
  })),
};

export const token = {
  id: TOKEN,
  name: "josiah",
  role: "submitter" as const,
  createdAt: "2026-11-01T12:00:00.000Z",
  expiresAt: "2027-11-01T12:00:00.000Z",
  lastUsedAt: null,
};

export const metadataView = {
  ...metadataRevision,
  metadata,
  normalized: {
    ...metadata,
    license: { spdx: "CC-BY-4.0", name: "Creative Commons Attribution 4.0 International" },
  },
  warnings: [],
};

export const validation = { valid: true, errors: [], warnings: [], normalized: metadataView.normalized };

import type { SmallFile } from "../archive/small-file.ts";
import type { ArchiveStore } from "../archive/store.ts";
import type { Queries } from "../db/database.ts";
import type { Quota } from "../db/submissions/quota.ts";
import type { MetadataImporter } from "../describe/import/metadata-importer.ts";
import type { FieldGroup } from "../describe/metadata/fields/field.ts";
import type { Vault } from "../domain/source-access/vault.ts";
import type { Notifications } from "../platform/database/notifications.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Tracing } from "../platform/telemetry/tracing.ts";
import type { Scratch } from "../source/lists/scratch.ts";
import type { Egress } from "../source/s3/transport/egress.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";

/** Dependencies of the operations that run within a request. */
export interface IntakeContext {
  db: Queries;
  jobs: Jobs;
  /** Of the other processes of the same database, and of this one. */
  notifications: Pick<Notifications, "listen">;
  store: ArchiveStore;
  /** The folder of upload areas; undefined if the service accepts no uploads. */
  uploads: UploadFolder | undefined;
  /** Begins to compare joined files of an upload with their digests, if no process does, and does not wait for it. */
  compareUpload: (area: string) => Promise<void>;
  scratch: Scratch;
  /** The file of the archive with the collections. */
  collections: SmallFile;
  egress: Egress;
  /** Parses metadata files. */
  importer: MetadataImporter;
  vault: Vault;
  quota: Quota;
  /** Maximum number of metadata revisions of a dataset. */
  mostRevisions: number;
  tracing: Tracing;
  /** Whether this service sends e-mail. */
  sendsMail: boolean;
  /** Prefix of the DOIs; undefined if the service registers none. */
  doiPrefix: string | undefined;
  /** Whom roles of submitters must trust; undefined if the service assumes none. */
  rolePrincipal: string | undefined;
  /** Fields of the metadata that the operator has defined. */
  fieldGroups: readonly FieldGroup[];
}

/** Milliseconds after which no further page of a listing is requested while a caller waits. */
export const LISTING_TIME_LIMIT_MS = 10_000;

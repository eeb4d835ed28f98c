import { join } from "node:path";
import { Problem } from "../../domain/problems.ts";
import type { FileSystemLimits } from "../content-path.ts";
import { datasetFolder } from "../layout.ts";
import type { PackageArea, StagingArea } from "../store.ts";
import type { Bucket } from "./bucket.ts";
import type { S3ContentWriterOptions } from "./content-writer.ts";
import { incomingPath, markerPath, type PlannedVersion, stagingPath } from "./layout.ts";
import { S3Package } from "./package.ts";
import { abortUploads } from "./uploads/uploads.ts";
import { requireUnpublished } from "./visibility.ts";

/** The content of a submission's marker. */
interface Marker {
  dataset: string;
  /** Absent in markers of releases that had first versions only. */
  version?: number;
  attempt: number;
  /** Time at which it was discarded, in milliseconds of the epoch; absent while it is in use. */
  discarded?: number;
}

interface StagingOptions {
  limits: FileSystemLimits;
  scratch: string;
  /** See `ArchiveStore.proveSame`. */
  proveSame: () => Promise<void>;
}

/**
 * The staging area in an object store. Content of a first version is stored at its final path, in an object that does not
 * exist yet. Content of a later version is stored beside the storage root.
 */
export class S3Staging implements StagingArea {
  readonly #bucket: Bucket;
  readonly #purpose: PlannedVersion;
  readonly #own: StagingOptions;

  constructor(bucket: Bucket, purpose: PlannedVersion, own: StagingOptions) {
    this.#bucket = bucket;
    this.#purpose = purpose;
    this.#own = own;
  }

  async requireUnpublished(): Promise<void> {
    await this.#own.proveSame();
    await requireUnpublished(this.#bucket, this.#purpose);
  }

  async begin(attempt: number): Promise<void> {
    await this.requireUnpublished();
    const { submission, dataset, version } = this.#purpose;
    const before = await readMarker(this.#bucket, submission);
    if (before?.discarded === undefined && before?.attempt === attempt) return;
    if (before !== undefined && before.attempt > attempt) throw new Problem("wrong_state", "A later attempt has begun");
    await writeMarker(this.#bucket, submission, { dataset, version, attempt });
    await this.#own.proveSame();
    if (before === undefined) return;
    await abortUploads(this.#bucket, version === 1 ? `${datasetFolder(dataset)}/` : stagingPath(submission), "below");
  }

  writerOptions(attempt: number): S3ContentWriterOptions {
    return {
      kind: "s3",
      needsConfirmation: true,
      content: incomingPath(this.#purpose),
      attempt,
      limits: this.#own.limits,
    };
  }

  /** Objects that the store has acknowledged are durable. */
  sync(): Promise<void> {
    return this.#own.proveSame();
  }

  async package(fence: number): Promise<PackageArea> {
    await this.requireUnpublished();
    const folder = join(this.#own.scratch, `package-${this.#purpose.submission}-${fence}`);
    return S3Package.open(
      this.#bucket,
      { ...this.#purpose, fence },
      {
        local: folder,
        requireUnpublished: () => this.requireUnpublished(),
      },
    );
  }
}

export async function readMarker(bucket: Bucket, submissionId: string): Promise<Marker | undefined> {
  const text = await bucket.text(markerPath(submissionId));
  return text === undefined ? undefined : (JSON.parse(text) as Marker);
}

export async function writeMarker(bucket: Bucket, submissionId: string, marker: Marker): Promise<void> {
  await bucket.put(markerPath(submissionId), JSON.stringify(marker));
}

import { join } from "node:path";
import { Problem } from "../../submission/problems.ts";
import type { FileSystemLimits } from "../content-path.ts";
import type { PackageArea, StagingArea } from "../store.ts";
import type { Bucket } from "./bucket.ts";
import { contentPath, objectPath } from "./layout.ts";
import { readMarker, writeMarker } from "./marker.ts";
import { S3Package } from "./package.ts";
import type { S3Receiving } from "./receiver.ts";
import { abortUploads } from "./uploads.ts";
import { requireUnpublished } from "./visible.ts";

/** The staging area in an object store: content gathers at its final place, below an object that is not there yet. */
export class S3Staging implements StagingArea {
  readonly #bucket: Bucket;
  readonly #submission: string;
  readonly #dataset: string;
  readonly #own: { limits: FileSystemLimits; scratch: string };

  constructor(
    bucket: Bucket,
    { submission, dataset }: { submission: string; dataset: string },
    own: { limits: FileSystemLimits; scratch: string },
  ) {
    this.#bucket = bucket;
    this.#submission = submission;
    this.#dataset = dataset;
    this.#own = own;
  }

  requireUnpublished(): Promise<void> {
    return requireUnpublished(this.#bucket, this.#dataset);
  }

  async begin(attempt: number): Promise<void> {
    await this.requireUnpublished();
    const before = await readMarker(this.#bucket, this.#submission);
    if (before?.discarded === undefined && before?.attempt === attempt) return;
    if (before !== undefined && before.attempt > attempt) throw new Problem("wrong_state", "A later attempt has begun");
    await writeMarker(this.#bucket, this.#submission, { dataset: this.#dataset, attempt });
    if (before !== undefined) await abortUploads(this.#bucket, `${objectPath(this.#dataset)}/`, "below");
  }

  receiving(attempt: number): S3Receiving {
    return { kind: "s3", content: contentPath(this.#dataset), attempt, limits: this.#own.limits };
  }

  /** What the store has acknowledged is durable. */
  async sync(): Promise<void> {}

  async package(fence: number): Promise<PackageArea> {
    await this.requireUnpublished();
    const folder = join(this.#own.scratch, `package-${this.#submission}-${fence}`);
    return S3Package.open(this.#bucket, { submission: this.#submission, dataset: this.#dataset, fence }, folder);
  }
}

import type { Code } from "../domain/problems.ts";
import { type AnyAccess, isUpload } from "../domain/source-access/upload-place.ts";
import { AdaptiveConcurrency } from "./s3/reading/adaptive-concurrency.ts";
import { S3Bucket } from "./s3/s3-bucket.ts";
import { S3Source } from "./s3/s3-source.ts";
import { Egress, type EgressOptions } from "./s3/transport/egress.ts";
import type { Source } from "./source.ts";
import { UploadSource } from "./upload/upload-source.ts";

/** Plain data, because threads open their own connections. */
export type SourceOptions = EgressOptions;

const MOST_PACES = 1_000;

/**
 * Opens sources over own connections.
 * @param observer.failed called for every failed request, also if it is retried
 * @param observer.slowed as in {@link Sources}
 */
export function openSources(
  options: SourceOptions,
  observer: { failed: (code: Code) => void; slowed: (endpoint: string) => void },
): Sources {
  return new Sources(new Egress(options, observer.failed), observer.slowed);
}

/** Opens sources. Those of one thread share the connections, and the pace of each endpoint. */
export class Sources {
  readonly #egress: Egress;
  readonly #slowed: (endpoint: string) => void;
  readonly #paces = new Map<string, AdaptiveConcurrency>();

  /** @param slowed called when an endpoint has asked to slow down, so that other threads do the same */
  constructor(egress: Egress, slowed: (endpoint: string) => void = () => undefined) {
    this.#egress = egress;
    this.#slowed = slowed;
  }

  /** Opens a source of any kind. Sends no request. */
  open(access: AnyAccess): Source {
    if (isUpload(access)) return new UploadSource(access);
    const bucket = new S3Bucket(access, this.#egress);
    return new S3Source(bucket, this.#paceOf(bucket.origin.origin));
  }

  /** Another thread was asked by this endpoint to slow down. */
  slowDown(endpoint: string): void {
    this.#paces.get(endpoint)?.slowDown();
  }

  async close(): Promise<void> {
    await this.#egress.close();
  }

  #paceOf(endpoint: string): AdaptiveConcurrency {
    const pace =
      this.#paces.get(endpoint) ??
      new AdaptiveConcurrency(this.#egress.connectionsPerEndpoint, () => this.#slowed(endpoint));
    this.#paces.set(endpoint, pace);
    // Submitters choose endpoints, so their number is limited: the oldest is removed. Reads that use it keep it.
    const [oldest] = this.#paces.keys();
    if (this.#paces.size > MOST_PACES && oldest !== undefined) this.#paces.delete(oldest);
    return pace;
  }
}

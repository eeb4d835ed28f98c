import type { Problem } from "../../domain/problems.ts";
import type { SourceAccess } from "../../domain/source-access/access.ts";
import type {
  Destination,
  ListedObject,
  ListingPage,
  ListingPosition,
  ObjectReading,
  ReadResult,
  Source,
} from "../source.ts";
import { detectAddress } from "./diagnosis/address-detection.ts";
import { listingLoopProblem, type S3ListingPosition } from "./listing/listing.ts";
import { pagesFrom, withoutRepeated } from "./listing/pages.ts";
import type { AdaptiveConcurrency } from "./reading/adaptive-concurrency.ts";
import { readObject } from "./reading/read-object.ts";
import type { S3Bucket } from "./s3-bucket.ts";

/** A bucket as a source of objects. */
export class S3Source implements Source {
  readonly #bucket: S3Bucket;
  readonly #pace: AdaptiveConcurrency;

  /** @param pace shared by all sources at the same endpoint */
  constructor(bucket: S3Bucket, pace: AdaptiveConcurrency) {
    this.#bucket = bucket;
    this.#pace = pace;
  }

  get name() {
    return this.#bucket.origin.host;
  }

  get access(): SourceAccess {
    return this.#bucket.access;
  }

  pages(
    { prefix, position }: { prefix: string | undefined; position: ListingPosition | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<ListingPage> {
    // Recorded positions are those of earlier pages.
    return pagesFrom(this.#bucket, { prefix, position: position as S3ListingPosition | undefined }, signal);
  }

  unknown(page: ListingPage, known: readonly Pick<ListedObject, "key" | "bytes" | "etag">[]): ListedObject[] {
    return withoutRepeated(this.#bucket, page, known);
  }

  loopProblem(): Problem {
    return listingLoopProblem(this.#bucket);
  }

  read(reading: ObjectReading, destination: Destination, rangeBytes?: number): Promise<ReadResult> {
    return readObject({ ...reading, source: this.#bucket, pace: this.#pace }, destination, rangeBytes);
  }

  async probe(options: { prefix: string | undefined; signal: AbortSignal }): Promise<void> {
    await detectAddress(this.access, this.#bucket.egress, options);
  }
}

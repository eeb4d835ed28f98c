import type { Problem } from "../domain/problems.ts";
import type { AnyAccess } from "../domain/source-access/upload-place.ts";
import type { DigestResult, StatedDigests } from "./reading/digests.ts";
import type { Flow } from "./reading/flow.ts";

/** One object as a source lists it. */
export interface ListedObject {
  key: string;
  bytes: number;
  /** Identifies the state of the object, as the source states it; null if the source states none. */
  etag: string | null;
  /** Form of ISO 8601. Replaces a missing `etag` where two listings are compared. */
  lastModified: string | null;
  storageClass: string | null;
}

/** The position at which a listing continues. Plain data that survives a restart; only the source understands the rest. */
export interface ListingPosition {
  pages: number;
}

export interface ListingPage {
  objects: ListedObject[];
  /** Undefined after the last page. */
  next: ListingPosition | undefined;
}

/** An object to read. */
export interface ObjectReading {
  object: ListedObject;
  signal: AbortSignal;
  /** The owner for the limit on concurrent requests. */
  owner: string;
  /** Digests of the object that the submitter has stated: lower-case hex by algorithm, strongest first. */
  stated?: Readonly<Record<string, string>> | undefined;
  /** Notified of requests and received bytes. */
  flow?: Flow;
}

/** Metadata that the source sent with an object's bytes. */
export interface ResponseMetadata {
  versionId?: string;
  contentType?: string;
  contentEncoding?: string;
  checksums?: Record<string, string>;
  /** By lower-case names. */
  userMetadata?: Record<string, string>;
  /** The bytes of the values whose text had to be chosen among several that these bytes can mean, in Base64. */
  userMetadataBytes?: Record<string, string>;
}

export interface ReadResult {
  verdict: DigestResult;
  responseMetadata: ResponseMetadata;
}

/** Receives an object's bytes in any order, each at its position. */
export interface Destination {
  /**
   * Number of bytes, from the first, that an earlier try of the same object (bytes, ETag) has left here. They are
   * hashed again, but not read again.
   */
  readonly kept: number;
  /** A read begins. `kept` bytes stay; all other written bytes are void. */
  begin(offers: StatedDigests, kept: number): void;
  write(at: number, chunk: Uint8Array): void;
  /** All bytes before this position are written. */
  reached(place: number): void;
  /** Waits until the bytes below a position can be written; undefined if they can be now. Called before they are requested. */
  waitForCapacity?(place: number): Promise<void> | undefined;
  /** To be called after the last byte. Whether the bytes match the digests of the source. */
  verdict(): Promise<DigestResult>;
}

/**
 * Where the objects of a submission are. A source is only read, never changed, so everything may be repeated, by several
 * threads and machines at the same time, and after a restart.
 *
 * - The state of an object is identified by key, size and `etag`. A read returns the bytes of the listed state or fails
 *   with `object_changed` or `object_gone`; it never mixes two states.
 * - A listing is complete or fails: what could hide an object is refused (`listing_invalid`, `listing_loop`).
 * - A `Problem` about an object (`object_…`) concerns only that object. Any other is about the source as a whole. What is
 *   `retryable` has been tried several times already. An abort throws the reason of the signal.
 */
export interface Source {
  /** For messages: who is asked. Contains nothing confidential. */
  readonly name: string;
  /** Plain data from which another thread can open the same source. Contains the credentials. */
  readonly access: AnyAccess;
  /**
   * The pages of the listing from a position on. The next page is requested while one is processed, so a caller that leaves
   * early aborts the signal. An entry that a page repeats from the previous one is left out.
   */
  pages(
    from: { prefix: string | undefined; position: ListingPosition | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<ListingPage>;
  /**
   * The objects of a page that are not in the known ones.
   * @throws Problem `listing_invalid` if a known one has another size or ETag; `listing_loop` if none is new although
   * more pages follow
   */
  unknown(page: ListingPage, known: readonly Pick<ListedObject, "key" | "bytes" | "etag">[]): ListedObject[];
  /** The Problem for a listing that repeats itself, which its reader has found out. */
  loopProblem(): Problem;
  /**
   * Reads one object. Every digest that the source states is compared; one that does not match is reported in the verdict,
   * not thrown. The rest of an interrupted read is requested again.
   *
   * @param rangeBytes larger objects are read in several ranges of this size concurrently
   */
  read(reading: ObjectReading, destination: Destination, rangeBytes?: number): Promise<ReadResult>;
  /** Resolves if the source answers and can be listed. @throws Problem that names the obstacle */
  probe(options: { prefix: string | undefined; signal: AbortSignal }): Promise<void>;
}

import type { S3Client } from "@aws-sdk/client-s3";
import { Problem } from "../../domain/problems.ts";
import type { Lease } from "../lease.ts";
import type { S3Location } from "./layout.ts";
import type { Sdk } from "./sdk.ts";
import { isMissing, storageProblem, wasRepeated } from "./storage-problem.ts";

/** A command of the SDK whose requests can be intercepted. */
interface Stacked {
  middlewareStack: {
    addRelativeTo(
      middleware: (next: (args: never) => unknown) => (args: never) => Promise<unknown>,
      options: { relation: "after"; toMiddleware: string; name: string },
    ): void;
  };
}

/**
 * Sends requests to the archive's bucket and turns refusals into Problems.
 * @throws (every method) Problem `no_space`, `archive_unwritable`; the signal's reason
 */
export class Requests {
  readonly place: S3Location;
  readonly sdk: Sdk;
  protected readonly client: S3Client;
  readonly #lease: Lease | undefined;

  /** @param lease must be valid whenever content is written; undefined for writers that need none */
  protected constructor(place: S3Location, sdk: Sdk, client: S3Client, lease?: Lease) {
    this.place = place;
    this.sdk = sdk;
    this.client = client;
    this.#lease = lease;
  }

  /**
   * Sends a command of the SDK. @throws Error if its object no longer exists: this caller's upload, the source of a
   * copy
   */
  async ask<Output>(command: Command<Output>, signal?: AbortSignal): Promise<Output> {
    return (await this.#answer(command, signal, gone)) as Output;
  }

  /** Like {@link ask}, but returns undefined if the object does not exist. */
  askMaybe<Output>(command: Command<Output>, signal?: AbortSignal): Promise<Output | undefined> {
    return this.#answer(command, signal, () => undefined);
  }

  /**
   * Like {@link ask}, for a command that removes its object. Returns undefined if the object is missing and an earlier
   * try of this call, whose response was lost, may have removed it.
   * @throws Error if the object was missing before
   */
  askOnce<Output>(command: Command<Output>, signal?: AbortSignal): Promise<Output | undefined> {
    return this.#answer(command, signal, (error) => (wasRepeated(error) ? undefined : gone()));
  }

  async #answer<Output>(
    command: Command<Output>,
    signal: AbortSignal | undefined,
    whenMissing: (error: unknown) => undefined,
  ): Promise<Output | undefined> {
    try {
      return await this.#send(command, signal);
    } catch (error) {
      signal?.throwIfAborted();
      this.#lease?.throwIfEnded();
      if (isMissing(error)) return whenMissing(error);
      throw storageProblem(this.place, error);
    }
  }

  unexpected(what: string): Problem {
    const { endpoint = "Amazon S3" } = this.place;
    return new Problem("archive_unwritable", `The archive’s object store ${endpoint} returned ${what}`);
  }

  /** Sends a command. The SDK's pauses between tries ignore the signal, so this method observes it. */
  #send<Output>(command: Command<Output>, signal: AbortSignal | undefined): Promise<Output> {
    signal?.throwIfAborted();
    if (this.#lease !== undefined) leased(this.sdk, command, this.#lease, signal);
    const sent = this.client.send(
      command as never,
      signal === undefined ? {} : { abortSignal: signal },
    ) as Promise<Output>;
    if (signal === undefined) return sent;
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      sent.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
  }
}

/**
 * The error for a missing object. Another worker removed it, or assumed that the work was over. The repeated work finds
 * out which.
 */
function gone(): never {
  throw new Error("An object or upload in the archive’s object store was removed by another process");
}

/** The common type of the SDK's commands, from which TypeScript infers their output. */
export interface Command<Output> {
  resolveMiddleware(...args: never[]): (...args: never[]) => Promise<{ output: Output }>;
}

/**
 * Makes every try of a command that writes content wait for the lease before it is signed, including the SDK's repeated
 * tries. Other commands are not changed: removals must succeed without a lease.
 */
function leased(sdk: Sdk, command: object, lease: Lease, signal: AbortSignal | undefined): void {
  const writing = [
    sdk.PutObjectCommand,
    sdk.CreateMultipartUploadCommand,
    sdk.UploadPartCommand,
    sdk.CompleteMultipartUploadCommand,
  ];
  if (!writing.some((kind) => command instanceof kind)) return;
  (command as Stacked).middlewareStack.addRelativeTo(
    (next) => async (args) => {
      await lease.held(signal);
      return next(args);
    },
    { relation: "after", toMiddleware: "retryMiddleware", name: "leased" },
  );
}

import type { S3Client } from "@aws-sdk/client-s3";
import { Problem } from "../../domain/problems.ts";
import type { Lease } from "../lease.ts";
import type { S3Location } from "./layout.ts";
import type { Sdk } from "./sdk.ts";
import { isMissing, storageProblem, wasRepeated } from "./storage-problem.ts";

/** A command of the SDK, as far as something can be put into its way. */
interface Stacked {
  middlewareStack: {
    addRelativeTo(
      middleware: (next: (args: never) => unknown) => (args: never) => Promise<unknown>,
      options: { relation: "after"; toMiddleware: string; name: string },
    ): void;
  };
}

/**
 * How the archive's bucket is asked for things, and what its refusals mean.
 * @throws (every method) Problem `no_space`, `archive_unwritable`; the signal's reason
 */
export class Requests {
  readonly place: S3Location;
  readonly sdk: Sdk;
  protected readonly client: S3Client;
  readonly #lease: Lease | undefined;

  /** @param lease that has to hold whenever content is written; undefined for whoever writes under none */
  protected constructor(place: S3Location, sdk: Sdk, client: S3Client, lease?: Lease) {
    this.place = place;
    this.sdk = sdk;
    this.client = client;
    this.#lease = lease;
  }

  /** Sends a command of the SDK. @throws Error when what it is about is gone: an upload of one's own, what is copied */
  async ask<Output>(command: Command<Output>, signal?: AbortSignal): Promise<Output> {
    return (await this.#answer(command, signal, gone)) as Output;
  }

  /** The same where it is no failure that there is no such object: undefined then. */
  askMaybe<Output>(command: Command<Output>, signal?: AbortSignal): Promise<Output | undefined> {
    return this.#answer(command, signal, () => undefined);
  }

  /**
   * The same for a command that does away with what it is about: undefined when that is gone and an earlier try of this
   * very call, whose answer was lost, may have done it.
   * @throws Error when it was gone before
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
    return new Problem("archive_unwritable", `The archive’s object store ${endpoint} gives ${what}`);
  }

  /** The SDK's pauses between tries do not heed the signal; whoever waits here does. */
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

/** Whoever has removed it was quicker, or believes that all is over: the work, tried again, finds out which. */
function gone(): never {
  throw new Error("What was asked for in the archive’s object store is no longer there");
}

/** What the SDK's commands have in common: their answer, which TypeScript finds by itself. */
export interface Command<Output> {
  resolveMiddleware(...args: never[]): (...args: never[]) => Promise<{ output: Output }>;
}

/**
 * Lets every try of a command that writes content wait for a lease: those that the SDK makes by itself, too, and before a
 * try is signed. Other commands are left as they are: what only takes back must go through without one.
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

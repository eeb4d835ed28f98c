import type { ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ACTIVE } from "../../src/domain/submission/states.ts";
import { Api, type Submission } from "../../tests/support/api/api.ts";
import { start, stop } from "./children.ts";
import { type Bucket, KEYS } from "./source.ts";

const thisCheckout = join(import.meta.dirname, "../..");
const START_MS = 60_000;
const POLL_MS = 50;
const LOG_TAIL = 4_000;
/** Statuses that do not change without an action. */
const STANDS = ["completed", "failed", "cancelled", "waiting"];

/** The built service in a separate process, with a new data folder and the embedded database. */
export class ServiceProcess {
  readonly url: string;
  readonly api: Api;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #log: string;

  private constructor(url: string, child: ChildProcess, log: string) {
    this.url = url;
    this.api = new Api(url);
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#log = log;
  }

  /**
   * Starts the service, as built in a checkout, and waits until it responds.
   * @param options.nodeArgs further options of Node
   * @param options.settings further settings of the service
   */
  static async start(
    folder: string,
    options: {
      caFile?: string | undefined;
      checkout?: string | undefined;
      nodeArgs?: readonly string[];
      settings?: Record<string, string>;
    } = {},
  ): Promise<ServiceProcess> {
    const { caFile, checkout = thisCheckout, nodeArgs = [], settings = {} } = options;
    mkdirSync(folder, { recursive: true });
    const log = join(folder, "log");
    const output = openSync(log, "w");
    const file = join(checkout, "dist/src/cli/accession.js");
    const child = start(process.execPath, [...nodeOptions(file), ...nodeArgs, file, "serve"], {
      env: {
        PATH: process.env.PATH,
        ACCESSION_DATA: join(folder, "data"),
        ACCESSION_ARCHIVE: join(folder, "archive"),
        ACCESSION_PORT: "0",
        ACCESSION_DISK_RESERVE: "1GiB",
        // The benchmarks exceed the usual rate limits.
        ACCESSION_RATE_LIMIT_CHECKS: "0",
        ...(caFile !== undefined && { ACCESSION_SOURCE_CA_FILE: caFile }),
        ...settings,
      },
      stdio: ["ignore", "ignore", output],
    });
    closeSync(output);
    for (const end = Date.now() + START_MS; ; await sleep(POLL_MS)) {
      const url = /"url":"([^"]+)"[^\n]*"the service is up"/.exec(readFileSync(log, "utf8"))?.[1];
      if (url !== undefined) return new ServiceProcess(url, child, log);
      if (child.exitCode !== null || Date.now() > end) {
        await stop(child);
        throw new Error(`Accession did not start:\n${tail(log)}`);
      }
    }
  }

  /** Submits a bucket. Resolves when the submission is accepted. */
  submit({ endpoint, bucket }: Pick<Bucket, "endpoint" | "bucket">): Promise<Submission> {
    return this.api.submit({ endpoint, bucket, ...KEYS });
  }

  /**
   * Waits until a submission is completed.
   * @throws Error with the submission and the end of the log if it stops in another status
   */
  async completed(id: string): Promise<Submission> {
    for (;;) {
      const submission = await this.api.submission(id);
      if (submission.status === "completed") return submission;
      if (STANDS.includes(submission.status) || this.#child.exitCode !== null) {
        throw new Error(
          `Not completed:\n${JSON.stringify(submission, undefined, 2)}\nThe log ends:\n${tail(this.#log)}`,
        );
      }
      await sleep(POLL_MS);
    }
  }

  /** Returns the seconds that a completed submission was in each status, from the times in its log. */
  async statusSeconds(id: string): Promise<Record<string, number>> {
    const { json } = await this.api.get(`/submission/${id}/events`);
    const moves = (json as { type: string; at: string }[]).filter(({ type }) =>
      [...ACTIVE, "completed"].includes(type),
    );
    return Object.fromEntries(
      moves
        .slice(0, -1)
        .map(({ type, at }, index) => [type, (Date.parse(moves[index + 1]?.at ?? at) - Date.parse(at)) / 1000]),
    );
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}

function tail(log: string): string {
  return readFileSync(log, "utf8").slice(-LOG_TAIL);
}

/** Options with which the first line of a program (`#!/usr/bin/env -S node …`) starts Node. */
export function nodeOptions(file: string): string[] {
  return /^#!.* node (.+)/.exec(readFileSync(file, "utf8"))?.[1]?.split(" ") ?? [];
}

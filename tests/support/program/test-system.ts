import type { ChildProcess } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type S3Server, startS3Server } from "../../../packages/s3-test-server/src/index.ts";
import { goodMetadata, type Submission } from "../api/api.ts";
import { validateArchive } from "../archive/validate-archive.ts";
import { apiReader, SourceTracker } from "../data-source/source-tracker.ts";
import { checkInvariants, type Observation, type SourceObject, type Violation } from "../invariants/invariants.ts";
import { type Program, startProgram } from "./program.ts";

export const BUCKET = "system";
export const KEYS = { accessKey: "AKSYSTEM", secretKey: "a-secret/of+the-system" };

export interface TestSystemOptions {
  /** A data folder to copy, because creating a database takes seconds. */
  template: string;
  /** The module of the command line; default: that of the sources. */
  module?: string;
  settings?: Record<string, string>;
  /** The folder that contains the data folder; default: a new temporary folder. */
  folder?: string;
}

/** Decisions about submissions that require action. */
export interface Operator {
  /** Number of retries of unreadable objects before they are excluded. */
  retries: number;
}

/** A data folder, a bucket and the real program, which can be started and killed repeatedly. Records all observations. */
export class TestSystem {
  readonly folder: string;
  readonly data: string;
  readonly s3: S3Server;
  readonly source: SourceTracker;
  readonly accepted: string[] = [];
  readonly observed: Observation[] = [];
  readonly #options: TestSystemOptions;
  readonly #logs: (() => string)[] = [];
  program: Program | undefined;
  /** If set, submissions become the next version of this dataset. */
  dataset: string | undefined;
  /** If set, submissions read this upload instead of the bucket. */
  upload: { id: string; files: ReadonlyMap<string, SourceObject> } | undefined;
  /** Sent with every request to the API, also of later processes: the token of a caller. */
  headers: Record<string, string> = {};
  /** Whether to keep the folder for inspection. */
  keep = false;

  private constructor(options: TestSystemOptions, folder: string, s3: S3Server) {
    this.#options = options;
    this.folder = folder;
    this.data = join(folder, "data");
    this.s3 = s3;
    this.source = new SourceTracker(s3, BUCKET);
  }

  static async open(options: TestSystemOptions): Promise<TestSystem> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "accession-system-")));
    await mkdir(join(folder, "data"), { recursive: true, mode: 0o700 });
    await cp(options.template, join(folder, "data"), { recursive: true });
    const s3 = await startS3Server();
    s3.addAccount(KEYS);
    s3.createBucket(BUCKET);
    return new TestSystem(options, folder, s3);
  }

  get #source(): object {
    return this.upload === undefined ? { s3Access: this.access } : { upload: { id: this.upload.id } };
  }

  get access(): object {
    return { endpoint: this.s3.endpoint, bucket: BUCKET, ...KEYS };
  }

  /** The logs of all processes so far. */
  get logs(): string[] {
    return this.#logs.map((log) => log());
  }

  /** Whether the process is running. */
  get isRunning(): boolean {
    const child = this.program?.process;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Starts the program. With `spawned`, it may be killed before it listens; then the result is undefined. */
  async start(spawned?: (child: ChildProcess) => void, through?: readonly string[]): Promise<Program | undefined> {
    const { module, settings } = this.#options;
    try {
      this.program = await startProgram(this.data, settings, {
        ...(module !== undefined && { module }),
        ...(through !== undefined && { through }),
        ...(spawned !== undefined && { spawned }),
      });
    } catch (error) {
      const text = String(error);
      this.#logs.push(() => text);
      if (spawned === undefined) throw error;
      return undefined;
    }
    this.program.api.headers = this.headers;
    this.#logs.push(this.program.log);
    return this.program;
  }

  /**
   * Submits the bucket, or the upload. Repeats the same request if it is refused or not answered. Returns undefined if the process has
   * ended or the time is up.
   * @param more members of the request that differ from the usual ones
   */
  async submit(key: string, milliseconds = 60_000, more: object = {}): Promise<string | undefined> {
    const until = Date.now() + milliseconds;
    const dataset = this.dataset === undefined ? {} : { dataset: { id: this.dataset } };
    const body = { metadata: goodMetadata, ...this.#source, ...dataset, ...more };
    while (this.isRunning && Date.now() < until) {
      const answer = await this.program?.api
        .post("/submission/upload/s3upload", body, { "idempotency-key": key })
        .catch(() => undefined);
      if (answer?.status === 202) {
        const { id } = answer.json as Submission;
        if (!this.accepted.includes(id)) this.accepted.push(id);
        return id;
      }
      this.s3.addAccount(KEYS);
      await sleep(50);
    }
    return undefined;
  }

  /**
   * Waits until a submission is completed, and acts like an operator if it waits or fails. Returns its last state, also
   * if the time is up; undefined if the process has ended.
   */
  async runToCompletion(id: string, operator: Operator, milliseconds: number): Promise<Submission | undefined> {
    const until = Date.now() + milliseconds;
    let last: Submission | undefined;
    for (let rounds = 0; this.isRunning && Date.now() < until; await sleep(40)) {
      const api = this.program?.api;
      if (api === undefined) break;
      try {
        const seen = await api.get(`/submission/${id}`);
        if (seen.status !== 200) continue;
        last = seen.json as Submission;
        this.observed.push({ id, status: last.status, attempt: last.attempt, progress: last.progress });
        if (last.status === "completed" || last.status === "cancelled") return last;
        if (last.status !== "waiting" && last.status !== "failed") continue;
        await this.#actAsOperator(last, ++rounds > operator.retries);
      } catch (error) {
        // The process has ended or is ending. Other errors appear in the result.
        if (this.isRunning && !(error instanceof TypeError)) await sleep(100);
      }
    }
    return this.isRunning ? last : undefined;
  }

  /**
   * Checks the invariants after all submissions have ended.
   * @param extra additional names that are allowed beside the data folder
   */
  async check(extra: readonly string[] = [], archive?: string): Promise<Violation[]> {
    if (this.program === undefined) throw new Error("The program must run, because the check uses its API");
    const found = await checkInvariants({
      source: this.upload?.files ?? this.source.expectedObjects(),
      data: this.data,
      ...(archive !== undefined && { archive }),
      surroundings: { folder: this.folder, names: ["data", ...extra] },
      get: apiReader(this.program.api),
      accepted: this.accepted,
      observed: this.observed,
      history: this.s3.history,
      secrets: [KEYS.secretKey],
      logs: this.logs,
    });
    return [...found, ...(await validateArchive(archive ?? join(this.data, "archive")))];
  }

  /** Ends everything and removes the folder. */
  async close(): Promise<void> {
    await this.program?.end("SIGKILL");
    await this.s3.close();
    if (!this.keep) await rm(this.folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #actAsOperator({ id, status, waiting }: Submission, mayExclude: boolean): Promise<void> {
    const api = this.program?.api;
    if (api === undefined) return;
    this.s3.addAccount(KEYS);
    if (waiting?.code === "objects_unreadable" && mayExclude) {
      const failed = await api.files(id, "&state=failed");
      const keys = failed.map(({ key }) => key);
      const answer = await api.post(`/submission/${id}/exclude`, { keys, reason: "it cannot be read" });
      // If all objects would be excluded, only another attempt can succeed.
      if (answer.status === 202) return;
    }
    if (waiting?.code === "credentials_rejected") {
      await api.post(`/submission/${id}/credentials`, { s3Access: this.access });
      return;
    }
    await api.post(
      `/submission/${id}/retry`,
      status === "failed" && this.upload === undefined ? { s3Access: this.access } : {},
    );
  }
}

/** Creates a data folder with an empty database, which {@link TestSystem.open} copies. */
export async function createSystemTemplate(folder: string, module?: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const program = await startProgram(folder, {}, module === undefined ? {} : { module });
  await program.end("SIGTERM");
  for (const name of ["lock.pid", "lock-journal"]) await rm(join(folder, name), { force: true });
}

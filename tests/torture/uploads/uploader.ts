import { setTimeout as sleep } from "node:timers/promises";
import { generate } from "../../../packages/s3-test-server/src/index.ts";
import { sha512, TusClient } from "../../support/api/tus-client.ts";
import { batchForm, linesOf, postBatch } from "../../support/api/upload-batch.ts";
import type { SourceObject, Violation } from "../../support/invariants/invariants.ts";
import type { TestSystem } from "../../support/program/test-system.ts";
import { FileSender, isOther, type Listed, NOTHING, Refused, type Sent } from "./file-sender.ts";
import type { PlannedFile } from "./upload-plan.ts";

/** Files that are sent at the same time. */
const LANES = 3;
const PAUSE_MS = 50;

/**
 * A client that sends files to a process that is killed meanwhile. It asks each new process for what has arrived, and sends the rest.
 * Records every acknowledged byte that is lost.
 */
export class Uploader {
  readonly violations: Violation[] = [];
  readonly #system: TestSystem;
  readonly #files: Sent[];
  readonly #tus: TusClient;
  #area: { id: string; files: string } | undefined;
  #sender: FileSender | undefined;
  #isWhole = false;

  constructor(system: TestSystem, seed: string, files: readonly PlannedFile[]) {
    this.#system = system;
    this.#files = files.map((file) => ({
      ...file,
      bytes: Buffer.concat([...generate(`${seed} ${file.path}`, 0, file.size)]),
      ...{ acknowledged: NOTHING, isTainted: false, isPrepared: file.fate === "sent", requests: 0 },
    }));
    this.#tus = new TusClient(() => {
      if (system.program === undefined) throw new Error("There is no process");
      return system.program.api;
    });
  }

  /** The files as the archive must have them. */
  expected(): Map<string, SourceObject> {
    return new Map(
      this.#files.map(({ path, bytes, digest }) => [
        path,
        {
          contents: [{ bytes: bytes.length, sha512: sha512(bytes) }],
          isUnchanged: true,
          offersDigest: digest !== "none",
        },
      ]),
    );
  }

  /** Sends all that is missing. @returns the upload when it is complete; undefined if the process has ended, or the time is up */
  async send(milliseconds: number): Promise<string | undefined> {
    for (const until = Date.now() + milliseconds; !this.#isWhole && Date.now() < until; await sleep(PAUSE_MS)) {
      if (!this.#system.isRunning) return undefined;
      try {
        this.#isWhole = await this.#sendMissing();
      } catch (error) {
        // A refused request, or one without an answer: the next round asks for what has arrived. Other errors are faults of this client.
        if (!(error instanceof TypeError || error instanceof Refused || isAbort(error))) throw error;
      }
    }
    return this.#isWhole ? this.#area?.id : undefined;
  }

  /** @returns whether all files were complete before */
  async #sendMissing(): Promise<boolean> {
    this.#area ??= await this.#create();
    this.#sender ??= new FileSender(this.#tus, {
      files: this.#area.files,
      violated: (detail) => this.#violated(detail),
    });
    const sender = this.#sender;
    const listed = await this.#list(this.#area.id);
    const open = this.#files.filter((file) => !this.#isDone(file, listed.get(file.path)));
    if (open.length === 0) return this.#hasNoParts(this.#area);
    const single = open.filter(({ by }) => by !== "batch");
    const queue = single.values();
    const lane = async () => {
      for (const file of queue) await sender.send(file, listed.get(file.path));
    };
    const outcomes = await Promise.allSettled([
      this.#sendBatch(open.filter(({ by }) => by === "batch")),
      ...Array.from({ length: LANES }, lane),
    ]);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    return false;
  }

  async #create(): Promise<{ id: string; files: string }> {
    const answer = await this.#system.program?.api.post("/uploads");
    if (answer?.status !== 201) throw new Refused();
    return answer.json;
  }

  async #list(id: string): Promise<Map<string, Listed>> {
    const answer = await this.#system.program?.api.get(`/uploads/${id}/files`);
    // An upload that was acknowledged must exist.
    if (answer?.status === 404) this.#violated(`the upload ${id} is not known any more`);
    if (answer?.status !== 200) throw new Refused();
    const listed = new Map<string, Listed>(answer.json.files.map((file: Listed) => [file.path, file]));
    for (const file of this.#files) {
      const { path, acknowledged, bytes } = file;
      const has = listed.get(path);
      const isKept =
        (has?.receivedBytes ?? 0) >= acknowledged && (acknowledged < bytes.length || has?.completedAt != null);
      if (!isKept)
        this.#violated(`${path}: ${acknowledged} bytes were acknowledged, and ${has?.receivedBytes} are there`);
      // This answer acknowledges, too.
      const isRight = file.isPrepared && !file.isTainted && has !== undefined && !isOther(file, has);
      if (isRight && has.receivedBytes > 0) file.acknowledged = Math.max(acknowledged, has.receivedBytes);
    }
    for (const path of listed.keys()) {
      if (!this.#files.some((file) => file.path === path)) this.#violated(`${path} was never sent`);
    }
    return listed;
  }

  #isDone(file: Sent, listed: Listed | undefined): boolean {
    if (!file.isPrepared || listed?.completedAt == null) return false;
    return file.digest === "later" ? listed.sha512 === sha512(file.bytes) : !isOther(file, listed);
  }

  /** Deletes parts of which this client does not know that they were created. @returns whether there were none */
  async #hasNoParts({ files }: { files: string }): Promise<boolean> {
    const answer = await this.#system.program?.api.get(`${files}?parts=true`);
    if (answer?.status !== 200) throw new Refused();
    for (const { url } of answer.json.files as Listed[]) {
      const { status } = await this.#tus.request("DELETE", url);
      if (status !== 204) throw new Refused();
    }
    return answer.json.files.length === 0;
  }

  /** Sends small files together. The connection is cut after the first one that the plan says. */
  async #sendBatch(files: readonly Sent[]): Promise<void> {
    const api = this.#system.program?.api;
    if (files.length === 0 || api === undefined || this.#area === undefined) return;
    const { type, pieces } = batchForm(
      files.map((file) => ({ path: file.path, bytes: file.bytes, ...(!isStatedNow(file) && { sha512: null }) })),
    );
    const cutAt = files.findIndex((file) => file.cut.includes(file.requests));
    for (const file of files) file.requests++;
    const cut = new AbortController();
    const body =
      cutAt < 0
        ? Buffer.concat(pieces)
        : new ReadableStream({
            start: (stream) => stream.enqueue(Buffer.concat(pieces.slice(0, cutAt + 1))),
            pull: () => void setImmediate(() => cut.abort()),
          });
    const answer = await postBatch(api, this.#area.id, { body, type, signal: cut.signal });
    let text = "";
    try {
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
    } finally {
      if (answer.status === 200) this.#note(files, text);
    }
    if (answer.status !== 200) throw new Refused();
  }

  /** Notes the files that a batch has acknowledged. */
  #note(files: readonly Sent[], text: string): void {
    for (const { path, problem } of linesOf(text)) {
      const file = files.find((one) => one.path === path);
      if (problem === undefined && file !== undefined) file.acknowledged = file.bytes.length;
    }
  }

  #violated(detail: string): void {
    this.violations.push({ invariant: "acknowledged bytes are kept", detail });
  }
}

/** Whether a batch states the digest of a file: if it is stated later, the file is sent again for it. */
function isStatedNow({ digest, acknowledged, bytes }: Sent): boolean {
  return digest === "stated" || (digest === "later" && acknowledged === bytes.length);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

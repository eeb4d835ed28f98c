import { setTimeout as sleep } from "node:timers/promises";
import { generate } from "../../../packages/s3-test-server/src/index.ts";
import { sha512, TusClient } from "../../support/api/tus-client.ts";
import { batchForm, linesOf, postBatch } from "../../support/api/upload-batch.ts";
import type { SourceObject, Violation } from "../../support/invariants/invariants.ts";
import type { TestSystem } from "../../support/program/test-system.ts";
import type { PlannedFile } from "./upload-plan.ts";

/** Files that are sent at the same time. */
const LANES = 3;
const PAUSE_MS = 50;
/** Less than the whole of an empty file. */
const NOTHING = -1;

/** A file as the service lists it. */
interface Listed {
  path: string;
  bytes: number;
  receivedBytes: number;
  sha512: string | null;
  completedAt: string | null;
  url: string;
}

interface Sent extends PlannedFile {
  bytes: Buffer;
  /** What the service said to have of the right bytes. It must never have less. */
  acknowledged: number;
  /** Wrong bytes may have arrived, so that the service may refuse the file once. */
  isTainted: boolean;
  /** What the plan wanted before the right bytes has happened. */
  isPrepared: boolean;
  requests: number;
}

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
      this.#files.map(({ path, bytes, hasDigest }) => [
        path,
        { contents: [{ bytes: bytes.length, sha512: sha512(bytes) }], isUnchanged: true, offersDigest: hasDigest },
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
    const listed = await this.#list(this.#area.id);
    const open = this.#files.filter((file) => !this.#isDone(file, listed.get(file.path)));
    if (open.length === 0) return true;
    const single = open.filter(({ by }) => by !== "batch");
    const queue = single.values();
    const lane = async () => {
      for (const file of queue) await this.#sendFile(file, listed.get(file.path));
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
    for (const { path, acknowledged, bytes } of this.#files) {
      const has = listed.get(path);
      const isKept =
        (has?.receivedBytes ?? 0) >= acknowledged && (acknowledged < bytes.length || has?.completedAt != null);
      if (!isKept)
        this.#violated(`${path}: ${acknowledged} bytes were acknowledged, and ${has?.receivedBytes} are there`);
    }
    for (const path of listed.keys()) {
      if (!this.#files.some((file) => file.path === path)) this.#violated(`${path} was never sent`);
    }
    return listed;
  }

  #isDone(file: Sent, listed: Listed | undefined): boolean {
    return file.isPrepared && listed?.completedAt != null && !this.#isOther(file, listed);
  }

  /** Whether the service has the file that was sent in the place of this one. */
  #isOther(file: Sent, { sha512: digest }: Listed): boolean {
    return file.hasDigest && digest !== sha512(file.bytes);
  }

  /** Sends what is missing of a file, by the tus protocol. */
  async #sendFile(file: Sent, listed: Listed | undefined): Promise<void> {
    if (!file.isPrepared) await this.#prepare(file, listed);
    else if (listed !== undefined && this.#isOther(file, listed)) await this.#delete(listed.url);
    else if (file.fate === "twice") await this.#sendTwice(file);
    else await this.#sendRest(file);
  }

  /** Either sender may be interrupted by the other one. */
  async #sendTwice(file: Sent): Promise<void> {
    const outcomes = await Promise.allSettled([this.#sendRest(file), this.#sendRest(file)]);
    if (outcomes.every(({ status }) => status === "rejected")) throw new Refused();
  }

  async #sendRest(file: Sent): Promise<void> {
    const at = await this.#address(file, file.bytes);
    let offset = await this.#offset(at);
    while (offset < file.bytes.length || file.bytes.length === 0) {
      const end = Math.min(file.bytes.length, offset + (file.by === "batch" ? file.size : file.by.requestBytes));
      const now = file.requests++;
      if (file.cut.includes(now) && end > offset) {
        await this.#sendAndCut(at, offset, file.bytes.subarray(offset, offset + Math.ceil((end - offset) / 2)));
        throw new Refused();
      }
      if (file.bytes.length === 0) return;
      offset = await this.#patch(file, at, offset, end);
    }
  }

  async #patch(file: Sent, at: string, offset: number, end: number): Promise<number> {
    const answer = await this.#tus.patch(at, offset, file.bytes.subarray(offset, end));
    if (answer.status === 204) {
      file.acknowledged = Math.max(file.acknowledged, answer.offset);
      if (answer.offset !== end) this.#violated(`${file.path}: offset ${answer.offset} after ${end} bytes`);
      return answer.offset;
    }
    if (answer.code === "upload_digest_wrong") {
      if (!file.isTainted) this.#violated(`${file.path}: the service refuses the right bytes`);
      file.isTainted = false;
      file.acknowledged = NOTHING;
    }
    throw new Refused();
  }

  /** Sends other bytes first: with the digest of the right ones, or as a file that is replaced. */
  async #prepare(file: Sent, listed: Listed | undefined): Promise<void> {
    if (file.fate === "twice") {
      file.isPrepared = true;
      return this.#sendFile(file, listed);
    }
    const wrong = Buffer.from(file.bytes.map((byte) => byte ^ 1));
    const isReplaced = file.fate === "replaced";
    file.isTainted = !isReplaced;
    const at = await this.#address(file, isReplaced ? wrong : file.bytes);
    const from = await this.#offset(at);
    if (isReplaced && from === wrong.length) {
      file.isPrepared = true;
      return this.#delete(at);
    }
    const answer = await this.#tus.patch(at, from, wrong.subarray(from));
    if (answer.code === "upload_digest_wrong") {
      file.isTainted = false;
      file.isPrepared = true;
    } else if (answer.status !== 204) throw new Refused();
    else if (!isReplaced) this.#violated(`${file.path}: the service accepts bytes with another digest`);
  }

  /** The address of a file, which is created if the service does not have it. */
  async #address(file: Sent, bytes: Buffer): Promise<string> {
    const { path, hasDigest } = file;
    const more: Record<string, string> = hasDigest ? { sha512: sha512(bytes) } : {};
    const created = await this.#tus.create(this.#area?.files ?? "", path, bytes.length, more);
    const at = created.status === 201 ? created.headers.get("location") : created.file;
    if (at == null) throw new Refused();
    return at;
  }

  async #offset(at: string): Promise<number> {
    const { status, offset } = await this.#tus.request("HEAD", at);
    if (status !== 200) throw new Refused();
    return offset;
  }

  async #delete(at: string): Promise<void> {
    const { status } = await this.#tus.request("DELETE", at);
    if (status !== 204 && status !== 404) throw new Refused();
  }

  async #sendAndCut(at: string, from: number, bytes: Buffer): Promise<void> {
    const cut = new AbortController();
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(bytes),
      pull: () => void setImmediate(() => cut.abort()),
    });
    await this.#tus.request("PATCH", at, { "upload-offset": String(from) }, body, cut.signal).catch(() => undefined);
  }

  /** Sends small files together. The connection is cut after the first one that the plan says. */
  async #sendBatch(files: readonly Sent[]): Promise<void> {
    const api = this.#system.program?.api;
    if (files.length === 0 || api === undefined || this.#area === undefined) return;
    const { type, pieces } = batchForm(
      files.map(({ path, bytes, hasDigest }) => ({ path, bytes, ...(!hasDigest && { sha512: null }) })),
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

/** The service has refused a request, or the client has cut it. */
class Refused extends Error {}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

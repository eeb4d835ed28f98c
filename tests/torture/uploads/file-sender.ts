import { sha512, type TusClient } from "../../support/api/tus-client.ts";
import { PartSender } from "./part-sender.ts";
import type { PlannedFile } from "./upload-plan.ts";

/** Less than the whole of an empty file. */
export const NOTHING = -1;

/** A file as the service lists it. */
export interface Listed {
  path: string;
  bytes: number;
  receivedBytes: number;
  sha512: string | null;
  completedAt: string | null;
  url: string;
}

export interface Sent extends PlannedFile {
  bytes: Buffer;
  /** What the service said to have of the right bytes. It must never have less. */
  acknowledged: number;
  /** Wrong bytes may have arrived, so that the service may refuse the file once. */
  isTainted: boolean;
  /** What the plan wanted before the right bytes has happened. */
  isPrepared: boolean;
  requests: number;
}

/** The service has refused a request, or the client has cut it. */
export class Refused extends Error {}

/** Whether the service has the file that was sent in the place of this one. */
export function isOther(file: Sent, { sha512: digest }: Listed): boolean {
  return file.digest === "stated" && digest !== sha512(file.bytes);
}

/** Sends one file at a time by the tus protocol, as the plan says. */
export class FileSender {
  readonly #tus: TusClient;
  readonly #files: string;
  readonly #violated: (detail: string) => void;
  readonly #parts: PartSender;

  /** @param files address of the files of the upload */
  constructor(tus: TusClient, { files, violated }: { files: string; violated: (detail: string) => void }) {
    this.#tus = tus;
    this.#files = files;
    this.#violated = violated;
    this.#parts = new PartSender(tus, { files, violated });
  }

  /** Sends what is missing of a file. */
  async send(file: Sent, listed: Listed | undefined): Promise<void> {
    if (!file.isPrepared) await this.#prepare(file, listed);
    else if (listed !== undefined && isOther(file, listed)) await this.#delete(listed.url);
    else if (file.fate === "twice") await this.#sendTwice(file);
    else if (listed === undefined && typeof file.by === "object" && "parts" in file.by)
      await this.#parts.send(file, file.by.parts);
    else await this.#sendRest(file);
  }

  /** Either sender may be interrupted by the other one. */
  async #sendTwice(file: Sent): Promise<void> {
    const outcomes = await Promise.allSettled([this.#sendRest(file), this.#sendRest(file)]);
    if (outcomes.every(({ status }) => status === "rejected")) throw new Refused();
  }

  /** Asks for what has arrived, sends what follows, and states the digest if the plan wants it now. */
  async #sendRest(file: Sent): Promise<void> {
    const at = await this.#address(file, file.bytes);
    let offset = await this.#offset(at);
    file.acknowledged = Math.max(file.acknowledged, offset > 0 ? offset : NOTHING);
    const most = typeof file.by === "object" && "requestBytes" in file.by ? file.by.requestBytes : file.size;
    while (offset < file.bytes.length) {
      const end = Math.min(file.bytes.length, offset + most);
      const now = file.requests++;
      if (file.cut.includes(now) && end > offset) {
        await this.#tus.sendAndAbort(at, offset, file.bytes.subarray(offset, offset + Math.ceil((end - offset) / 2)));
        throw new Refused();
      }
      offset = await this.#patch(file, at, offset, end);
    }
    if (file.digest === "later") await this.#state(file);
  }

  async #state({ path, bytes }: Sent): Promise<void> {
    const { status, code } = await this.#tus.create(this.#files, path, bytes.length, { sha512: sha512(bytes) });
    if (code === "upload_path_taken") this.#violated(`${path}: the service refuses the digest of the right bytes`);
    if (status !== 201) throw new Refused();
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
      return this.send(file, listed);
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
    const more: Record<string, string> = file.digest === "stated" ? { sha512: sha512(bytes) } : {};
    const created = await this.#tus.create(this.#files, file.path, bytes.length, more);
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
}

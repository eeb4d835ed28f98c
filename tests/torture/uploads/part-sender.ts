import type { TusClient } from "../../support/api/tus-client.ts";
import { sha512 } from "../../support/api/tus-client.ts";
import { Refused, type Sent } from "./file-sender.ts";

/** A part of a file that the service has acknowledged. */
interface Part {
  bytes: Buffer;
  at: string | undefined;
  acknowledged: number;
}

/** Sends files in parts at the same time, and joins them. The service must keep the parts until then. */
export class PartSender {
  readonly #tus: TusClient;
  readonly #files: string;
  readonly #violated: (detail: string) => void;
  readonly #parts = new Map<string, Part[]>();

  constructor(tus: TusClient, { files, violated }: { files: string; violated: (detail: string) => void }) {
    this.#tus = tus;
    this.#files = files;
    this.#violated = violated;
  }

  /** Sends a file that the upload does not have. @param count number of its parts */
  async send(file: Sent, count: number): Promise<void> {
    const parts = this.#partsOf(file, count);
    const outcomes = await Promise.allSettled(parts.map((part) => this.#sendPart(file, part)));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    const addresses = parts.map(({ at }) => at ?? "");
    const metadata = { path: file.path, ...(file.digest === "stated" && { sha512: sha512(file.bytes) }) };
    const { status, code, offset } = await this.#tus.join(this.#files, addresses, metadata);
    if (code === "not_found" || code === "upload_incomplete")
      this.#violated(`${file.path}: ${code} when it was joined`);
    if (status !== 201) throw new Refused();
    file.acknowledged = Math.max(file.acknowledged, offset);
  }

  #partsOf({ path, bytes }: Sent, count: number): Part[] {
    const known = this.#parts.get(path);
    if (known !== undefined) return known;
    const length = Math.ceil(bytes.length / count);
    const parts = Array.from({ length: count }, (_, i) => ({
      bytes: bytes.subarray(i * length, (i + 1) * length),
      at: undefined,
      acknowledged: 0,
    }));
    this.#parts.set(path, parts);
    return parts;
  }

  async #sendPart(file: Sent, part: Part): Promise<void> {
    const { bytes } = part;
    part.at ??= await this.#create(bytes.length);
    const { at } = part;
    const { status, offset: from } = await this.#tus.request("HEAD", at);
    if (status === 404) this.#violated(`${file.path}: a part is not known any more`);
    if (status !== 200) throw new Refused();
    if (from < part.acknowledged) this.#violated(`${file.path}: a part has ${from} of ${part.acknowledged} bytes`);
    part.acknowledged = Math.max(part.acknowledged, from);
    if (from === bytes.length) return;
    if (file.cut.includes(file.requests++)) {
      await this.#tus.sendAndAbort(at, from, bytes.subarray(from, from + Math.ceil((bytes.length - from) / 2)));
      throw new Refused();
    }
    const sent = await this.#tus.patch(at, from, bytes.subarray(from));
    if (sent.status !== 204) throw new Refused();
    if (sent.offset !== bytes.length) this.#violated(`${file.path}: offset ${sent.offset} of a part`);
    part.acknowledged = sent.offset;
  }

  async #create(bytes: number): Promise<string> {
    const { status, headers } = await this.#tus.request("POST", this.#files, {
      "upload-concat": "partial",
      "upload-length": String(bytes),
    });
    const at = headers.get("location");
    if (status !== 201 || at === null) throw new Refused();
    return at;
  }
}

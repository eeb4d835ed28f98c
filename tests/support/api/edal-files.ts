import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { entriesBelow } from "../entries-below.ts";
import type { Api } from "./api.ts";
import { type ChosenFile, type EdalAnswer, EdalClient, edalMetadata } from "./edal-client.ts";

/** The metadata of the client with a title. */
export const named = (title: string) => ({ ...edalMetadata, title });

export const statuses = (answers: readonly Pick<EdalAnswer, "status">[]) =>
  new Set(answers.map(({ status }) => status));

/** Files of a chosen folder, every other one in a folder below; the first one is empty. */
export const some = (count: number): ChosenFile[] =>
  Array.from({ length: count }, (_, n) => ({
    webkitRelativePath: n % 2 === 0 ? `chosen/${n}.csv` : `chosen/plots/${n}.csv`,
    bytes: randomBytes(n * 100),
  }));

/** Begins to send a file in a body without a length, and waits until its first bytes are stored. */
export async function beginFile({ url, api, data }: { url: string; api: Api; data: string }, name: string) {
  const before = await incoming(data);
  const cutting = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  // The last bytes may be those of a request that was refused or cut.
  const write = (text: string | Buffer) => void writer.write(Buffer.from(text)).catch(() => undefined);
  write(`--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`);
  write(randomBytes(300_000));
  const answering = fetch(`${url}/submission/upload/dataset`, {
    ...{ method: "POST", headers: { ...api.headers, "content-type": "multipart/form-data; boundary=x" } },
    ...{ body: readable, duplex: "half", signal: cutting.signal },
  } as RequestInit).then(async (answer) => ({ status: answer.status, json: await answer.json() }));
  answering.catch(() => undefined);
  const end = (rest: string) => {
    write(rest);
    void writer.close().catch(() => undefined);
    return answering as Promise<{ status: number; json: { code?: string } }>;
  };
  await vi.waitUntil(async () => (await incoming(data)).some((name) => !before.includes(name)));
  return {
    answering,
    end,
    finish: (metadata: typeof edalMetadata) => {
      const form = new EdalClient(() => api).form(
        { webkitRelativePath: "chosen/file", bytes: Buffer.alloc(0) },
        metadata,
      );
      const parts = { metaData: form.get("metaData"), path: metadata.title };
      const rest = Object.entries(parts).map(
        ([part, value]) => `\r\n--x\r\nContent-Disposition: form-data; name="${part}"\r\n\r\n${value}`,
      );
      return end(`${rest.join("")}\r\n--x--`);
    },
    async cut() {
      cutting.abort();
      await expect(answering).rejects.toThrow();
    },
  };
}

/** Files that are arriving. */
export async function incoming(data: string): Promise<string[]> {
  const entries = await entriesBelow(join(data, "uploads"));
  return entries.map(({ name }) => name).filter((name) => name.startsWith("incoming-"));
}

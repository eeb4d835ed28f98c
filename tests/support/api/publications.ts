import { vi } from "vitest";
import type { S3Server } from "../../../packages/s3-test-server/src/index.ts";
import type { TestService } from "../program/service.ts";
import { type Answer, goodMetadata } from "./api.ts";
import { bearer } from "./callers.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

/** The publication of a dataset version, as the API returns it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any member of an answer.
export type PublicationJson = any;

/** One dataset and its publication, as several callers see it. */
export class PublicationClient {
  readonly service: Pick<TestService, "api" | "url">;
  readonly dataset: string;

  constructor(service: Pick<TestService, "api" | "url">, dataset: string) {
    this.service = service;
    this.dataset = dataset;
  }

  /** Takes an action. @param token undefined for no token */
  act(
    token: string | undefined,
    action: string,
    body: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const as = token === undefined ? {} : bearer(token);
    return this.service.api.post(`/dataset/${this.dataset}/publication/${action}`, body, { ...as, ...headers });
  }

  /** Takes an action that must succeed. An approval binds the present state. */
  async done(token: string, action: string, body: object = {}): Promise<PublicationJson> {
    const headers = action === "approve" ? await this.seen(token) : {};
    const answer = await this.act(token, action, body, headers);
    if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  /** The condition that the publication is in its present state. */
  async seen(token?: string): Promise<{ "if-match": string }> {
    return { "if-match": (await this.get(token)).headers.get("etag") ?? "" };
  }

  get(token?: string, path = "/publication"): Promise<Answer> {
    return this.service.api.get(`/dataset/${this.dataset}${path}`, token === undefined ? {} : bearer(token));
  }

  /** Waits until the publication has a state. */
  async until(token: string, state: string, timeout = 180_000): Promise<PublicationJson> {
    let last: PublicationJson;
    await vi
      .waitUntil(
        async () => {
          last = (await this.get(token)).json;
          return last.state === state;
        },
        { timeout, interval: 50 },
      )
      .catch(() => {
        throw new Error(`The publication is ${last?.state}, not ${state}: ${JSON.stringify(last?.problem)}`);
      });
    return last;
  }
}

/** Archives a bucket as this caller. @param contentType as the bucket states it of every file, if it does */
export async function archiveAs(
  service: Pick<TestService, "api" | "url">,
  s3: S3Server,
  token: string | undefined,
  {
    metadata = goodMetadata as object,
    files = { "README.md": "# Plots", "plots/a.csv": "1;2" } as Record<string, string>,
    contentType = undefined as string | undefined,
    more = {},
  } = {},
): Promise<{ dataset: string; submission: string }> {
  const headers = token === undefined ? {} : bearer(token);
  const bucket = `bucket-${Math.random().toString(36).slice(2, 12)}`;
  s3.addAccount(keys);
  s3.createBucket(bucket);
  for (const [key, content] of Object.entries(files))
    s3.put(bucket, key, content, { ...(contentType && { contentType }) });
  const s3Access = { endpoint: s3.endpoint, bucket, ...keys };
  const sent = await service.api.post("/submission/upload/s3upload", { metadata, s3Access, ...more }, headers);
  if (sent.status !== 202) throw new Error(`not accepted: ${sent.status} ${sent.text}`);
  const { id } = sent.json;
  let found: Answer | undefined;
  await vi.waitUntil(
    async () => {
      found = await service.api.get(`/submission/${id}`, headers);
      return found.json.status === "completed" || found.json.status === "failed";
    },
    { interval: 50 },
  );
  if (found?.json.status !== "completed") throw new Error(`not archived: ${found?.text}`);
  return { dataset: found.json.dataset.id, submission: id };
}

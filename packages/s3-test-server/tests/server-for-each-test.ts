import { GetObjectCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach } from "vitest";
import { type S3Server, type S3ServerOptions, startS3Server } from "../src/index.ts";
import { owner, type SdkOptions, sdkClient } from "./sdk-client.ts";

export const bucket = "measurements";

/** The server of the current test, with the account {@link owner} and an empty bucket. */
export let server: S3Server;
const clients: S3Client[] = [];

/** Starts {@link server} before each test of a file, and closes it and its clients afterwards. */
export function useServer(): void {
  beforeEach(() => start());
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await server.close();
  });
}

async function start(options: S3ServerOptions = {}): Promise<void> {
  server = await startS3Server(options);
  server.addAccount(owner);
  server.createBucket(bucket);
}

/** Restarts the server with other options for one test. */
export async function restart(options: S3ServerOptions): Promise<void> {
  await server.close();
  await start(options);
}

/** A client of {@link server}. */
export function client(options: SdkOptions = {}): S3Client {
  const made = sdkClient(server, options);
  clients.push(made);
  return made;
}

export const list = (s3: S3Client, more: object = {}) => s3.send(new ListObjectsV2Command({ Bucket: bucket, ...more }));
export const get = (s3: S3Client, key: string, more: object = {}) =>
  s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...more }));
export const text = async (s3: S3Client, key: string, more: object = {}) =>
  (await get(s3, key, more)).Body?.transformToString();

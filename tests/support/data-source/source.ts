import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, type RunnerTestCase, TestRunner } from "vitest";
import {
  type PutOptions,
  type S3Server,
  type S3ServerOptions,
  startS3Server,
} from "../../../packages/s3-test-server/src/index.ts";
import { Problem } from "../../../src/domain/problems.ts";
import type { S3Credentials, SourceAccess } from "../../../src/domain/source-access/access.ts";
import { S3Bucket } from "../../../src/source/s3/s3-bucket.ts";
import { Egress, type EgressOptions } from "../../../src/source/s3/transport/egress.ts";
import type { ListedObject } from "../../../src/source/source.ts";
import { lacks, skipNote } from "../tools.ts";

export const READER = { accessKey: "AKREADER", secretKey: "secret/of+reader" };
export const BUCKET = "field-trial";

/** A signal that is never aborted. */
export const neverAborted = new AbortController().signal;

/** Starts an S3 server with one account and one bucket. The caller must close it. */
export async function startTestS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const server = await startS3Server(options);
  server.addAccount(READER);
  server.createBucket(BUCKET);
  return server;
}

export function accessTo(
  server: { endpoint: string },
  { accessKey, secretKey, sessionToken, ...more }: Partial<SourceAccess & S3Credentials> = {},
): SourceAccess {
  const changed = {
    ...(accessKey && { accessKey }),
    ...(secretKey && { secretKey }),
    ...(sessionToken && { sessionToken }),
  };
  return { endpoint: server.endpoint, bucket: BUCKET, credentials: { ...READER, ...changed }, ...more };
}

/** Creates an egress that may connect to this machine. The caller must close it. */
export function localEgress(more: Partial<EgressOptions> = {}): Egress {
  return new Egress({
    policy: { allowPrivate: true, networks: [] },
    connections: 8,
    listingTimeoutMs: 120_000,
    ...more,
  });
}

/** Returns what the calling test or its `beforeEach` has opened, which is closed when the test has finished. */
export function closedAfterTest<T extends { close: () => Promise<unknown> }>(opened: T): T {
  onTestFinished(async () => void (await opened.close()));
  return opened;
}

/** Opens a bucket with a separate S3 server and egress. `close` closes both. */
export async function openSource(
  options: S3ServerOptions = {},
): Promise<{ server: S3Server; source: S3Bucket; close: () => Promise<void> }> {
  const server = await startTestS3Server(options);
  const egress = localEgress();
  const close = async () => {
    await egress.close();
    await server.close();
  };
  return { server, source: new S3Bucket(accessTo(server), egress), close };
}

/** Opens a bucket as {@link openSource}, which is closed when the calling test has finished. */
export const sourceOfTest = async (options: S3ServerOptions = {}) => closedAfterTest(await openSource(options));

/** Stores an object in {@link BUCKET}, and returns its entry in the listing. */
export function putListed(
  server: S3Server,
  key: string,
  bytes: Buffer | string,
  options: PutOptions = {},
): ListedObject {
  const { body, etag, lastModified, storageClass } = server.put(BUCKET, key, bytes, options);
  return { key, bytes: body.size, etag, lastModified: lastModified.toISOString(), storageClass };
}

/** Returns the Problem with which a promise rejects. @throws if it resolves or rejects with another error */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => new Error("no Problem was thrown"),
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw error;
}

/** Starts a TCP server on loopback, for responses that violate S3 or HTTP. */
export async function startRawServer(
  onConnection: Parameters<typeof createServer>[1],
): Promise<{ server: Server; port: number; endpoint: string; close: () => Promise<void> }> {
  const open = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    onConnection?.(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  return { server, port, endpoint: `http://127.0.0.1:${port}`, close };
}

/**
 * Creates a key with a self-signed certificate for names such as `IP:127.0.0.1`, valid from now on or expired. Skips the
 * calling test if openssl is not installed.
 */
export async function certificate(
  names: string,
  when: "now" | "expired" = "now",
): Promise<{ key: string; cert: string }> {
  if (lacks("openssl")) TestRunner.getCurrentTest<RunnerTestCase | undefined>()?.context.skip(skipNote("openssl"));
  const folder = await mkdtemp(join(tmpdir(), "accession-test-"));
  const openssl = (...args: string[]) => promisify(execFile)("openssl", args, { cwd: folder });
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=test"];
  try {
    if (when === "now") {
      await openssl("req", "-x509", ...fresh, "-keyout", "key", "-out", "cert", "-addext", `subjectAltName=${names}`);
    } else {
      await writeFile(join(folder, "conf"), caConfig(names));
      await writeFile(join(folder, "index"), "");
      await openssl("req", "-new", ...fresh, "-keyout", "key", "-out", "request");
      // In older versions of OpenSSL, only the command `ca` can set dates in the past.
      const dates = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"];
      const files = ["-config", "conf", "-keyfile", "key", "-in", "request", "-out", "cert"];
      await openssl("ca", "-batch", "-notext", "-selfsign", ...dates, ...files);
    }
    return { key: await readFile(join(folder, "key"), "utf8"), cert: await readFile(join(folder, "cert"), "utf8") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const caConfig = (names: string) => `[ca]
default_ca = test
[test]
database = index
new_certs_dir = .
default_md = sha256
rand_serial = yes
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = ${names}
`;

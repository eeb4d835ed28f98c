import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accessTo, neverAborted, startRawServer } from "../../../tests/support/data-source/source.ts";
import { Problem } from "../../domain/problems.ts";
import { S3Bucket } from "./s3-bucket.ts";
import { Egress } from "./transport/egress.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234";
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n";
const REFUSED = "HTTP/1.1 404 Not Found\r\nContent-Length: 1000000\r\n\r\n";
const NO_BUCKET = "<Error><Code>NoSuchBucket</Code></Error>";

/** What the server does with each request. */
let answer: (socket: Socket) => void;
let server: Awaited<ReturnType<typeof startRawServer>>;
let egress: Egress;
let counted: string[];

beforeEach(async () => {
  counted = [];
  server = await startRawServer((socket) => socket.once("data", () => answer(socket)));
  const policy = { allowPrivate: true, networks: [] };
  egress = new Egress({ policy, connections: 8, listingTimeoutMs: 120_000 }, (code) => counted.push(code));
});

afterEach(async () => {
  await egress.close();
  await server.close();
});

function stream({ signal = neverAborted, onHead = () => {}, onData = () => {} }: Partial<Parameters> = {}) {
  const source = new S3Bucket(accessTo(server), egress);
  return source.stream({ operation: "read", key: "k", signal }, { onHead, onData });
}

interface Parameters {
  signal: AbortSignal;
  onHead: () => void;
  onData: (chunk: Buffer) => void;
}

const thrower = (error: unknown) => () => {
  throw error;
};

describe("an error of the handler", () => {
  const error = new Error("the disk is full");
  const problem = new Problem("object_changed");

  test.each<[string, Partial<Parameters>, unknown, string[]]>([
    ["at the head", { onHead: thrower(error) }, error, []],
    ["at the data", { onData: thrower(error) }, error, []],
    ["that is a Problem, which counts as a failed request,", { onHead: thrower(problem) }, problem, ["object_changed"]],
  ])("%s is thrown unchanged", async (_, handler, thrown, counts) => {
    answer = (socket) => socket.write(OK);
    await expect(stream(handler)).rejects.toBe(thrown);
    expect(counted).toEqual(counts);
  });

  test("remains the error when the signal is aborted after it", async () => {
    answer = (socket) => socket.write(OK);
    const stop = new AbortController();
    const onData = () => {
      queueMicrotask(() => stop.abort(new Error("too late")));
      throw error;
    };
    await expect(stream({ onData, signal: stop.signal })).rejects.toBe(error);
  });
});

describe("the reason of an aborted signal is thrown and not counted", () => {
  test.each<[string, string]>([
    ["before the head", ""],
    ["within a body", OK],
    ["within the body of a refusal", REFUSED + NO_BUCKET],
  ])("%s", async (_, sent) => {
    const stop = new AbortController();
    const reason = new Problem("wrong_state");
    answer = (socket) => {
      socket.write(sent);
      setTimeout(() => stop.abort(reason), 20);
    };
    await expect(stream({ signal: stop.signal })).rejects.toBe(reason);
    expect(counted).toEqual([]);
  });

  test("before the request", async () => {
    const reason = new Problem("wrong_state");
    await expect(stream({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(counted).toEqual([]);
  });
});

describe("a failure of the connection is returned and counted", () => {
  test.each<[string, string, string]>([
    ["closed before the head", "", "connection_reset"],
    ["closed within a body with a length", OK, "connection_reset"],
    ["closed within a chunked body", CHUNKED, "connection_reset"],
    ["a head that is not HTTP", "220 mail.example.org ESMTP\r\n", "not_s3"],
    ["a body that violates HTTP", `${CHUNKED}what?\r\n`, "connection_reset"],
  ])("%s", async (_, sent, code) => {
    answer = (socket) => socket.end(sent);
    expect((await stream())?.code).toBe(code);
    expect(counted).toEqual([code]);
  });
});

describe("a refusal is returned and counted", () => {
  test("and its handler receives nothing", async () => {
    answer = (socket) => socket.end(`HTTP/1.1 404 Not Found\r\nContent-Length: 40\r\n\r\n${NO_BUCKET}`);
    const received = () => expect.unreachable();
    expect((await stream({ onHead: received, onData: received }))?.code).toBe("bucket_missing");
    expect(counted).toEqual(["bucket_missing"]);
  });

  test("and explained by an incomplete body", async () => {
    answer = (socket) => socket.end(REFUSED + NO_BUCKET);
    expect((await stream())?.code).toBe("bucket_missing");
    expect(counted).toEqual(["bucket_missing"]);
  });

  test("and read no further than its first 64 KiB", async () => {
    let closed = false;
    answer = (socket) => {
      socket.on("close", () => {
        closed = true;
      });
      socket.write(`HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n28\r\n${NO_BUCKET}\r\n`);
      const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`;
      const timer = setInterval(() => (closed ? clearInterval(timer) : socket.write(chunk)), 1);
    };
    expect((await stream())?.code).toBe("bucket_missing");
    await expect.poll(() => closed).toBe(true);
  });
});

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { S3Server } from "../../../../packages/s3-test-server/src/index.ts";
import {
  accessTo,
  BUCKET,
  certificate,
  closedAfterTest,
  localEgress,
  neverAborted,
  problemOf,
  startRawServer,
  startTestS3Server,
} from "../../../../tests/support/data-source/source.ts";
import { Problem } from "../../../domain/problems.ts";
import { listPage } from "../listing/listing.ts";
import { S3Bucket } from "../s3-bucket.ts";
import { Egress } from "./egress.ts";
import { explainFailure } from "./errors.ts";

const forbidding = { policy: { allowPrivate: false, networks: [] }, connections: 2, listingTimeoutMs: 120_000 };

afterEach(() => void vi.unstubAllEnvs());

/** Connects in the same way as undici. */
function connecting(egress: Egress, url: URL): Promise<Socket> {
  const { hostname, host, protocol, port } = url;
  return new Promise((resolve, reject) => {
    egress.connect({ hostname, host, protocol, port }, (error, socket) => {
      if (error === null) resolve(socket as Socket);
      else reject(error);
    });
  });
}

const list = (source: S3Bucket) => listPage(source, { signal: neverAborted });

describe("a target that the policy forbids", () => {
  test.each(["localhost", "[::ffff:127.0.0.1]"])("%s is never connected to", expectRefused);

  test.each(["127.0.0.1", "localhost.", "127.1", "2130706433", "0x7f.1", "0.0.0.0"])(
    "%s is never connected to",
    { tags: "extended" },
    expectRefused,
  );

  async function expectRefused(host: string): Promise<void> {
    // Not every resolver accepts a name with a final dot.
    const codes = host.endsWith(".") ? ["address_refused", "address_unresolvable"] : ["address_refused"];
    let connections = 0;
    const { port } = closedAfterTest(await startRawServer(() => connections++));
    const egress = closedAfterTest(new Egress(forbidding));
    for (const protocol of ["http", "https"]) {
      const error = await connecting(egress, new URL(`${protocol}://${host}:${port}`)).catch((reason) => reason);
      expect(error).toBeInstanceOf(Problem);
      expect(codes).toContain(error.code);
      const endpoint = `${protocol}://${host}:${port}`;
      const problem = await problemOf(list(new S3Bucket(accessTo({ endpoint }), egress)));
      expect(codes).toContain(problem.code);
    }
    expect(connections).toBe(0);
  }

  test("is refused with a message that reveals nothing about the target", async () => {
    const { port } = closedAfterTest(await startRawServer(() => undefined));
    const egress = closedAfterTest(new Egress(forbidding));
    const sentences = [];
    for (const place of [port, 1]) {
      const source = new S3Bucket(accessTo({ endpoint: `http://127.0.0.1:${place}` }), egress);
      sentences.push((await problemOf(list(source))).message);
    }
    expect(sentences[0]).toBe(sentences[1]);
  });

  test("is named if it does not resolve", async () => {
    const egress = closedAfterTest(new Egress(forbidding));
    expect((await problemOf(egress.resolve("nonexistent.invalid"))).code).toBe("address_unresolvable");
  });

  test.each(["EAI_AGAIN", "EAI_FAIL"])("is not reported as unresolvable if the DNS server failed with %s", (code) => {
    const error = Object.assign(new Error(`getaddrinfo ${code}`), { code });
    const { code: named, fault } = explainFailure(error, new URL("http://s3.example.org"));
    expect([named, fault]).toEqual(["name_lookup_failed", "operator"]);
  });

  test("is allowed if its network is configured", async () => {
    const server = closedAfterTest(await startTestS3Server());
    const egress = closedAfterTest(
      new Egress({ ...forbidding, policy: { allowPrivate: false, networks: ["127.0.0.0/8"] } }),
    );
    expect((await list(new S3Bucket(accessTo(server), egress))).objects).toEqual([]);
  });
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("%i is never followed", async (status) => {
    const elsewhere = closedAfterTest(await startTestS3Server());
    const server = closedAfterTest(await startTestS3Server());
    server.addFault({
      fault: { status, body: "", headers: { location: `${elsewhere.endpoint}/${BUCKET}?list-type=2` } },
    });
    const problem = await problemOf(list(new S3Bucket(accessTo(server), closedAfterTest(localEgress()))));
    expect(["redirected", "wrong_region"]).toContain(problem.code);
    expect(elsewhere.history).toEqual([]);
  });

  /** The Problem for a server that answers every request with a redirect to another host. */
  async function redirected(headers: string, body = ""): Promise<Problem> {
    const { endpoint } = closedAfterTest(
      await startRawServer((socket) => {
        const head = `HTTP/1.1 302 Found\r\nLocation: https://evil.example.org/login?next=x\r\n${headers}`;
        socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
      }),
    );
    return problemOf(list(new S3Bucket(accessTo({ endpoint }), closedAfterTest(localEgress()))));
  }

  test("is reported, without any text from the server", async () => {
    const problem = await redirected("");
    expect(problem.code).toBe("redirected");
    expect(problem.message).toContain("(HTTP 302)");
    const hostile = [
      "<Error><Code>See.evil.example.org</Code></Error>",
      "<Error><Code>PermanentRedirect</Code><Endpoint>evil.example.org</Endpoint><Region>evil.example.org</Region></Error>",
      `<Error><Code>TemporaryRedirect</Code><Region>${"evil-".repeat(20)}</Region></Error>`,
      "<Error><Code>TemporaryRedirect</Code><Region>-evil</Region><Message>evil</Message></Error>",
    ];
    const headers = ["", "x-amz-bucket-region: evil.example.org\r\n", "x-amz-bucket-region: evil/..\r\n"];
    for (const body of hostile) {
      for (const more of headers) {
        const { message, extra } = await redirected(more, body);
        expect(JSON.stringify([message, extra])).not.toContain("evil");
      }
    }
  });

  test("names the region if it is one", async () => {
    for (const region of ["eu-west-1", "EU", "RegionOne", "nyc3", "default"]) {
      const body = `<Error><Code>TemporaryRedirect</Code><Region>${region}</Region></Error>`;
      expect((await redirected("", body)).message).toContain(`“${region}”`);
      expect((await redirected(`x-amz-bucket-region: ${region}\r\n`)).message).toContain(`“${region}”`);
    }
  });
});

describe("the environment", () => {
  test("has no influence through proxies or AWS settings", async () => {
    let connections = 0;
    const { endpoint } = closedAfterTest(await startRawServer(() => connections++));
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]) {
      vi.stubEnv(name, endpoint);
    }
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    vi.stubEnv("NO_PROXY", "");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKENVIRONMENT");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-environment");
    vi.stubEnv("AWS_SESSION_TOKEN", "token-of-environment");
    vi.stubEnv("AWS_REGION", "eu-environment-1");
    vi.stubEnv("AWS_ENDPOINT_URL", endpoint);
    const server = closedAfterTest(await startTestS3Server());
    server.createBucket("open-data", { public: true });
    const egress = closedAfterTest(localEgress());
    await list(new S3Bucket(accessTo(server), egress));
    await list(new S3Bucket({ endpoint: server.endpoint, bucket: "open-data" }, egress));
    expect(connections).toBe(0);
    expect(server.history.map(({ status }) => status)).toEqual([200, 200]);
    expect(JSON.stringify(server.history)).not.toContain("environment");
  });

  test("cannot disable the verification of certificates", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const server = closedAfterTest(await startTestS3Server({ tls: await certificate("IP:127.0.0.1") }));
    const problem = await problemOf(list(new S3Bucket(accessTo(server), closedAfterTest(localEgress()))));
    expect(problem.code).toBe("tls_untrusted");
  });
});

describe("TLS", () => {
  test("trusts the operator’s certificate authority, and verifies the name in the certificate", async () => {
    const tls = await certificate("IP:127.0.0.1");
    const server = closedAfterTest(await startTestS3Server({ tls }));
    const egress = closedAfterTest(localEgress({ ca: [tls.cert] }));
    expect((await list(new S3Bucket(accessTo(server), egress))).objects).toEqual([]);
    const endpoint = server.endpoint.replace("127.0.0.1", "localhost");
    expect((await problemOf(list(new S3Bucket(accessTo({ endpoint }), egress)))).code).toBe("tls_wrong_host");
  });
});

describe("behind a proxy", () => {
  let server: S3Server;

  beforeEach(async () => {
    server = closedAfterTest(await startTestS3Server());
    server.put(BUCKET, "k", "content");
  });

  /** A minimal proxy that supports CONNECT and records requests. */
  async function proxy(answer?: string): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const { port } = closedAfterTest(
      await startRawServer((client) => {
        client.once("data", (head) => {
          asked.push(head.toString("latin1"));
          const [, host = "", onPort] = /^CONNECT \[?([^\]\s]+?)\]?:(\d+) HTTP/.exec(head.toString("latin1")) ?? [];
          if (answer !== undefined) return client.end(answer);
          const upstream = connect(Number(onPort), host, () => {
            client.write("HTTP/1.1 200 Connection established\r\n\r\n");
            upstream.pipe(client).pipe(upstream);
          });
          upstream.on("error", () => client.destroy());
          client.on("close", () => upstream.destroy());
        });
      }),
    );
    return { url: `http://127.0.0.1:${port}`, asked };
  }

  const keysOf = async (source: S3Bucket) => (await list(source)).objects.map(({ key }) => key);

  test("a bucket is read over plain HTTP, and the proxy receives an address", async () => {
    const { url, asked } = await proxy();
    const egress = closedAfterTest(localEgress({ proxy: url }));
    const endpoint = server.endpoint.replace("127.0.0.1", "localhost");
    expect(await keysOf(new S3Bucket(accessTo({ endpoint }), egress))).toEqual(["k"]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(new RegExp(`^CONNECT (127\\.0\\.0\\.1|\\[::1\\]):${server.port} HTTP/1.1\r\n`));
    expect(asked[0]).not.toContain("localhost");
    expect(server.history[0]?.headers.host).toBe(`localhost:${server.port}`);
  });

  test("a bucket is read over TLS, and the name in the certificate is verified", async () => {
    const tls = await certificate("DNS:localhost");
    const secure = closedAfterTest(await startTestS3Server({ tls }));
    const { url, asked } = await proxy();
    const egress = closedAfterTest(localEgress({ proxy: url, ca: [tls.cert] }));
    const endpoint = secure.endpoint.replace("127.0.0.1", "localhost");
    expect(await keysOf(new S3Bucket(accessTo({ endpoint }), egress))).toEqual([]);
    expect(asked).toHaveLength(1);
    expect((await problemOf(list(new S3Bucket(accessTo(secure), egress)))).code).toBe("tls_wrong_host");
  });

  test("the address policy is applied before CONNECT", async () => {
    const { url, asked } = await proxy();
    const egress = closedAfterTest(new Egress({ ...forbidding, proxy: url }));
    for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:7f00:1]"]) {
      const problem = await problemOf(
        list(new S3Bucket(accessTo({ endpoint: `http://${host}:${server.port}` }), egress)),
      );
      expect(problem.code).toBe("address_refused");
      await expect(connecting(egress, new URL(`http://${host}`))).rejects.toThrow(Problem);
    }
    expect(asked).toEqual([]);
  });

  test("its password is sent only to the proxy", async () => {
    const { url, asked } = await proxy();
    const egress = closedAfterTest(localEgress({ proxy: url.replace("//", "//user:p%40ss@") }));
    expect(await keysOf(new S3Bucket(accessTo(server), egress))).toEqual(["k"]);
    const basic = Buffer.from("user:p@ss").toString("base64");
    expect(asked[0]?.toLowerCase()).toContain(`proxy-authorization: basic ${basic}`.toLowerCase());
    expect(JSON.stringify(server.history)).not.toContain(basic);
  });

  test.each([
    ["refuses", "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"],
    ["does not reach the target", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"],
    ["is not a proxy", "<html>"],
  ])("a proxy that %s requires action by the operator", async (_, answer) => {
    const { url } = await proxy(answer);
    const problem = await problemOf(list(new S3Bucket(accessTo(server), closedAfterTest(localEgress({ proxy: url })))));
    expect([problem.code, problem.fault]).toEqual(["network_unreachable", "operator"]);
    expect(problem.message).toMatch(/^This service’s proxy /);
  });

  test("an unavailable proxy requires action by the operator", async () => {
    const gone = await startRawServer(() => undefined);
    await gone.close();
    const problem = await problemOf(
      list(new S3Bucket(accessTo(server), closedAfterTest(localEgress({ proxy: gone.endpoint })))),
    );
    expect([problem.code, problem.fault]).toEqual(["network_unreachable", "operator"]);
  });
});

test("ends its connections when it is closed", async () => {
  const server = closedAfterTest(await startTestS3Server());
  server.addFault({ fault: { stall: "forever" } });
  const egress = localEgress();
  const request = list(new S3Bucket(accessTo(server), egress)).catch((error: unknown) => error);
  await vi.waitFor(() => expect(server.history).toHaveLength(1));
  await egress.close();
  expect(await request).toBeInstanceOf(Error);
});

test("an aborted request ends with the reason of the abort", async () => {
  const { server, endpoint } = closedAfterTest(await startRawServer(() => undefined));
  const connected = once(server, "connection");
  const stop = new AbortController();
  const request = listPage(new S3Bucket(accessTo({ endpoint }), closedAfterTest(localEgress())), {
    signal: stop.signal,
  });
  const outcome = request.catch((error: unknown) => error);
  await connected;
  const reason = new Error("enough");
  stop.abort(reason);
  expect(await outcome).toBe(reason);
});

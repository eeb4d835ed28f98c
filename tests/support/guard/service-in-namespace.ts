/**
 * Runs in a separate network namespace (tests/security/guard-namespace.test.ts): the service with the rules of a public
 * address, canary servers on every forbidden address, and requests for all their spellings. Prints the result as JSON.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startService } from "../../../src/main/start.ts";
import { send } from "../../../src/notify/webhook/send.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { Egress } from "../../../src/source/s3/transport/egress.ts";
import { Api, goodMetadata } from "../api/api.ts";
import { startDnsServer, type Zone } from "./dns-server.ts";

export interface Outcome {
  /** Forbidden local addresses that received a connection. */
  hits: string[];
  publicHits: number;
  /** Canaries that did not receive the connection of the self-test. */
  unreachable: string[];
  /** The tested endpoints, with the error codes of the responses. */
  tried: Record<string, string[]>;
  /** Deliveries over plain HTTP to a name that later resolves to a public address: error codes, and number that arrived. */
  moved: { codes: (string | undefined)[]; arrived: number };
  /** Number of connections that one client address can hold open, and the status of a request from another address. */
  manyConnections: { open: number; others: number };
}

const [, , data = "", publicIpv4 = "", publicIpv6 = "", ...canaries] = process.argv;
const PORTS = [80, 443, 9000];
const METADATA = "169.254.169.254";
const reached: string[] = [];
let publicHits = 0;

const zone: Zone = {
  "metadata.test": { a: [[METADATA]] },
  "private.test": { a: [["10.1.2.3"]] },
  "loop.test": { a: [["127.0.0.1"]], aaaa: [["::1"]] },
  "six.test": { aaaa: [["fd00:ec2::254"]] },
  "mapped.test": { aaaa: [["::ffff:a9fe:a9fe"]] },
  "nat64.test": { aaaa: [["64:ff9b::a9fe:a9fe"]] },
  "sixtofour.test": { aaaa: [["2002:a9fe:a9fe::1"]] },
  "broken.test": { fails: true },
  "both.test": { a: [[METADATA, publicIpv4]] },
  "rebind.test": { a: [[publicIpv4], [METADATA], [publicIpv4], [METADATA], [publicIpv4], ["10.1.2.3"]] },
  "flip.test": { a: [[publicIpv4], [METADATA]] },
  "moves.test": { a: [["10.1.2.3"], ["10.1.2.3"], [publicIpv4]] },
  "public.test": { a: [[publicIpv4]], aaaa: [[publicIpv6]] },
};

const spellings = [
  ...[METADATA, "169.254.169.254.", "169.254.43518", "169.16689662", "2852039166", "0xa9fea9fe", "0xa9.0xfe.0xa9.0xfe"],
  ...[
    "0251.0376.0251.0376",
    "025177524776",
    "169.254.0xa9fe",
    "0XA9FEA9FE",
    "١٦٩.٢٥٤.١٦٩.٢٥٤",
    "１６９.２５４.１６９.２５４",
    "169。254。169。254",
  ],
  ...[
    "127.1",
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "0",
    "0.0.0.0",
    "localhost",
    "localhost.",
    "LOCALHOST",
  ],
  ...[
    "[::]",
    "[::1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::169.254.169.254]",
    "[::ffff:0:169.254.169.254]",
  ],
  ...[
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[fe80::1%lo]",
  ],
  ...["[fd00:ec2::254]", "[fd12:3456::1]", "[FD00:EC2::254]", "[0:0:0:0:0:ffff:a9fe:a9fe]"],
  ...["10.1.2.3", "172.16.1.2", "192.168.1.2", "100.64.1.2", "100.100.100.200", "198.18.0.1", "10.1.515", "167838211"],
  ...[`user@${METADATA}`, `${publicIpv4}@${METADATA}`, `${METADATA}#@${publicIpv4}`, `${publicIpv4}\\@${METADATA}`],
  ...[`${publicIpv4}%00.${METADATA}`, `${publicIpv4}\r\nHost: ${METADATA}`, `${METADATA}:80@${publicIpv4}`],
  ...Object.keys(zone).filter((name) => !/both|rebind|flip|moves|public/.test(name)),
];
const resolvingToPublic = ["both.test", "rebind.test", "flip.test", "public.test", publicIpv4, `[${publicIpv6}]`];

/** Responses of the public addresses: redirects to forbidden addresses, each a different one. */
const redirects = [301, 302, 303, 307, 308].flatMap((status) =>
  [
    `http://${METADATA}/`,
    "http://10.1.2.3:9000/",
    "http://[fd00:ec2::254]/",
    "http://metadata.test/",
    "//127.0.0.1:9000/",
  ].map(
    (location) =>
      `HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nx-amz-bucket-region: eu-elsewhere-1\r\nContent-Length: 0\r\n\r\n`,
  ),
);

async function listen(): Promise<void> {
  for (const port of PORTS) {
    const server = createServer((socket) => {
      const local = (socket.localAddress ?? "").replace(/^::ffff:(?=\d)|%.*$/g, "");
      socket.on("error", () => undefined);
      if (local !== publicIpv4 && local !== publicIpv6) {
        reached.push(local);
        socket.destroy();
        return;
      }
      socket.on("data", () => socket.write(redirects[publicHits++ % redirects.length] ?? ""));
    });
    server.listen(port, "::");
    await once(server, "listening");
    server.unref();
  }
}

/** Self-test: connects to every canary, to make sure that it would have received a connection. */
async function callCanaries(): Promise<string[]> {
  for (const address of canaries) {
    const socket = connect(9000, address.startsWith("fe80") ? `${address}%lo` : address);
    socket.on("error", () => undefined);
    await Promise.race([once(socket, "close"), sleep(2_000)]);
  }
  return canaries.filter((address) => !reached.includes(address));
}

/** One client address opens more connections than the limit. */
async function openManyConnections(): Promise<Outcome["manyConnections"]> {
  const sockets: Socket[] = [];
  // The batches are smaller than the backlog of the server.
  for (let batch = 0; batch < 6; batch++) {
    const fresh = Array.from({ length: 200 }, () => connect({ port, host: publicIpv4, localAddress: publicIpv4 }));
    // Only a socket that is read notices that it is closed.
    for (const socket of fresh) socket.on("error", () => undefined).resume();
    await Promise.all(fresh.map((socket) => once(socket, "connect")));
    sockets.push(...fresh);
  }
  const countOpen = () => sockets.filter((socket) => !socket.closed).length;
  for (let waits = 0; countOpen() > 1_000 && waits < 200; waits++) await sleep(50);
  const { status } = await api.get("/submission");
  const open = countOpen();
  for (const socket of sockets) socket.destroy();
  return { open, others: status };
}

/** Delivers to a webhook in an allowed network whose name later resolves to a public address: over HTTP, and over HTTPS, which is allowed. */
async function deliverToMoved(): Promise<Outcome["moved"]> {
  const inside = new Egress({
    policy: { allowPrivate: false, networks: ["10.1.2.0/24"] },
    connections: 2,
    listingTimeoutMs: 120_000,
  });
  const before = publicHits;
  const codes: (string | undefined)[] = [];
  for (const url of ["http://moves.test", "http://moves.test", "http://moves.test", `http://${publicIpv4}`]) {
    const { problem } = await send(inside, { url, headers: {}, body: "{}" }, new AbortController().signal);
    codes.push(problem?.code);
  }
  const arrived = publicHits - before;
  const secure = await send(inside, { url: "https://moves.test", headers: {}, body: "{}" }, AbortSignal.timeout(5_000));
  codes.push(secure.problem?.code);
  await inside.close();
  return { codes, arrived };
}

await listen();
const resolver = await startDnsServer(zone, 53);
const config = readConfig({
  ACCESSION_DATA: data,
  ACCESSION_PORT: "0",
  ACCESSION_LOG_LEVEL: "silent",
  ACCESSION_RATE_LIMIT_CHECKS: "0",
});
// Uses the rules of a service that does not only listen on loopback.
const service = await startService({ ...config, host: "0.0.0.0", loopback: false, privateEndpoints: false });
const port = Number(new URL(service.url).port);
const api = new Api(`http://127.0.0.1:${port}`);
const egress = new Egress({ policy: { allowPrivate: false, networks: [] }, connections: 2, listingTimeoutMs: 120_000 });
const tried: Record<string, string[]> = {};

async function ask(endpoint: string): Promise<string[]> {
  const s3Access = { endpoint, bucket: "bucket", accessKey: "AK", secretKey: "secret" };
  const [, ...answers] = await Promise.all([
    api.post("/submission/upload/s3check/report", { ...s3Access, pathStyle: false }),
    api.post("/submission/upload/s3check", s3Access),
    api.post("/submission/upload/s3preview", s3Access),
    api.post("/submission/upload/s3metadata", s3Access),
    api.post("/submission/upload/s3upload", { metadata: goodMetadata, s3Access }),
  ]);
  return answers.map(({ status, json }) => json?.code ?? String(status));
}

/** Connects with the egress directly, without the checks of endpoints. */
async function dial(host: string, port: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  egress.connect({ hostname: host, host: `${host}:${port}`, protocol: "http:", port: String(port) }, (_, socket) => {
    socket?.destroy();
    resolve();
  });
  await Promise.race([promise, sleep(5_000)]);
  const origin = `http://${host}:${port}`;
  if (!URL.canParse(origin)) return;
  const request = egress.dispatcher.request({ origin, path: "/", method: "GET" });
  await Promise.race([request.then(({ body }) => body.dump()).catch(() => undefined), sleep(5_000)]);
}

// Refusals are delayed, so that their timing reveals nothing. Many requests therefore run in parallel.
const hosts = [...spellings, ...resolvingToPublic].values();
async function tryHosts(): Promise<void> {
  for (const host of hosts) {
    for (const endpoint of [`http://${host}`, `http://${host}:9000`, `https://${host}`])
      tried[endpoint] = await ask(endpoint);
    for (const port of PORTS) await dial(host, port);
  }
}
await Promise.all(Array.from({ length: 16 }, tryHosts));
// Repeats requests to names whose address changes between DNS queries.
for (let round = 0; round < 6; round++) {
  for (const host of ["rebind.test", "flip.test", "both.test"]) await ask(`http://${host}`);
}
const hits = [...reached];
reached.length = 0;
const deaf = await callCanaries();
const moved = await deliverToMoved();
const crowded = await openManyConnections();
await service.stop();
await egress.close();
resolver.close();
process.stdout.write(
  JSON.stringify({ hits, publicHits, unreachable: deaf, tried, moved, manyConnections: crowded } satisfies Outcome),
  () => process.exit(0),
);

/** @module-tag extended */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { createDataFolder } from "../support/database/embedded-template.ts";
import type { Outcome } from "../support/guard/service-in-namespace.ts";

const PUBLIC = ["93.184.215.14", "2606:2800:21f::14"];
const CANARIES = [
  ...["169.254.169.254", "10.1.2.3", "172.16.1.2", "192.168.1.2", "100.64.1.2", "100.100.100.200", "198.18.0.1"],
  ...["127.0.0.1", "::1", "fd00:ec2::254", "fd12:3456::1", "fe80::1"],
];
const script = join(import.meta.dirname, "../support/guard/service-in-namespace.ts");

const INSTALL = "apt-get install -y util-linux iproute2";

/** Returns why this machine cannot create a separate network namespace, or undefined if it can. */
function obstacle(): string | undefined {
  if (process.platform !== "linux") return "requires Linux";
  for (const tool of ["unshare", "ip"]) {
    if (spawnSync(tool, ["--help"]).error !== undefined) return INSTALL;
  }
  const { status } = spawnSync("unshare", ["--net", "--mount", "ip", "link", "set", "lo", "up"]);
  return status === 0 ? undefined : "requires root, and a system that lets root create network namespaces";
}

const missing = obstacle();
if (missing === INSTALL && process.env.CI === "true") throw new Error(`The address canaries cannot run: ${missing}`);

/** Runs the script in a network namespace that has only these addresses, and in which the script resolves all names. */
async function run(): Promise<Outcome> {
  const data = await createDataFolder();
  const folder = await mkdtemp(join(tmpdir(), "accession-guard-"));
  const resolv = join(folder, "resolv.conf");
  await writeFile(resolv, "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
  const addresses = [...PUBLIC, ...CANARIES].filter((address) => address !== "127.0.0.1" && address !== "::1");
  const commands = [
    "set -e",
    "ip link set lo up",
    ...addresses.map((address) =>
      address.includes(":") ? `ip -6 addr add ${address}/128 dev lo nodad` : `ip addr add ${address}/32 dev lo`,
    ),
    `mount --bind ${resolv} "$(readlink -f /etc/resolv.conf)"`,
    'exec "$@"',
  ];
  const inside = [process.execPath, script, data, ...PUBLIC, ...CANARIES];
  const proxy = "http://10.1.2.3:9000";
  const env = {
    PATH: process.env.PATH,
    // The test sends its requests to the service directly.
    NO_PROXY: "127.0.0.1",
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: "1" },
    ...{ AWS_ENDPOINT_URL: proxy, AWS_ACCESS_KEY_ID: "AKENV", AWS_SECRET_ACCESS_KEY: "secret-of-environment" },
  };
  try {
    const args = ["--net", "--mount", "sh", "-c", commands.join("\n"), "sh", ...inside];
    const { stdout } = await promisify(execFile)("unshare", args, { env, timeout: 110_000, maxBuffer: 2 ** 24 });
    return JSON.parse(stdout);
  } finally {
    await rm(data, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

describe.skipIf(missing !== undefined)(
  `address canaries in a separate network${missing ? ` (${missing})` : ""}`,
  () => {
    let outcome: Outcome;
    beforeAll(async () => {
      outcome = await run();
    });

    test("are never reached: with all spellings, names, rebinding names, redirects and the environment’s proxies", () => {
      expect(outcome.hits).toEqual([]);
      expect(Object.keys(outcome.tried).length).toBeGreaterThan(150);
    });

    test("can receive requests: each receives a direct request, and public addresses have received requests", () => {
      expect(outcome.unreachable).toEqual([]);
      expect(outcome.publicHits).toBeGreaterThan(30);
    });

    test("are refused by name or by rule, and no request is accepted", () => {
      const all = Object.entries(outcome.tried);
      expect(all.filter(([, codes]) => codes.some((code) => /^20\d|^5\d\d|internal/.test(code)))).toEqual([]);
      const metadata = outcome.tried["http://169.254.169.254"];
      expect(metadata).toEqual(["400", "address_refused", "address_refused", "source_check_failed"]);
    });

    test("no delivery is sent to the Internet over plain HTTP, also if the webhook’s host name resolves to a public address later", () => {
      const [first, second, ...others] = outcome.moved.codes;
      expect([first, second]).toEqual(["connection_reset", "connection_reset"]);
      // The third delivery uses TLS, for which there is no server.
      expect(others).toEqual(["address_refused", "address_refused", expect.not.stringContaining("address_refused")]);
      expect(outcome.moved.arrived).toBe(0);
    });

    test("one client address cannot use all connections of the service", () => {
      expect(outcome.manyConnections).toEqual({ open: 1_000, others: 200 });
    });
  },
);

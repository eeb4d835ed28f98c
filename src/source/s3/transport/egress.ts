import { type LookupAddress, lookup } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, isIPv6, type OnReadOpts, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext, type SecureContext } from "node:tls";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { Code } from "../../../domain/problems.ts";
import { Problem } from "../../../domain/problems.ts";
import { RoleKeys } from "../roles/role-keys.ts";
import { StsClient, type StsOptions } from "../roles/sts-client.ts";
import { KnownServers } from "../server-traits.ts";
import { type AddressPolicy, addressRefusedProblem, isAllowedAddress } from "./address-policy.ts";
import { sharedBuffer } from "./connection.ts";
import { Connections } from "./connections.ts";
import { explainFailure } from "./errors.ts";
import { type MinimumRate, StallDetector } from "./stall-detector.ts";

/** The target of a tunnel. `host` is its name in messages, `address` is sent to the proxy. */
interface TunnelTarget {
  host: string;
  address: string;
  port: number;
}

export interface EgressOptions {
  policy: AddressPolicy;
  /** PEM of certificate authorities that replace the default ones. */
  ca?: string[];
  /** URL of the proxy for all connections. Proxies of the environment are ignored. */
  proxy?: string;
  /** Maximum number of connections to one endpoint. */
  connections: number;
  /** Minimum throughput of a response body. Slower responses are aborted. */
  least?: MinimumRate;
  /** Milliseconds that a server may take for a page of a listing. Large object stores search for minutes. */
  listingTimeoutMs: number;
  /** The identity with which roles are assumed. Without it, they are refused. */
  sts?: StsOptions;
}

const CONNECT_TIMEOUT_MS = 8_000;
/** Duration of every refusal. Longer than most name lookups. */
const REFUSAL_DELAY_MS = 250;
/** Silence after which a request fails, before its headers and within its body. */
const SILENCE_TIMEOUT_MS = 30_000;

/**
 * All outgoing connections to callers' endpoints; one instance for each process. The address policy is applied in the
 * connector, to the addresses that are really connected to. It covers names and literal addresses, every new
 * connection, and connections through a proxy. Environment variables for proxies or TLS verification are ignored.
 */
export class Egress {
  /** For responses whose body the reader requests in its own time. */
  readonly dispatcher: Dispatcher;
  /** For responses that a handler receives as they arrive: a chunk is valid until the handler returns. */
  readonly connections: Connections;
  /** For confidential requests. They are not sent over plain HTTP to a public address. */
  readonly discreet: Dispatcher;
  readonly connect: buildConnector.connector;
  readonly stallDetector: StallDetector;
  /** As in {@link EgressOptions}. */
  readonly listingTimeoutMs: number;
  /** As `connections` in {@link EgressOptions}. */
  readonly connectionsPerEndpoint: number;
  /** What requests have shown about the servers. */
  readonly servers = new KnownServers();
  /** Keys of the roles that are assumed. */
  readonly roles: RoleKeys;
  /** Called for every failed request, also if it is retried. */
  readonly failed: (code: Code) => void;
  readonly #policy: AddressPolicy;
  /** Shared by all connections, because reading additional certificate authorities takes several milliseconds. */
  readonly #secureContext: SecureContext;

  constructor(options: EgressOptions, failed: (code: Code) => void = () => undefined) {
    this.failed = failed;
    this.#policy = options.policy;
    this.listingTimeoutMs = options.listingTimeoutMs;
    this.connectionsPerEndpoint = options.connections;
    this.#secureContext = createSecureContext(options.ca && { ca: options.ca });
    this.connect = this.#connector(options);
    this.stallDetector = new StallDetector(options.least);
    const limits = {
      connections: options.connections,
      headersTimeout: SILENCE_TIMEOUT_MS,
      bodyTimeout: SILENCE_TIMEOUT_MS,
      pipelining: 1,
    };
    this.dispatcher = new Agent({ ...limits, connect: this.connect });
    const streaming = this.#connector(options, { onread: sharedBuffer() });
    this.connections = new Connections(streaming, options.connections, SILENCE_TIMEOUT_MS);
    const { sts, ca, proxy } = options;
    this.roles = new RoleKeys(sts && new StsClient(sts, { ca, proxy }));
    this.discreet = new Agent({ ...limits, connect: this.#discreetConnector(options) });
  }

  /**
   * The allowed addresses of a host.
   * @throws Problem `address_unresolvable`, `name_lookup_failed`, or `address_refused` if none of them is allowed
   */
  async resolve(host: string, policy = this.#policy): Promise<string[]> {
    const started = performance.now();
    const name = bare(host);
    if (isIP(name) !== 0) {
      if (!isAllowedAddress(name, policy)) return this.#refuse(host, started);
      return [name];
    }
    const addresses = await new Promise<LookupAddress[]>((resolve, reject) => {
      lookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
    }).catch((cause: unknown) => {
      throw explainFailure(cause, new URL(`http://${host}`));
    });
    const allowed = addresses.map(({ address }) => address).filter((one) => isAllowedAddress(one, policy));
    if (allowed.length === 0) return this.#refuse(host, started);
    return allowed;
  }

  /** Closes every connection. Current requests are rejected. */
  async close(): Promise<void> {
    this.stallDetector.close();
    this.connections.close();
    await Promise.all([this.dispatcher.destroy(), this.discreet.destroy(), this.roles.close()]);
  }

  /**
   * Refuses a host. All refusals take the same time, so that they reveal nothing about names in the internal network.
   */
  async #refuse(host: string, started: number): Promise<never> {
    await sleep(Math.max(0, REFUSAL_DELAY_MS - (performance.now() - started)));
    throw addressRefusedProblem(host);
  }

  #connector(
    { proxy }: EgressOptions,
    { policy = this.#policy, onread }: { policy?: AddressPolicy; onread?: OnReadOpts } = {},
  ): buildConnector.connector {
    const tls = {
      secureContext: this.#secureContext,
      rejectUnauthorized: true,
      allowH2: false,
      timeout: CONNECT_TIMEOUT_MS,
    };
    if (proxy !== undefined) return this.#throughProxy(new URL(proxy), policy, buildConnector(tls));
    const connect = buildConnector({ ...tls, ...(onread && { onread }), lookup: this.#lookup(policy) as never });
    return (target, callback) => {
      const host = bare(target.hostname);
      // Literal addresses are not looked up.
      if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) {
        this.resolve(target.hostname, policy).catch((error: Error) => callback(error, null));
      } else connect({ ...target, hostname: host }, callback);
    };
  }

  #discreetConnector(options: EgressOptions): buildConnector.connector {
    const plain = this.#connector(options, { policy: { ...this.#policy, refusePublic: true } });
    return (target, callback) => (target.protocol === "https:" ? this.connect : plain)(target, callback);
  }

  #throughProxy(proxy: URL, policy: AddressPolicy, upgrade: buildConnector.connector): buildConnector.connector {
    const open = async ({ hostname, port, protocol }: buildConnector.Options) => {
      const [address = ""] = await this.resolve(hostname, policy);
      const secure = protocol === "https:";
      return openTunnel(
        proxy,
        { host: hostname, address, port: Number(port || (secure ? 443 : 80)) },
        CONNECT_TIMEOUT_MS,
      );
    };
    return (target, callback) => {
      open(target).then(
        (socket) => {
          if (target.protocol !== "https:") callback(null, socket);
          else upgrade({ ...target, hostname: bare(target.hostname), httpSocket: socket }, callback);
        },
        (error: Error) => callback(error, null),
      );
    };
  }

  /** A lookup function with the interface of dns.lookup, for net.connect. */
  #lookup(policy: AddressPolicy) {
    return (
      host: string,
      options: { all?: boolean },
      callback: (error: Error | null, address?: string | LookupAddress[], family?: number) => void,
    ): void => {
      this.resolve(host, policy).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          if (options.all) callback(null, found);
          else callback(null, found[0]?.address ?? "", found[0]?.family ?? 4);
        },
        (error: Error) => callback(error),
      );
    };
  }
}

/** A host from a URL, without the brackets of IPv6. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

/**
 * Opens a connection through an HTTP proxy with CONNECT (RFC 9110, section 9.3.6). The proxy receives an address
 * instead of a name, because it might resolve the name to an address that is not allowed.
 *
 * @throws Problem `network_unreachable` about the proxy, or about a target that it does not reach
 */
async function openTunnel(proxy: URL, target: TunnelTarget, timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const address = isIPv6(target.address) ? `[${target.address}]` : target.address;
  const authority = `${address}:${target.port}`;
  const request = (proxy.protocol === "https:" ? requestSecure : requestPlain)({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || undefined,
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...credentials(proxy) },
    agent: false,
  });
  const late = setTimeout(() => request.destroy(new Error("The proxy does not answer")), timeoutMs);
  const fail = (why: string, cause?: unknown) =>
    reject(new Problem("network_unreachable", `This service’s proxy ${why}`, { cause }));
  request.once("connect", ({ statusCode = 0 }, socket: Socket, head) => {
    if (statusCode >= 200 && statusCode < 300 && head.length === 0) return resolve(socket);
    socket.destroy();
    fail(`did not connect to “${target.host}” (HTTP ${statusCode})`);
  });
  // A proxy that answers CONNECT like any other request does not support it.
  request.once("response", (response) => {
    response.destroy();
    fail(`did not connect to “${target.host}” (HTTP ${response.statusCode})`);
  });
  request.once("error", (error) => fail("cannot be reached", error));
  request.end();
  return promise.finally(() => clearTimeout(late));
}

function credentials({ username, password }: URL): { "proxy-authorization"?: string } {
  if (username === "" && password === "") return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain).toString("base64")}` };
}

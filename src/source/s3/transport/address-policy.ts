import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Problem } from "../../../domain/problems.ts";

/** The addresses to which callers' endpoints may resolve. */
export interface AddressPolicy {
  /** True while the service listens on loopback only: loopback and private networks are then allowed. */
  allowPrivate: boolean;
  /** CIDRs of further non-public networks that are allowed. */
  networks: readonly string[];
  /** Set if public addresses are refused, too. */
  refusePublic?: true;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Cloud metadata services outside the link-local ranges: Alibaba, Azure, Oracle, AWS, Google, Scaleway. */
const METADATA = [
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "fd00:c1::a9fe:a9fe/128",
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  "fd00:42::42/128",
];
const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);
/** Not public either, but in use in some laboratories. Allowed if they are configured. */
const RESERVED_RANGES = new Set(["reserved", "benchmarking", "deprecatedSiteLocal"]);

/**
 * Whether a connection to this literal address (as net.isIP accepts it) is allowed. Public addresses are allowed unless
 * the policy refuses them; private and reserved ones according to the policy; link-local, metadata, unspecified,
 * multicast and other special ranges never. An IPv4 address inside an IPv6 one is judged as IPv4 if it is the whole
 * target (IPv4-mapped, NAT64); tunnels are refused.
 */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0) return false;
  const target = unwrapped(parse(address.split("%")[0] ?? ""));
  if (METADATA.some((network) => contains(network, target))) return false;
  if (isPublic(target)) return policy.refusePublic !== true;
  const range = target.range();
  if (PRIVATE_RANGES.has(range) && policy.allowPrivate) return true;
  if (!PRIVATE_RANGES.has(range) && !RESERVED_RANGES.has(range)) return false;
  return policy.networks.some((network) => contains(network, target));
}

/** Whether this literal address (as net.isIP accepts it) is public. */
export function isPublicAddress(address: string): boolean {
  return isAllowedAddress(address, { allowPrivate: false, networks: [] });
}

function parse(address: string): Address {
  // URL writes IPv6 in hexadecimal only; ipaddr.js takes `::1.2.3.4` for `::ffff:1.2.3.4`.
  return ipaddr.parse(address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address);
}

function unwrapped(address: Address): Address {
  const wraps = contains("::ffff:0:0/96", address) || contains("64:ff9b::/96", address);
  return wraps ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  // All that IANA has allocated so far. Excludes, for instance, the old IPv4-compatible addresses.
  return address.kind() === "ipv4" || (contains("2000::/3", address) && !isTunnelEnd(address));
}

/** Whether an address contains an ISATAP marker (RFC 5214, section 6.1) before an embedded IPv4 address. */
function isTunnelEnd(address: Address): boolean {
  const mark = Buffer.from(address.toByteArray().slice(8, 12)).toString("hex");
  return mark === "00005efe" || mark === "02005efe";
}

function contains(network: string, address: Address): boolean {
  const [range, bits] = ipaddr.parseCIDR(network);
  return range.kind() === address.kind() && address.match(range, bits);
}

/** The same Problem for every refused target, so that it reveals nothing about the network. */
export function addressRefusedProblem(host: string): Problem {
  return new Problem("address_refused", `This service may not connect to “${host}”`);
}

import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { listed } from "../../../../tests/support/listed.ts";
import { type AddressPolicy, isAllowedAddress } from "./address-policy.ts";

const closed: AddressPolicy = { allowPrivate: false, networks: [] };
const local: AddressPolicy = { allowPrivate: true, networks: [] };
const everything: AddressPolicy = { allowPrivate: true, networks: ["0.0.0.0/0", "::/0"] };

const isPublic = listed`
  1.1.1.1 | 8.8.8.8 | 52.216.1.1 | 223.255.255.255 | 2606:4700::1111 | 2a01:4f8::1 | 2620:fe::fe
`;
const isPrivate = [
  ...["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255"],
  ...["127.0.0.1", "127.255.255.254", "::1", "fc00::1", "fd12:3456::1"],
];
const isReserved = [
  ...["192.0.0.1", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "240.0.0.1"],
  ...["2001:db8::1", "3fff::1", "fec0::1", "2001:2::1", "2001:1ff::1"],
];
const isNever = [
  ...["0.0.0.0", "0.1.2.3", "::", "255.255.255.255", "224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  // Link-local.
  ...["169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "fe80::1%eth0", "febf::1", "fe80::a9fe:a9fe"],
  // Cloud metadata elsewhere.
  ...["100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"],
  ...["fd00:c1::a9fe:a9fe", "fd00:42::42"],
  // Not assigned, discarded, or for special protocols.
  ...["100::1", "5f00::1", "4000::1", "e000::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1"],
  ...["192.31.196.1", "192.175.48.1", "192.52.193.1"],
];

describe("an address is allowed", () => {
  test.each(isPublic)("%s always, because it is public", (address) => {
    for (const policy of [closed, local, everything]) expect(isAllowedAddress(address, policy)).toBe(true);
  });

  test.each(isPrivate)("%s while the service listens on loopback, or if it is configured", (address) => {
    expect(isAllowedAddress(address, closed)).toBe(false);
    expect(isAllowedAddress(address, local)).toBe(true);
    const bits = address.includes(":") ? 128 : 32;
    expect(isAllowedAddress(address, { allowPrivate: false, networks: [`${address}/${bits}`] })).toBe(true);
    expect(isAllowedAddress(address, { allowPrivate: false, networks: ["10.99.0.0/16", "fd99::/16"] })).toBe(false);
  });

  test.each(isReserved)("%s only if it is configured", (address) => {
    expect(isAllowedAddress(address, closed)).toBe(false);
    expect(isAllowedAddress(address, local)).toBe(false);
    expect(isAllowedAddress(address, everything)).toBe(true);
  });

  test.each(isNever)("%s never, even if it is configured", (address) => {
    for (const policy of [closed, local, everything]) expect(isAllowedAddress(address, policy)).toBe(false);
  });

  test.each([
    "",
    ...listed`
      localhost | example.org | 1.2.3.4.5 | 1.2.3.4:80 | [::1] | ::1/128 | ::: | 127.1 | 2130706433 | 0x7f000001
      0177.0.0.1
    `,
  ])("%j never, because it is not an address", (text) => {
    expect(isAllowedAddress(text, everything)).toBe(false);
  });

  test.each([
    ["::FFFF:127.0.0.1", "127.0.0.1"],
    ["0:0:0:0:0:ffff:7f00:1", "127.0.0.1"],
  ])("%s under the same conditions as %s", (spelling, address) => {
    for (const policy of [closed, local, everything]) {
      expect(isAllowedAddress(spelling, policy)).toBe(isAllowedAddress(address, policy));
    }
  });
});

describe("an IPv4 address inside an IPv6 one", () => {
  const ipv4 = fc.oneof(
    fc.constantFrom(...[...isPublic, ...isPrivate, ...isReserved, ...isNever].filter((one) => !one.includes(":"))),
    fc.ipV4(),
  );
  const hex = (address: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(address).toByteArray();
    return [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16));
  };
  const policies = fc.constantFrom<AddressPolicy>(closed, local, everything, {
    allowPrivate: false,
    networks: ["::/0"],
  });

  test("is judged as IPv4 if it is the whole target", () => {
    fc.assert(
      fc.property(ipv4, policies, (address, policy) => {
        const [high, low] = hex(address);
        for (const form of [
          `::ffff:${address}`,
          `::ffff:${high}:${low}`,
          `64:ff9b::${address}`,
          `64:ff9b::${high}:${low}`,
        ]) {
          expect(isAllowedAddress(form, policy), form).toBe(isAllowedAddress(address, policy));
        }
      }),
    );
  });

  test("is refused in every other form", () => {
    fc.assert(
      fc.property(ipv4, policies, fc.constantFrom("2a01:4f8:1:2", "2606:4700:0:0"), (address, policy, prefix) => {
        const [high, low] = hex(address);
        const forms = [
          // IPv4-compatible (RFC 4291), IPv4-translated (RFC 2765), NAT64 for local use (RFC 8215), 6to4, Teredo, ISATAP.
          ...(high === "0" ? [] : [`::${address}`, `::${high}:${low}`]),
          `::ffff:0:${high}:${low}`,
          `64:ff9b:1::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:1234:5678:0:0:${high}:${low}`,
          `${prefix}:0:5efe:${high}:${low}`,
          `${prefix}:200:5efe:${high}:${low}`,
        ];
        for (const form of forms) expect(isAllowedAddress(form, policy), form).toBe(false);
      }),
    );
  });
});

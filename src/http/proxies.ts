import { BlockList, isIPv6 } from "node:net";

/** Tells whether an address lies in one of these networks; one without bits is a single address. */
export function addressesOf(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address = "") => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

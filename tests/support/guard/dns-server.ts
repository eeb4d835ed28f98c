import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

/** Addresses by name. The nth query is answered with the nth list, and all later ones with the last list. */
export type Zone = Record<string, { a?: string[][]; aaaa?: string[][]; fails?: true }>;

/** Starts a minimal DNS server (RFC 1035) that answers A and AAAA queries from a zone, with a TTL of 0. */
export async function startDnsServer(zone: Zone, port: number): Promise<Socket> {
  const asked = new Map<string, number>();
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    const { name, type, end } = readQuestion(question);
    const entry = zone[name];
    const queries = asked.get(`${name} ${type}`) ?? 0;
    asked.set(`${name} ${type}`, queries + 1);
    const lists = (type === 28 ? entry?.aaaa : type === 1 ? entry?.a : undefined) ?? [];
    const addresses = lists[Math.min(queries, lists.length - 1)] ?? [];
    const code = entry === undefined ? 3 : entry.fails ? 2 : 0;
    socket.send(answer(question.subarray(0, end), addresses, type, code), from.port, from.address);
  });
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  return socket;
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answer(question: Buffer, addresses: readonly string[], type: number, code: number): Buffer {
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = type === 28 ? bytesOfIpv6(address) : Buffer.from(address.split(".").map(Number));
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, question.subarray(12), ...records]);
}

/** The 16 bytes of an IPv6 address. `URL` normalises it to hexadecimal groups with at most one `::`. */
function bytesOfIpv6(address: string): Buffer {
  const [before = "", after = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const left = before.split(":").filter(Boolean);
  const right = after.split(":").filter(Boolean);
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

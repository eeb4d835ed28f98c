import type { OnReadOpts, Socket } from "node:net";
import { Readable } from "node:stream";

/** Several reads' worth: one call of the system then brings a whole small object. */
const BYTES = 256 * 1024;

/** What has come to a socket and nobody has taken yet: a piece of the shared buffer. */
const arrived = new WeakMap<Socket, Buffer>();

/**
 * One buffer that all sockets of a dispatcher read into. Otherwise every read makes an array of 64 KiB, and for each
 * few hundred of them the engine looks through its whole heap. Whoever reads a socket has to be done with the bytes
 * before the next ones come: such a dispatcher is for takers that keep nothing. What is not read at once is copied.
 */
export function sharedBuffer(): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(BYTES),
    callback(this: Socket, bytes: number, buffer: Uint8Array): boolean {
      return handOver(this, Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
    },
  } as OnReadOpts;
}

/** False when the socket shall bring no more for now. */
function handOver(socket: Socket, chunk: Buffer): boolean {
  if (socket.readableLength > 0) return socket.push(Buffer.from(chunk));
  if (!arrived.has(socket)) socket.read = readArrived;
  arrived.set(socket, chunk);
  socket.emit("readable");
  if (!arrived.delete(socket)) return true;
  return socket.push(Buffer.from(chunk));
}

function readArrived(this: Socket, size?: number): unknown {
  const chunk = arrived.get(this);
  if (chunk === undefined || size === 0) return Readable.prototype.read.call(this, size);
  arrived.delete(this);
  return chunk;
}

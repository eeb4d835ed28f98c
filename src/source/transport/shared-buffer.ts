import type { OnReadOpts, Socket } from "node:net";
import { Readable } from "node:stream";

/** Large enough for several reads, so that one system call reads a whole small object. */
const BYTES = 256 * 1024;
const END_OF_HEAD = "\r\n\r\n";

/** Bytes that a socket has received and that have not been read yet. */
const arrived = new WeakMap<Socket, Buffer>();
/** Sockets that are receiving a response body. */
const inBody = new WeakSet<Socket>();
/** The socket whose bytes are being handled. */
let reading: Socket | undefined;

/**
 * One buffer for all sockets of a dispatcher. Otherwise every read allocates an array of 64 KiB, and after some
 * megabytes of them the engine runs a full garbage collection.
 *
 * A body is in the shared buffer only while its handler runs, so handlers must not keep references to it. Heads are
 * copied, because undici keeps views of them until the last byte of a head has arrived, which may be many reads of
 * other sockets later. The HTTP exchange reports where bodies begin and end ({@link bodyBegins}, {@link bodyEnds});
 * until then everything counts as a head.
 */
export function sharedBuffer(): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(BYTES),
    callback(this: Socket, bytes: number, buffer: Uint8Array): boolean {
      return handOver(this, Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
    },
  } as OnReadOpts;
}

/** Reports that the head of the current response is complete. Returns the argument for {@link bodyEnds}. */
export function bodyBegins(): Socket | undefined {
  if (reading !== undefined) inBody.add(reading);
  return reading;
}

export function bodyEnds(socket: Socket | undefined): void {
  if (socket !== undefined) inBody.delete(socket);
}

/** Returns false if the socket should not receive more for now. */
function handOver(socket: Socket, chunk: Buffer): boolean {
  let isWanted = true;
  for (let rest = chunk; rest.length > 0 && !socket.destroyed; ) {
    const piece = inBody.has(socket) ? rest : headOf(rest);
    isWanted = deliver(socket, piece);
    rest = rest.subarray(piece.length);
  }
  return isWanted;
}

/** A copy of the bytes up to the end of a head, or of all bytes if no head ends in them. */
function headOf(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END_OF_HEAD);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end + END_OF_HEAD.length));
}

/** Passes bytes to the socket. Bytes that are not read at once are copied. */
function deliver(socket: Socket, piece: Buffer): boolean {
  if (socket.readableLength > 0) return socket.push(Buffer.from(piece));
  if (!arrived.has(socket)) socket.read = readArrived;
  arrived.set(socket, piece);
  try {
    socket.emit("readable");
  } finally {
    reading = undefined;
  }
  if (!arrived.delete(socket)) return true;
  return socket.push(Buffer.from(piece));
}

function readArrived(this: Socket, size?: number): unknown {
  const piece = arrived.get(this);
  // Bytes that were kept are read outside the shared buffer, possibly while another socket is being handled.
  reading = piece === undefined ? undefined : this;
  if (piece === undefined || size === 0) return Readable.prototype.read.call(this, size);
  arrived.delete(this);
  return piece;
}

import type { OnReadOpts, Socket } from "node:net";
import { Readable } from "node:stream";

/** Several reads' worth: one call of the system then brings a whole small object. */
const BYTES = 256 * 1024;
const END_OF_HEAD = "\r\n\r\n";

/** Bytes that a socket has received and that have not been read yet. */
const arrived = new WeakMap<Socket, Buffer>();
/** Sockets in the midst of a reply's body. */
const inBody = new WeakSet<Socket>();
/** The socket whose bytes are being handled at the moment. */
let reading: Socket | undefined;

/**
 * One buffer that all sockets of a dispatcher read into. Otherwise every read makes an array of 64 KiB, and after some
 * megabytes of them the engine looks through its whole heap.
 *
 * A body is in the shared buffer only while its handler runs: such a dispatcher is for handlers that keep nothing.
 * Heads are copied, because undici keeps views of them until the last byte of a head has arrived, which may be many
 * reads of other sockets later. The HTTP exchange reports where bodies begin and end ({@link bodyBegins},
 * {@link bodyEnds}); until then everything counts as a head.
 */
export function sharedBuffer(): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(BYTES),
    callback(this: Socket, bytes: number, buffer: Uint8Array): boolean {
      return handOver(this, Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
    },
  } as OnReadOpts;
}

/** The head of the reply that is just being read is complete. Gives what its end has to be told with. */
export function bodyBegins(): Socket | undefined {
  if (reading !== undefined) inBody.add(reading);
  return reading;
}

export function bodyEnds(socket: Socket | undefined): void {
  if (socket !== undefined) inBody.delete(socket);
}

/** False when the socket shall bring no more for now. */
function handOver(socket: Socket, chunk: Buffer): boolean {
  let isWanted = true;
  for (let rest = chunk; rest.length > 0 && !socket.destroyed; ) {
    const piece = inBody.has(socket) ? rest : headOf(rest);
    isWanted = deliver(socket, piece);
    rest = rest.subarray(piece.length);
  }
  return isWanted;
}

/** A copy of everything up to the end of a head, or of all where none ends. */
function headOf(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END_OF_HEAD);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end + END_OF_HEAD.length));
}

/** What is not read at once is copied. */
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
  // What was kept before is read outside of the shared buffer, perhaps in the midst of another socket's piece.
  reading = piece === undefined ? undefined : this;
  if (piece === undefined || size === 0) return Readable.prototype.read.call(this, size);
  arrived.delete(this);
  return piece;
}

/**
 * A TCP proxy in a separate process. It forwards bytes in both directions and delays every byte of the responses by some
 * milliseconds. Only memory limits the delayed data, so that the delay adds latency but does not reduce throughput.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Maximum number of delayed bytes of all connections. Beyond it, the proxy stops reading from the server. */
const MOST_HELD_BYTES = 256 * 1024 * 1024;

const [targetPort, delayMs] = process.argv.slice(2).map(Number);
let heldBytes = 0;
const waiting = new Set<Socket>();

const proxy = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
  const server = connect({ port: targetPort ?? 0, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  const end = () => {
    client.destroy();
    server.destroy();
  };
  client.on("error", end).on("close", end).pipe(server);
  server.on("error", end);
  if (delayMs === 0) server.pipe(client);
  else delay(server, client);
});

proxy.listen(0, "127.0.0.1", () => console.log((proxy.address() as AddressInfo).port));

/** Forwards pieces and the end of the stream in order, each after the delay. */
function delay(server: Socket, client: Socket): void {
  const queue: { due: number; piece: Buffer | undefined }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isFull = false;
  const hold = (piece: Buffer | undefined) => {
    queue.push({ due: performance.now() + (delayMs ?? 0), piece });
    if (!isFull) timer ??= setTimeout(pass, delayMs);
  };
  const pass = () => {
    timer = undefined;
    isFull = false;
    const now = performance.now();
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      if (first.due > now) {
        timer = setTimeout(pass, first.due - now);
        return;
      }
      queue.shift();
      if (first.piece === undefined) client.end();
      else {
        release(first.piece.length);
        if (!client.write(first.piece)) {
          isFull = true;
          client.once("drain", pass);
          return;
        }
      }
    }
  };
  server.on("data", (piece) => {
    heldBytes += piece.length;
    hold(piece);
    if (heldBytes > MOST_HELD_BYTES) {
      server.pause();
      waiting.add(server);
    }
  });
  server.on("end", () => hold(undefined));
  server.on("close", () => waiting.delete(server));
  client.on("close", () => {
    clearTimeout(timer);
    release(queue.splice(0).reduce((sum, { piece }) => sum + (piece?.length ?? 0), 0));
  });
}

function release(bytes: number): void {
  heldBytes -= bytes;
  if (heldBytes > MOST_HELD_BYTES / 2) return;
  for (const server of waiting) server.resume();
  waiting.clear();
}

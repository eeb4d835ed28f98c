import { once } from "node:events";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy after whose sleep nothing more comes of the answers that had begun before. */
export interface SuspendableProxy extends AsyncDisposable {
  origin: string;
  suspend(): void;
}

/** A machine that slept holds connections of which it does not know that they are dead. @param target address of the service */
export async function startSuspendableProxy(target: string, port: number): Promise<SuspendableProxy> {
  let sleeps = 0;
  const proxy = createServer((request, response) => {
    const born = sleeps;
    const { method, headers, url } = request;
    const onward = ask(
      new URL(url ?? "/", target),
      { method, headers: { ...headers, connection: "close" } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("data", (chunk: Buffer) => born === sleeps && response.write(chunk));
        answer.on("end", () => born === sleeps && response.end());
      },
    );
    // Whichever side ends it, the other is let go of.
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await once(proxy.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    suspend: () => {
      sleeps++;
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
    },
  };
}

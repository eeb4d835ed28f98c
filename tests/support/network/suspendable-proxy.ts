import { once } from "node:events";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that simulates a suspended machine: after `suspend`, open responses send no more data. */
export interface SuspendableProxy extends AsyncDisposable {
  origin: string;
  suspend(): void;
}

/** After a suspension, a machine has connections that are dead but not closed. @param target address of the service */
export async function startSuspendableProxy(target: string, port: number): Promise<SuspendableProxy> {
  let suspensions = 0;
  const proxy = createServer((request, response) => {
    const before = suspensions;
    const { method, headers, url } = request;
    const onward = ask(
      new URL(url ?? "/", target),
      { method, headers: { ...headers, connection: "close" } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("data", (chunk: Buffer) => before === suspensions && response.write(chunk));
        answer.on("end", () => before === suspensions && response.end());
      },
    );
    // If one side closes, the other one is closed too.
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await once(proxy.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    suspend: () => {
      suspensions++;
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
    },
  };
}

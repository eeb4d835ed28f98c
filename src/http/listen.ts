import type { Server } from "./context.ts";

/** Lets a server listen. Gives its origin, and what ends it: whoever follows something is told first. */
export async function listenOn(
  server: Server,
  at: { host: string; port: number },
  stopping: AbortController,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const { origin } = new URL(await server.listen(at));
  const close = async () => {
    stopping.abort();
    await server.close();
  };
  return { origin, close };
}

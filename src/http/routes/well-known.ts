import { Type } from "typebox";
import type { HttpContext, Server } from "../context.ts";

/** The public keys of receipts. */
export function wellKnown(server: Server, context: HttpContext): void {
  server.get(
    "/.well-known/jwks.json",
    {
      schema: {
        operationId: "jwks",
        summary: "Public keys of receipts",
        tags: ["Operating"],
        response: { 200: Type.Object({ keys: Type.Array(Type.Unknown()) }) },
      },
    },
    async () => context.jwks as { keys: unknown[] },
  );
}

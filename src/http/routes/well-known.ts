import { Type } from "typebox";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";

const Jwks = Type.Object(
  {
    keys: Type.Array(Type.Unknown({ description: "A public key." }), {
      description: "Public keys, the current one first.",
    }),
  },
  { title: "Jwks", description: "A JSON Web Key Set (RFC 7517)." },
);

/** Returns the public keys that verify receipts. */
export function wellKnown(server: Server, context: HttpContext): void {
  server.get(
    "/.well-known/jwks.json",
    {
      config: { anyQuery: true },
      schema: {
        operationId: "jwks",
        summary: "Retrieve the public keys of receipts",
        description: "Returns the current and the retired keys. The `kid` of a receipt names its key.",
        tags: ["Operating"],
        response: {
          200: answer(Jwks, {
            description: "The JSON Web Key Set.",
            example: { keys: [{ kty: "OKP", crv: "Ed25519", kid: "kPrK…", x: "11qY…" }] },
          }),
        },
      },
    },
    async () => context.jwks as { keys: unknown[] },
  );
}

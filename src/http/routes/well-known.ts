import { Type } from "typebox";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";

const Jwks = Type.Object(
  { keys: Type.Array(Type.Unknown({ description: "A public key." }), { description: "The present one first." }) },
  { title: "Jwks", description: "A JSON Web Key Set (RFC 7517)." },
);

/** The public keys of receipts. */
export function wellKnown(server: Server, context: HttpContext): void {
  server.get(
    "/.well-known/jwks.json",
    {
      config: { anyQuery: true },
      schema: {
        operationId: "jwks",
        summary: "Public keys of receipts",
        description: "Retired ones, too: a receipt is signed with the one that its `kid` names.",
        tags: ["Operating"],
        response: {
          200: answer(Jwks, {
            description: "A JWK set (RFC 7517).",
            example: { keys: [{ kty: "OKP", crv: "Ed25519", kid: "kPrK…", x: "11qY…" }] },
          }),
        },
      },
    },
    async () => context.jwks as { keys: unknown[] },
  );
}

import { Type } from "typebox";
import { documented, operation } from "../operation.ts";
import { list, object } from "../schemas/basics.ts";

const Jwks = object("Jwks", "A JSON Web Key Set (RFC 7517).", {
  keys: list(Type.Unknown({ description: "A public key." }), "Public keys, the current one first."),
});

/** Returns the public keys that verify receipts. */
export const wellKnown = operation({
  route: "GET /.well-known/jwks.json",
  operationId: "jwks",
  summary: "Retrieve the public keys of receipts",
  description: "Returns the current and the retired keys. The `kid` of a receipt names its key.",
  tag: "Operating",
  config: { anyQuery: true },
  response: {
    200: documented(Jwks, {
      description: "The JSON Web Key Set.",
      example: { keys: [{ kty: "OKP", crv: "Ed25519", kid: "kPrK…", x: "11qY…" }] },
    }),
  },
  handler: async (context) => context.jwks as { keys: unknown[] },
});

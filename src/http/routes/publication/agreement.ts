import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { DepositAgreementView } from "../../schemas/publication.ts";

/** Returns the deposit agreement in all languages in which the operator has configured it. */
export function depositAgreement(server: Server, context: HttpContext): void {
  server.get(
    "/deposit-agreement",
    {
      config: { problems: ["publication_off"] },
      schema: {
        operationId: "getDepositAgreement",
        summary: "Retrieve the deposit agreement",
        description:
          "Returns the text that owners accept when they request publication, in each language of the service. No authentication is needed.",
        tags: ["Publication"],
        response: {
          200: answer(Type.Array(DepositAgreementView), {
            description: "The texts, the default one first.",
            example: [{ language: "en", text: "# Deposit agreement\n", sha256: "0".repeat(64) }],
          }),
        },
      },
    },
    async () => {
      const { mode, agreements } = context.publication;
      if (mode === "off") throw new Problem("publication_off");
      return agreements.map(({ language, text, sha256 }) => ({ language, text, sha256 }));
    },
  );
}

import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import { documented, operation } from "../../operation.ts";
import { DepositAgreementView } from "../../schemas/publication.ts";

/** Returns the deposit agreement in all languages in which the operator has configured it. */
export const depositAgreement = operation({
  route: "GET /deposit-agreement",
  operationId: "getDepositAgreement",
  summary: "Retrieve the deposit agreement",
  description:
    "Returns the text that owners accept when they request publication, in each language of the service. No authentication is needed.",
  tag: "Publication",
  problems: ["publication_off"],
  response: {
    200: documented(Type.Array(DepositAgreementView), {
      description: "The texts, the default one first.",
      example: [{ language: "en", text: "# Deposit agreement\n", sha256: "0".repeat(64) }],
    }),
  },
  handler: async (context) => {
    const { mode, agreements } = context.publication;
    if (mode === "off") throw new Problem("publication_off");
    return agreements.map(({ language, text, sha256 }) => ({ language, text, sha256 }));
  },
});

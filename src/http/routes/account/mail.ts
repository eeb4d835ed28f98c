import { Type } from "typebox";
import { mailPreference, saveMailPreference } from "../../../db/notifications/mail-preferences.ts";
import { MAIL_DELIVERIES, MAIL_LANGUAGES } from "../../../domain/submission/mail-preference.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { closedObject, nullable, object } from "../../schemas.ts";

const MEMBERS = {
  language: nullable(
    Type.Enum([...MAIL_LANGUAGES], { title: "MailLanguage" }),
    "Language of the e-mail; null for the language that the operator has chosen.",
  ),
  delivery: Type.Enum([...MAIL_DELIVERIES], {
    title: "MailDelivery",
    description:
      "Which e-mail about publications the caller receives: about `each` event, or only if `action` of the caller is required. E-mail about submissions is always sent.",
  }),
};
const Preference = object("MailPreference", "The choice of the caller about e-mail.", MEMBERS);
const Choice = closedObject("MailChoice", "The choice of the caller about e-mail.", MEMBERS);
const example = { language: "de", delivery: "action" } as const;
const of =
  "The choice belongs to the account (`owner` of `GET /caller`), and applies to e-mail to its addresses, not to addresses that the operator has configured.";

/** Returns in which language the caller receives e-mail, and which. */
export const mailGet = operation({
  route: "GET /account/mail",
  operationId: "getMailPreference",
  summary: "Retrieve the choice about e-mail",
  description: `Returns in which language the caller receives e-mail, and about which events. ${of}`,
  tag: "Operating",
  response: { 200: documented(Preference, { description: "The choice.", example }) },
  handler: async (context, request) => mailPreference(context.db, callerOf(request).owner),
});

/** Changes in which language the caller receives e-mail, and which. */
export const mailPut = operation({
  route: "PUT /account/mail",
  operationId: "setMailPreference",
  summary: "Choose language and events of e-mail",
  description: `Replaces the choice of the caller. ${of}`,
  tag: "Operating",
  body: withExample(Choice, example),
  response: { 200: documented(Preference, { description: "The choice.", example }) },
  handler: async (context, request) => {
    const { language, delivery } = request.body;
    await saveMailPreference(context.db, callerOf(request).owner, { language, delivery });
    return { language, delivery };
  },
});

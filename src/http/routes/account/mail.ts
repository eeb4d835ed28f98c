import { Type } from "typebox";
import { mailPreference, saveMailPreference } from "../../../db/notifications/mail-preferences.ts";
import { MAIL_DELIVERIES, MAIL_LANGUAGES } from "../../../domain/submission/mail-preference.ts";
import type { Caller } from "../../../people/caller.ts";
import type { HttpContext } from "../../context.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { closedObject, flag, nullable, object, textOrNull } from "../../schemas.ts";

const MEMBERS = {
  language: nullable(
    Type.Enum([...MAIL_LANGUAGES], { title: "MailLanguage" }),
    "Language of the e-mail; null for the language that the operator has chosen.",
  ),
  delivery: Type.Enum([...MAIL_DELIVERIES], {
    title: "MailDelivery",
    description:
      "Which e-mail about publications the caller receives: about `each` event, in one e-mail a day (`daily`), or only if `action` of the caller is required. E-mail that asks for an action is sent at once. E-mail about submissions is always sent.",
  }),
};
const Preference = object("MailPreference", "The choice of the caller about e-mail, and where e-mail goes.", {
  ...MEMBERS,
  address: textOrNull(
    "Where e-mail about the datasets and reviews of the caller goes: the address that the identity provider has verified and the token of this request contains. Null if there is none: e-mail then goes only to addresses that requests state (`notify`).",
  ),
  serviceLanguage: nullable(
    Type.Enum([...MAIL_LANGUAGES], { title: "MailLanguage" }),
    "Language of e-mail to people who have chosen none; null if the service sends no e-mail.",
  ),
  reachesCurators: flag(
    "Whether the operator has configured addresses for e-mail to curators about reviews that no curator with a known address has taken.",
  ),
});
const Choice = closedObject("MailChoice", "The choice of the caller about e-mail.", MEMBERS);
const chosen = { language: "de", delivery: "action" } as const;
const example = { ...chosen, address: "ada@lab.example.org", serviceLanguage: "en", reachesCurators: true } as const;
const of =
  "The choice belongs to the account (`owner` of `GET /caller`), and applies to e-mail to its addresses, not to addresses that the operator has configured.";

/** Returns in which language the caller receives e-mail, and which. */
export const mailGet = operation({
  route: "GET /account/mail",
  operationId: "getMailPreference",
  summary: "Retrieve the choice about e-mail",
  description: `Returns in which language the caller receives e-mail, about which events, and at which address. ${of}`,
  tag: "Operating",
  response: { 200: documented(Preference, { description: "The choice.", example }) },
  handler: async (context, request) => {
    const caller = callerOf(request);
    return { ...(await mailPreference(context.db, caller.owner)), ...deliveryTo(caller, context) };
  },
});

/** Changes in which language the caller receives e-mail, and which. */
export const mailPut = operation({
  route: "PUT /account/mail",
  operationId: "setMailPreference",
  summary: "Choose language and events of e-mail",
  description: `Replaces the choice of the caller. ${of}`,
  tag: "Operating",
  body: withExample(Choice, chosen),
  response: { 200: documented(Preference, { description: "The choice.", example }) },
  handler: async (context, request) => {
    const { language, delivery } = request.body;
    const caller = callerOf(request);
    await saveMailPreference(context.db, caller.owner, { language, delivery });
    return { language, delivery, ...deliveryTo(caller, context) };
  },
});

/** Where e-mail to the caller goes. The address is read from the token: stored addresses are not part of responses. */
function deliveryTo({ email }: Caller, { mail }: HttpContext) {
  return { address: email ?? null, serviceLanguage: mail?.language ?? null, reachesCurators: mail?.curators ?? false };
}

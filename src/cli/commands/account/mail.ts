import { type Command, Option } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf } from "../../api-command.ts";
import { show } from "../../terminal/text.ts";

const LANGUAGES = { en: "English", de: "German", service: "the language of the service" };
const DELIVERIES = {
  each: "about each event",
  daily: "at once if you must act, and otherwise once a day",
  action: "only if you must act",
};

/** `mail`: shows or changes in which language the caller receives e-mail, and which. */
export function addMail(program: Command): void {
  addApiCommand(program, "mail", "show or choose the language of your e-mail, and which you receive")
    .addOption(new Option("--language <language>", "language of the e-mail").choices(["en", "de", "service"] as const))
    .addOption(
      new Option(
        "--delivery <which>",
        "e-mail about each event of publications, once a day, or only if you must act",
      ).choices(["each", "daily", "action"] as const),
    )
    .action(async ({ language, delivery, ...options }) => {
      const { client, output } = clientOf(options);
      const before = await client.ask(client.api.GET("/account/mail"));
      const chosen = language === "service" ? null : (language ?? before.language);
      const body = { language: chosen, delivery: delivery ?? before.delivery };
      const isChange = language !== undefined || delivery !== undefined;
      const now = isChange ? await client.ask(client.api.PUT("/account/mail", { body })) : before;
      output.data(now);
      output.say(show`E-mail in ${LANGUAGES[now.language ?? "service"]}, ${DELIVERIES[now.delivery]}`);
      output.say(destinationOf(now));
    });
}

/** Where e-mail goes, or what to do if it goes nowhere. */
function destinationOf({ serviceLanguage, address }: components["schemas"]["MailPreference"]) {
  if (serviceLanguage === null) {
    return show`This service sends no e-mail. Look at the status of your datasets, or register a webhook`;
  }
  if (address === null)
    return show`Your account has no e-mail address. State one with submit --notify and publish --notify`;
  return show`E-mail goes to ${address}`;
}

import type { MailPreference } from "../../domain/submission/mail-preference.ts";
import type { Queries } from "../database.ts";

const DEFAULT: MailPreference = { language: null, delivery: "each" };

/** What a person has chosen about mail; the default if that is nothing, or if there is no account. */
export async function mailPreference(db: Queries, account: string | undefined): Promise<MailPreference> {
  if (account === undefined) return DEFAULT;
  const found = await db
    .selectFrom("mail_preference")
    .select(["language", "delivery"])
    .where("account", "=", account)
    .executeTakeFirst();
  return found ?? DEFAULT;
}

/** Stores what a person has chosen, instead of an earlier choice. It applies to all mails that are not sent yet. */
export async function saveMailPreference(db: Queries, account: string, preference: MailPreference): Promise<void> {
  await db
    .insertInto("mail_preference")
    .values({ account, ...preference })
    .onConflict((conflict) => conflict.column("account").doUpdateSet(preference))
    .execute();
}

/** The languages of mails. */
export const MAIL_LANGUAGES = ["en", "de"] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/**
 * When a person receives mail about publications that asks for no action: about `each` event, in one mail a day (`daily`), or never
 * (`action`: only if action of this person is required).
 */
export const MAIL_DELIVERIES = ["each", "daily", "action"] as const;
export type MailDelivery = (typeof MAIL_DELIVERIES)[number];

/** In which language a person wants mail, and which. */
export interface MailPreference {
  /** Null for the language that the operator has chosen. */
  language: MailLanguage | null;
  delivery: MailDelivery;
}

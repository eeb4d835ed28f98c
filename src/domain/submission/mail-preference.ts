/** The languages of mails. */
export const MAIL_LANGUAGES = ["en", "de"] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** Which mails about publications a person receives: about `each` event, or only if `action` of this person is required. */
export const MAIL_DELIVERIES = ["each", "action"] as const;
export type MailDelivery = (typeof MAIL_DELIVERIES)[number];

/** In which language a person wants mail, and which. */
export interface MailPreference {
  /** Null for the language that the operator has chosen. */
  language: MailLanguage | null;
  delivery: MailDelivery;
}

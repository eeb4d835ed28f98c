/** Languages of the public pages. The first is the default. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** An address for each of them. */
export type LocalAddress = Record<Language, string>;

import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { inBrowser } from "../api/browser/storage.ts";
import type access from "./en/access.json";
import type account from "./en/account.json";
import type collections from "./en/collections.json";
import type digests from "./en/digests.json";
import type dois from "./en/dois.json";
import type listed from "./en/listed.json";
import type publication from "./en/publication.json";
import type publications from "./en/publications.json";
import type review from "./en/review.json";
import type role from "./en/role.json";
import type upload from "./en/upload.json";
import type * as en from "./en.ts";
import { openLaterWords } from "./later.ts";

/** The texts that {@link addWords} adds. */
interface LaterWords {
  access: typeof access;
  collections: typeof collections;
  digests: typeof digests;
  dois: typeof dois;
  listed: typeof listed;
  account: typeof account;
  publication: typeof publication;
  publications: typeof publications;
  review: typeof review;
  role: typeof role;
  upload: typeof upload;
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    resources: Omit<typeof en, "problems"> & LaterWords;
  }
}

/** The languages of the page and their names. A new one needs a file, a folder and a line in {@link load}. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const PLACE = "accession.language";

/** Shown if the texts of a language could not be loaded. */
const UNAVAILABLE: Record<Language, string> = {
  en: "The page could not be loaded. Reload it when the service can be reached.",
  de: "Die Seite konnte nicht geladen werden. Laden Sie sie neu, sobald der Dienst erreichbar ist.",
};

/** The message to show if {@link openWords} has failed. */
export function unavailableText(): string {
  return UNAVAILABLE[chosenLanguage()];
}

/** Loads one language. The other one is loaded when the user chooses it. */
const load: Record<Language, () => Promise<object>> = {
  en: async () => ({ ...(await import("./en.ts")) }),
  de: async () => ({ ...(await import("./de.ts")) }),
};

/** Loads the texts in the language that the user chose earlier, or in that of the browser. */
export async function openWords(): Promise<void> {
  const language = chosenLanguage();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: (await load[language]()) as Record<string, object> } as never,
    defaultNS: "shell",
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  openLaterWords();
  document.documentElement.lang = language;
}

/** Changes the language and remembers it. */
export async function speak(language: Language): Promise<void> {
  inBrowser.write(PLACE, language);
  for (const [namespace, words] of Object.entries(await load[language]()))
    i18next.addResourceBundle(language, namespace, words);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

function chosenLanguage(): Language {
  const wanted = [String(inBrowser.read(PLACE)), ...navigator.languages];
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}

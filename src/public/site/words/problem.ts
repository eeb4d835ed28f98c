import type { Language } from "../site.ts";

interface ProblemWords {
  /** Texts for readers of a page, by the codes of problems whose texts are for programs. */
  codes: Record<string, { title: string; action: string }>;
  /** Of files to which readers can ask for access. */
  closed: { title: string; action: string };
  toSignIn: string;
  toDataset: string;
  toCatalogue: string;
  request: string;
}

const WRONG_ADDRESS = {
  en: {
    title: "The address contains errors",
    action: "Correct the address, or open a page from which you can continue.",
  },
  de: {
    title: "Die Adresse enthält Fehler",
    action: "Korrigieren Sie die Adresse, oder öffnen Sie eine Seite, von der aus Sie fortfahren können.",
  },
};

const CLOSED = {
  en: { title: "The files are closed", action: "The page of the dataset describes them, and says how to get access." },
  de: {
    title: "Die Dateien sind nicht zugänglich",
    action: "Die Seite des Datensatzes beschreibt sie und nennt den Weg zum Zugriff.",
  },
};

/** Texts of the pages of problems. */
export const PROBLEM: Record<Language, ProblemWords> = {
  en: {
    closed: CLOSED.en,
    codes: {
      not_found: { title: "Not found", action: "Check the address, or search the catalogue." },
      invalid_request: WRONG_ADDRESS.en,
      bad_request: WRONG_ADDRESS.en,
      unauthenticated: {
        title: "Sign-in is required",
        action: "Nothing is public at this address. If you have access, sign in. Otherwise, search the catalogue.",
      },
    },
    toSignIn: "Sign in to open what is not public",
    toDataset: "Open the page of the dataset",
    toCatalogue: "Open the catalogue",
    request: "Request id:",
  },
  de: {
    closed: CLOSED.de,
    codes: {
      not_found: { title: "Nicht gefunden", action: "Prüfen Sie die Adresse, oder suchen Sie im Katalog." },
      invalid_request: WRONG_ADDRESS.de,
      bad_request: WRONG_ADDRESS.de,
      unauthenticated: {
        title: "Anmeldung erforderlich",
        action:
          "Unter dieser Adresse ist nichts öffentlich. Wenn Sie Zugang haben, melden Sie sich an. Suchen Sie andernfalls im Katalog.",
      },
    },
    toSignIn: "Anmelden, um Nichtöffentliches zu öffnen",
    toDataset: "Seite des Datensatzes öffnen",
    toCatalogue: "Katalog öffnen",
    request: "Anfrage-ID:",
  },
};

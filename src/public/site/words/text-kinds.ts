import type { DescriptionType, TitleType } from "../../../../packages/rules/src/index.ts";
import type { Language } from "../site.ts";

/** Kinds of titles besides the main one. */
export const TITLE_KINDS: Record<Language, Record<TitleType, string>> = {
  en: {
    AlternativeTitle: "Alternative title",
    Subtitle: "Subtitle",
    TranslatedTitle: "Translated title",
    Other: "Other title",
  },
  de: {
    AlternativeTitle: "Alternativer Titel",
    Subtitle: "Untertitel",
    TranslatedTitle: "Übersetzter Titel",
    Other: "Anderer Titel",
  },
};

/** Headings of descriptions besides the main one. */
export const DESCRIPTION_KINDS: Record<Language, Record<DescriptionType, string>> = {
  en: {
    Abstract: "Abstract",
    Methods: "Methods",
    TechnicalInfo: "Technical information",
    TableOfContents: "Table of contents",
    SeriesInformation: "Series",
    Other: "More information",
  },
  de: {
    Abstract: "Zusammenfassung",
    Methods: "Methoden",
    TechnicalInfo: "Technische Informationen",
    TableOfContents: "Inhaltsverzeichnis",
    SeriesInformation: "Reihe",
    Other: "Weitere Informationen",
  },
};

/** The permissions of licences in a sentence, by kind. */
export const LICENCE_MEANINGS = {
  en: {
    cc0: "Anyone can use the dataset for any purpose, without attribution.",
    ccBy: "Anyone can use the dataset for any purpose if they credit the authors.",
    ccBySa: "Anyone can use the dataset if they credit the authors and share changed versions under the same licence.",
    ccByNc: "Anyone can use the dataset for non-commercial purposes if they credit the authors.",
    ccByNcSa:
      "Anyone can use the dataset for non-commercial purposes if they credit the authors and share changed versions under the same licence.",
    ccByNd: "Anyone can share the dataset unchanged if they credit the authors.",
    ccByNcNd: "Anyone can share the dataset unchanged for non-commercial purposes if they credit the authors.",
    permissive: "Anyone can use the dataset for any purpose if they keep the licence notice.",
    copyleft: "Anyone can use the dataset. Changed versions must be shared under the same licence.",
  },
  de: {
    cc0: "Der Datensatz darf für jeden Zweck genutzt werden, auch ohne Namensnennung.",
    ccBy: "Der Datensatz darf bei Namensnennung für jeden Zweck genutzt werden.",
    ccBySa: "Der Datensatz darf bei Namensnennung genutzt werden; Bearbeitungen müssen unter derselben Lizenz stehen.",
    ccByNc: "Der Datensatz darf bei Namensnennung für nicht kommerzielle Zwecke genutzt werden.",
    ccByNcSa:
      "Der Datensatz darf bei Namensnennung für nicht kommerzielle Zwecke genutzt werden; Bearbeitungen müssen unter derselben Lizenz stehen.",
    ccByNd: "Der Datensatz darf bei Namensnennung unverändert weitergegeben werden.",
    ccByNcNd: "Der Datensatz darf bei Namensnennung für nicht kommerzielle Zwecke unverändert weitergegeben werden.",
    permissive: "Der Datensatz darf für jeden Zweck genutzt werden, wenn der Lizenzhinweis erhalten bleibt.",
    copyleft: "Der Datensatz darf genutzt werden; Bearbeitungen müssen unter derselben Lizenz weitergegeben werden.",
  },
};

/** Names of licences by their SPDX identifiers, in languages in which they differ from the names in SPDX. */
export const LICENCE_NAMES: Record<"en" | "de", Record<string, string>> = {
  en: {},
  de: {
    "CC0-1.0": "Creative Commons Zero 1.0 Universell",
    "CC-BY-4.0": "Creative Commons Namensnennung 4.0 International",
    "CC-BY-SA-4.0": "Creative Commons Namensnennung – Weitergabe unter gleichen Bedingungen 4.0 International",
    "CC-BY-NC-4.0": "Creative Commons Namensnennung – Nicht kommerziell 4.0 International",
    "CC-BY-NC-SA-4.0":
      "Creative Commons Namensnennung – Nicht kommerziell – Weitergabe unter gleichen Bedingungen 4.0 International",
    "CC-BY-ND-4.0": "Creative Commons Namensnennung – Keine Bearbeitungen 4.0 International",
    "CC-BY-NC-ND-4.0": "Creative Commons Namensnennung – Nicht kommerziell – Keine Bearbeitungen 4.0 International",
  },
};

import { createHash } from "node:crypto";

/** The text that submitters accept before publication, in one language. */
export interface DepositAgreement {
  /** BCP 47, lower case. */
  language: string;
  /** Markdown. */
  text: string;
  /** SHA-256 of the text in UTF-8, lower-case hex. It identifies the accepted text. */
  sha256: string;
}

export function depositAgreement(language: string, text: string): DepositAgreement {
  return { language, text, sha256: createHash("sha256").update(text, "utf8").digest("hex") };
}

/** The texts of a service whose operator has configured none. */
export const DEFAULT_AGREEMENTS: readonly DepositAgreement[] = [
  depositAgreement(
    "en",
    `# Deposit agreement

By requesting publication, I confirm:

1. I am entitled to publish the dataset, and all people with rights in it agree.
2. The dataset contains no personal data that may not be published, and violates no law.
3. The repository may store the dataset permanently, copy it to preserve it, and make it available under the stated licence.
4. The metadata may be published and reused without restriction (CC0 1.0).
5. After publication, the dataset can only be withdrawn for a reason. Its identifier then leads to a page that states the reason.
`,
  ),
  depositAgreement(
    "de",
    `# Veröffentlichungsvereinbarung

Mit dem Antrag auf Veröffentlichung bestätige ich:

1. Ich bin berechtigt, den Datensatz zu veröffentlichen, und alle Inhaberinnen und Inhaber von Rechten stimmen zu.
2. Der Datensatz enthält keine personenbezogenen Daten, die nicht veröffentlicht werden dürfen, und verstößt gegen kein Gesetz.
3. Das Repositorium darf den Datensatz dauerhaft speichern, zur Erhaltung kopieren und unter der angegebenen Lizenz bereitstellen.
4. Die Metadaten dürfen veröffentlicht und ohne Einschränkung nachgenutzt werden (CC0 1.0).
5. Nach der Veröffentlichung kann der Datensatz nur mit Begründung zurückgezogen werden. Sein Identifikator führt dann zu einer Seite mit der Begründung.
`,
  ),
];

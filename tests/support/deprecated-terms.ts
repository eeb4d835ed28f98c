/** A wording that the project no longer uses. */
export interface DeprecatedTerm {
  /** Matches the wording in running text. */
  pattern: RegExp;
  /** What to write instead. */
  use: string;
}

/** English wordings that the glossary replaces. They must not appear in texts for users. */
export const deprecatedEnglish: readonly DeprecatedTerm[] = [
  { pattern: /\b(who(m)?ever|nobody|somebody|anybody|everybody|no one)\b/i, use: "the actor, or “anyone”" },
  { pattern: /\b(whose|your|its|their) turn\b/i, use: "action required" },
  { pattern: /\bwho(ever)? runs\b/i, use: "storage provider, operator" },
  { pattern: /\b(take|takes|taken|taking|took) (it |them |a bucket |the bucket )?in(to custody)?\b/i, use: "archive" },
  { pattern: /\b(leave|leaves|leaving|left) (\S+ ){0,2}out\b/i, use: "exclude" },
  { pattern: /\b(go|goes|went|going) on\b/i, use: "continue, resume" },
  { pattern: /\bby (itself|themselves)\b/i, use: "automatically" },
  { pattern: /\bof (its|their) own\b/i, use: "separate, dedicated" },
  { pattern: /\bmend(s|ed|ing)?\b/i, use: "fix, correct" },
  { pattern: /\b(hold|holds|held) (\S+ )?against\b/i, use: "verify against, compare with" },
  { pattern: /\b(lie|lies|lay) (in|at|on|there|below|beside|elsewhere)\b/i, use: "is stored in, is located at" },
  { pattern: /\banew\b/i, use: "again" },
  { pattern: /\b(room for|has room|make room|no room)\b/i, use: "free space" },
  { pattern: /\b(is|are) to be\b/i, use: "must, should" },
  { pattern: /\bworth a thought\b/i, use: "suggestion" },
  { pattern: /\bfound out\b/i, use: "detected" },
  { pattern: /\bas (it|they) (is|are|was|were|came)\b/i, use: "unchanged" },
  { pattern: /\bfaults?\b/i, use: "error, problem" },
];

/** German wordings that the page no longer uses. */
export const deprecatedGerman: readonly DeprecatedTerm[] = [
  { pattern: /\bwer auch immer\b/i, use: "die handelnde Person oder Stelle" },
  { pattern: /\b(jemand|niemand)(em|en)?\b/i, use: "die handelnde Person oder Stelle" },
  { pattern: /\b(an der Reihe|am Zug)\b/i, use: "Handlungsbedarf bei" },
  { pattern: /\bwer (den|diesen) (Dienst|Speicher)\b|\bwer .{0,20}betreibt\b/i, use: "Betreiber, Speicheranbieter" },
  { pattern: /\bvon selbst\b/i, use: "automatisch" },
  { pattern: /\bnoch einmal\b/i, use: "erneut" },
  { pattern: /\b(auszulassen|auslassen|ausgelassen|weglassen)\b/i, use: "ausschließen" },
  { pattern: /\b(scheitert|scheiterte|gescheitert)\b/i, use: "fehlschlagen" },
  { pattern: /\b(geht|ging|gehen) (\S+ ){0,4}weiter\b/i, use: "fortsetzen" },
  { pattern: /\bin Ordnung\b/i, use: "beheben, korrigieren" },
  { pattern: /\b(in Verwahrung|aufgenommen|aufzunehmen)\b/i, use: "archivieren" },
  { pattern: /\b(mehr|genug|kein) Platz\b|\bPlatz (für|schaffen|ist)\b/i, use: "Speicherplatz" },
  { pattern: /\b(liegt|liegen) (in|auf|an) (der|dem|einer|einem)\b/i, use: "befindet sich" },
  { pattern: /\beinen Gedanken wert\b|\bzu tun\b.*\bSache|\bSachen?\b/i, use: "Empfehlung, Angabe" },
  { pattern: /\bso weit\b|\bklappt\b/i, use: "sachlich formulieren" },
];

/** The deprecated terms in a text, each with what to write instead. */
export function deprecatedIn(text: string, terms: readonly DeprecatedTerm[]): string[] {
  return terms.flatMap(({ pattern, use }) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`“${found}”: use ${use}`];
  });
}

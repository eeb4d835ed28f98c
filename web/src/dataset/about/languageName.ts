/** The name of a language in another language; its code if it has no name. */
export function languageName(code: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

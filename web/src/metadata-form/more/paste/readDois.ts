/** A DOI within a text. Quotation marks and single angle brackets end it; some old DOIs contain pairs of them. */
const DOI = /\b10\.\d{4,9}(?:\.\d+)*\/(?:[^\s"<>“”„»«]|<[^\s"<>“”„»«/]*>)+/g;

/** The DOIs in a text, each once and in order, and the lines that contain none. */
export function readDois(text: string): { dois: string[]; left: string[] } {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const found = lines.map((line) => [...line.matchAll(DOI)].map(([doi]) => withoutPunctuation(doi)));
  const dois = new Map(found.flat().map((doi) => [doi.toLowerCase(), doi]));
  return { dois: [...dois.values()], left: lines.filter((line, index) => line !== "" && found[index]?.length === 0) };
}

/** The DOI without the punctuation of the sentence around it, and without brackets that begin before it. */
function withoutPunctuation(doi: string): string {
  let bare = doi;
  for (;;) {
    const shorter = bare.replace(/[.,;:!?'’*]+$/, "");
    const next = hasOpened(shorter) ? shorter : shorter.replace(/[)\]}]$/, "");
    if (next === bare) return bare;
    bare = next;
  }
}

/** Whether the bracket at the end of the text also begins in it, as in 10.1016/S0140-6736(05)67728-8. */
function hasOpened(text: string): boolean {
  const [opening, closing] = ["([{", ")]}"].map((brackets) => [...brackets]);
  const kind = closing?.indexOf(text.at(-1) ?? "") ?? -1;
  const [open, close] = [opening?.[kind] ?? "", closing?.[kind] ?? ""];
  return kind >= 0 && text.split(open).length >= text.split(close).length;
}

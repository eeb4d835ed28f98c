const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text and attribute values of HTML. Control characters and those that change the text direction are left out. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === "\n" ? character : ""))
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** HTML that may be inserted as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON-LD for a script element. “<” is written as an escape, so that no text can end the element. */
export function jsonLd(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

type Part = Html | string | number | undefined | readonly Part[];

/** HTML from a template. Inserted texts are escaped, in attributes too, which must be quoted; lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? "";
  parts.forEach((part, index) => {
    text += textOf(part) + (strings[index + 1] ?? "");
  });
  return new Html(text);
}

/** Nothing, where a part is left out. */
export const NOTHING = new Html("");

function textOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return escaped(String(part));
}

/** Whether an address may be the target of a link. */
export function isWebAddress(url: string | undefined): url is `http${string}` {
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
}

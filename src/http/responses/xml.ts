/** Characters that XML 1.0, section 2.2, does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ENTITIES: Record<string, string> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" },
  // Parsers replace literal ones by spaces in attributes, and carriage returns everywhere.
  ...{ "\t": "&#9;", "\n": "&#10;", "\r": "&#13;" },
};

/** XML that was written before, and is not escaped again. */
export class Xml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | Xml | undefined | readonly Content[];

/**
 * Writes an element. Any text can be given: characters with a meaning in XML are escaped, and those that XML cannot represent
 * become U+FFFD. Attributes that are undefined are omitted.
 */
export function element(
  name: string,
  content?: Content,
  attributes: Record<string, string | number | undefined> = {},
): Xml {
  const written = Object.entries(attributes).map(([attribute, value]) =>
    value === undefined ? "" : ` ${attribute}="${escaped(String(value), /[&<>"\t\n\r]/g)}"`,
  );
  const inner = textOf(content);
  const start = `${name}${written.join("")}`;
  return new Xml(inner === "" ? `<${start}/>` : `<${start}>${inner}</${name}>`);
}

/** A complete document. */
export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`;
}

function textOf(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Xml) return content.text;
  return typeof content === "string" ? escaped(content, /[&<>\r]/g) : content.map(textOf).join("");
}

function escaped(text: string, special: RegExp): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, "\ufffd")
    .replace(special, (character) => ENTITIES[character] ?? character);
}

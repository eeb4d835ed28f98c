import { SaxesParser, type SaxesTagNS } from "saxes";
import { InvalidFileError, MAX_DEPTH, tooDeep, tooMany } from "./invalid-file.ts";

/** Maximum number of elements and attributes. */
const MAX_NODES = 200_000;

/** An element. Names have no prefix; namespaces of attributes are not distinguished. */
export interface XmlElement {
  name: string;
  namespace: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** The text of the element and of its descendants. A `br` element is a line break. */
  text: string;
  line: number;
}

/**
 * Parses an XML document. Refuses DOCTYPEs, and entities other than those that XML predefines. Processing instructions and
 * comments are ignored. No other resource is read.
 * @throws InvalidFileError with the line, also beyond {@link MAX_DEPTH} and {@link MAX_NODES}
 */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  const place = () => `line ${parser.line}, column ${parser.column + 1}`;
  const append = (part: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  };
  // The parser's messages quote the document.
  parser.on("error", () => {
    throw new InvalidFileError("The file is not well-formed XML.", place());
  });
  parser.on("doctype", () => {
    throw new InvalidFileError("The file has a DOCTYPE, which is not supported. Remove it.", place());
  });
  parser.on("opentag", (tag) => {
    if (open.length >= MAX_DEPTH) throw tooDeep(place());
    const element = elementOf(tag, parser.line);
    nodes += 1 + element.attributes.size;
    if (nodes > MAX_NODES) throw tooMany("elements and attributes", MAX_NODES);
    root ??= element;
    open.at(-1)?.children.push(element);
    open.push(element);
    if (element.name === "br") append("\n");
  });
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed !== undefined) append(closed.text);
  });
  parser.write(text).close();
  if (root === undefined) throw new InvalidFileError("The file has no XML element.");
  return root;
}

function elementOf(tag: SaxesTagNS, line: number): XmlElement {
  const attributes = new Map(Object.values(tag.attributes).map(({ local, value }) => [local, value]));
  return { name: tag.local, namespace: tag.uri, attributes, children: [], text: "", line };
}

import { SaxesParser } from "saxes";

/** Deeper nesting than any S3 answer has. */
const MAX_DEPTH = 16;

/**
 * Receives the elements from {@link readXml}. A path is the names of the open elements, beginning at the root, and is
 * valid only during the call. The text is the text since the previous tag.
 */
export interface XmlReader {
  open?(path: readonly string[], text: string): void;
  close?(path: readonly string[], text: string): void;
}

/** The document is not well-formed, or has features that no S3 response has (a DOCTYPE, deep nesting). */
export class XmlError extends Error {}

/**
 * Reads one XML document as it arrives. Refuses DOCTYPEs and entities other than those that XML predefines, so that
 * nothing is expanded. The caller limits the number of bytes.
 *
 * @returns the name of the root element
 * @throws XmlError
 */
export async function readXml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: XmlReader,
): Promise<string> {
  const parser = new SaxesParser({ position: false });
  const names: string[] = [];
  let root = "";
  let text = "";
  const refuse = (why: string): never => {
    throw new XmlError(why);
  };
  // The parser's messages quote the document.
  parser.on("error", () => refuse("it is not well-formed"));
  let encoding: string | undefined;
  parser.on("xmldecl", (declaration) => {
    encoding = declaration.encoding;
  });
  parser.on("doctype", () => refuse("it has a DOCTYPE"));
  parser.on("opentag", ({ name }) => {
    if (names.length >= MAX_DEPTH) refuse("it is nested too deeply");
    if (names.length === 0) root = name;
    names.push(name);
    const before = text;
    text = "";
    reader.open?.(names, before);
    // Checked after the root element is known.
    if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding)) refuse("it is not UTF-8");
  });
  parser.on("text", (part) => {
    text += part;
  });
  parser.on("cdata", (part) => {
    text += part;
  });
  parser.on("closetag", () => {
    reader.close?.(names, text);
    names.pop();
    text = "";
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) parser.write(decoder.decode(chunk, { stream: true }));
    parser.write(decoder.decode());
    parser.close();
  } catch (error) {
    if (error instanceof TypeError) throw new XmlError("it is not UTF-8", { cause: error });
    throw error;
  }
  return root;
}

/** Decodes a whole document. Undefined if it is not UTF-8. */
export function decodeXml(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The child elements of a small document's root, for instance of an S3 error. Undefined if it is not XML. */
export async function readFlatXml(
  bytes: Uint8Array,
): Promise<{ root: string; values: Record<string, string> } | undefined> {
  const values: Record<string, string> = Object.create(null);
  try {
    const root = await readXml([bytes], {
      close(path, text) {
        const [, name, deeper] = path;
        if (name !== undefined && deeper === undefined) values[name] = text;
      },
    });
    return { root, values };
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

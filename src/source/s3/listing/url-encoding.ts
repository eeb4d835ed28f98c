import { inMessage } from "../../../domain/in-message.ts";
import { ListingFault } from "./listing-fault.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes percent-encoded text of a listing, where `+` is a space. @throws ListingFault if the text is not encoded like
 * this
 */
export function decodeUrl(text: string): string {
  // Most keys contain no encoded characters.
  if (/^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/.test(text)) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text))
    throw new ListingFault(`“${inMessage(text)}” is not URL-encoded, although the listing states it`);
  const bytes = Buffer.from(
    text
      .replaceAll("+", " ")
      .replace(/%([0-9A-Fa-f]{2})|[^\x00-\x7F]/gu, (found, hex: string | undefined) =>
        hex === undefined
          ? Buffer.from(found, "utf8").toString("latin1")
          : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    "latin1",
  );
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new ListingFault(`the key “${inMessage(text)}” is not UTF-8`, { cause: error });
  }
}

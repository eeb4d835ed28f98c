import { inMessage } from "../in-message.ts";
import { count } from "../numbers.ts";
import { Problem } from "../problems.ts";
import { MOST_LINE } from "./parse-list.ts";

/** Lines of a list, also empty ones and comments. */
const MOST_LINES = 10_000_000;
const LINE_FEED = 10;

/**
 * The lines of a digest list in UTF-8, without line feeds. A line of bounded length is in memory at a time.
 *
 * @param list its key, for messages
 * @throws Problem `digest_list_invalid` if it is no UTF-8, or has too long or too many lines; the reason of the signal
 */
export async function* textLines(
  pieces: AsyncIterable<Buffer>,
  list: string,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const key = inMessage(list);
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let number = 0;
  const decoded = (bytes: Uint8Array) => {
    number++;
    if (number > MOST_LINES) {
      const detail = `“${key}” has more than ${count(MOST_LINES)} lines. Divide it into several lists`;
      throw new Problem("digest_list_invalid", detail);
    }
    try {
      return utf8.decode(bytes);
    } catch (cause) {
      const detail = `Line ${number} of “${key}” is not text in UTF-8. Save the list in UTF-8`;
      throw new Problem("digest_list_invalid", detail, { cause });
    }
  };
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    let bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED)) {
      yield decoded(bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
    }
    // The parser refuses longer lines, too. In UTF-8, a character has at most four bytes.
    if (bytes.length > 4 * MOST_LINE)
      throw new Problem("digest_list_invalid", `Line ${number + 1} of “${key}” is longer than ${4 * MOST_LINE} bytes`);
    rest = Buffer.from(bytes);
  }
  if (rest.length > 0) yield decoded(rest);
}

/** With more levels, most of the text would be indentation. */
const DEEPEST = 30;
const LONGEST = 400_000;

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;

/**
 * JSON with a line for each member. Numbers and texts stay as they are written.
 * @returns undefined if it is no valid JSON, or would be too long
 */
export function indentedJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  let level = 0;
  let last = "";
  let written = "";
  for (const [token] of text.matchAll(TOKEN)) {
    const isEnd = token === "}" || token === "]";
    const isStart = last === "{" || last === "[";
    if (isEnd) level -= 1;
    // An empty list or object stays on its line.
    if (isEnd ? !isStart : isStart || last === ",") written += `\n${"  ".repeat(level)}`;
    else if (last === ":") written += " ";
    written += token;
    last = token;
    if (token === "{" || token === "[") level += 1;
    if (level > DEEPEST || written.length > LONGEST) return undefined;
  }
  return written;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export interface Message {
  /** Undefined when the message has no id of its own. */
  id: string | undefined;
  event: string;
  data: string;
}

/** Longer than any message. */
const LINE_CHARACTERS = 16 << 20;

/**
 * Messages of an event stream (WHATWG HTML, section 9.2.6). Comments are not among them.
 *
 * @throws Error for a line that has no end
 */
export async function* readMessages(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  let fields = new Map<string, string>();
  for await (const line of linesOf(body)) {
    if (line === "") {
      const data = fields.get("data");
      if (data !== undefined) yield { id: fields.get("id"), event: fields.get("event") ?? "message", data };
      fields = new Map();
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    const before = name === "data" ? fields.get("data") : undefined;
    if (name !== "") fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    // A CR at the very end may be half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARACTERS) throw new Error("A line of the event stream has no end");
    yield* lines;
  }
}

import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Without other limits: the service sends a comment at least every 15 s. */
const SILENCE_MS = 40_000;
/** Longer than any message, in characters. */
const LONGEST_MESSAGE = 16 << 20;

export interface ReadOptions {
  /** How long nothing may come before the stream counts as broken. */
  silenceMs?: number;
  /** The same before the first bytes. */
  beginMs?: number;
  /** Called whenever bytes arrive, also those of comments. */
  onBytes?: () => void;
}

/**
 * The messages of an event stream (WHATWG HTML, section 9.2). It ends when nothing came for the time allowed, comments
 * included: a connection can break without notice.
 *
 * @throws Error for a message that has no end; what breaks the connection
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  { silenceMs = SILENCE_MS, beginMs = silenceMs, onBytes }: ReadOptions = {},
): AsyncGenerator<EventSourceMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const heard: EventSourceMessage[] = [];
  let fault: Error | undefined;
  const parser = createParser({
    maxBufferSize: LONGEST_MESSAGE,
    onEvent: (message) => heard.push(message),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") fault = error;
    },
  });
  try {
    for (let limitMs = beginMs; ; limitMs = silenceMs) {
      const bytes = await orSilence(reader.read(), limitMs);
      if (bytes === undefined) return;
      onBytes?.();
      parser.feed(decoder.decode(bytes, { stream: true }));
      if (fault !== undefined) throw fault;
      yield* heard.splice(0);
    }
  } finally {
    // Cancelling a broken stream fails, too; the read reports why it broke.
    reader.cancel().catch(() => undefined);
  }
}

/** What is read; undefined at the end, or when nothing comes in time. */
function orSilence(
  read: Promise<{ value?: Uint8Array | undefined }>,
  milliseconds: number,
): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    const settled = () => clearTimeout(timer);
    read.then(({ value }) => resolve(value), reject).finally(settled);
  });
}

import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Default limit. The service sends a comment at least every 15 s. */
const SILENCE_MS = 40_000;
/** Maximum length of a message in characters. All messages of the service are shorter. */
const LONGEST_MESSAGE = 16 << 20;

export interface ReadOptions {
  /** Maximum time without data before the stream counts as broken. */
  silenceMs?: number;
  /** Maximum time until the first bytes. */
  beginMs?: number;
  /** Called whenever bytes arrive, including comments. */
  onBytes?: () => void;
}

/**
 * Yields the messages of an event stream (WHATWG HTML, section 9.2). It ends if no data, including comments, arrives in
 * time, because a connection can break without notice.
 *
 * @throws Error for a message that is too long; the error of the connection
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

/** Returns the next bytes; undefined at the end, or if none arrive in time. */
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

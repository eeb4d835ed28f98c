import { createParser, type EventSourceMessage } from "eventsource-parser";

/** The service says at least every 15 s that it is still there. */
const SILENCE_MS = 40_000;

/**
 * The messages of an event stream (WHATWG HTML, section 9.2). It ends when nothing was heard for 40 s, comments
 * included: connections can die without anybody being told.
 */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const heard: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => heard.push(message) });
  try {
    for (;;) {
      const bytes = await orSilence(reader.read());
      if (bytes === undefined) return;
      parser.feed(decoder.decode(bytes, { stream: true }));
      yield* heard.splice(0);
    }
  } finally {
    // One that broke cannot be given up any more; why it broke is thrown by the read.
    reader.cancel().catch(() => undefined);
  }
}

/** What is read; undefined at the end, or when nothing comes. */
function orSilence(read: Promise<{ value?: Uint8Array | undefined }>): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), SILENCE_MS);
    const settled = () => clearTimeout(timer);
    read.then(({ value }) => resolve(value), reject).finally(settled);
  });
}

import { LRUCache } from "lru-cache";
import { TaskThread, TaskTooLarge } from "../../../platform/threads/task-thread.ts";
import { siblingModule } from "../../../platform/threads/worker-thread.ts";
import type { Pages } from "../addresses.ts";
import { Html, html } from "../html.ts";
import { decoded } from "../preview/decode.ts";

/** A Markdown file of a dataset, or its beginning. */
export interface RenderTask extends Omit<ShownText, "dataset" | "sha512"> {
  text: string;
}

/** A text file of a dataset, and where it is shown. */
export interface ShownText {
  dataset: string;
  sha512: string;
  /** Below the folder of all files. */
  path: string;
  /** Levels of headings that are above those of the text. */
  below: number;
  /** Where its links lead. */
  pages: Pages;
}

/** Usual texts take some milliseconds. */
const LIMIT_MS = 2_000;
const HEAP_MIB = 256;
/** Characters of HTML of a text, and of all that are kept. */
const LONGEST = 2_000_000;
const MOST_KEPT = 20_000_000;
const USUAL = 100_000;
/** After this time, a text that took too long is tried again: perhaps only the machine was slow. */
const AGAIN_MS = 600_000;

/**
 * Text files of datasets as HTML. Markdown is rendered in a worker thread, because a hostile text can take a minute; datasets take turns.
 * What was rendered last is kept, and requests for the same file at the same time wait for one rendering.
 */
export class TextRenderer {
  readonly #thread = new TaskThread<RenderTask, string | undefined>(siblingModule(import.meta.url, "markdown-thread"), {
    name: "markdown",
    limitMs: LIMIT_MS,
    heapMiB: HEAP_MIB,
  });
  readonly #kept = new LRUCache<string, Promise<Html | undefined>>({ maxSize: MOST_KEPT });

  /**
   * A text in Markdown with its markup if the name of the file says so. A Markdown text that takes too long, or that people do not write,
   * is shown as any other: as it is written.
   * @param read the beginning of the file
   * @returns undefined if it is not text
   */
  async html(shown: ShownText, read: () => Promise<Uint8Array>): Promise<Html | undefined> {
    const { sha512, path, below, pages } = shown;
    const key = JSON.stringify([sha512, path, below, pages]);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    let isComplete = true;
    const rendering = read().then(async (bytes) => {
      const text = decoded(bytes)?.text;
      if (text === undefined || text.trim() === "") return undefined;
      const rendered = isMarkdown(path) ? await this.#rendered(shown, text) : undefined;
      isComplete = rendered !== undefined || !isMarkdown(path);
      return rendered ?? html`<pre class="text">${text}</pre>`;
    });
    this.#kept.set(key, rendering, { size: USUAL });
    try {
      const found = await rendering;
      const size = key.length + (found?.text.length ?? 0);
      this.#kept.set(key, rendering, { size, ttl: isComplete ? 0 : AGAIN_MS });
      return found;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #rendered({ dataset, path, below, pages }: ShownText, text: string): Promise<Html | undefined> {
    try {
      const found = await this.#thread.run({ text, path, below, pages }, dataset);
      return found === undefined || found.length > LONGEST ? undefined : new Html(found);
    } catch (error) {
      if (error instanceof TaskTooLarge) return undefined;
      throw error;
    }
  }
}

/** Whether a file is a text in Markdown, by its name. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

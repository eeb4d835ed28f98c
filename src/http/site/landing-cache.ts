import { LRUCache } from "lru-cache";

/** A landing page as it is sent. */
export interface RenderedLanding {
  text: string;
  etag: string;
  changedAt: Date;
  /** The `Link` header. */
  link: string;
  /** The version that it shows. */
  version: number;
}

interface Kept {
  state: string;
  page: Promise<RenderedLanding>;
  /** Milliseconds since 1970. */
  since: number;
  isRenewed: boolean;
}

type Render = () => Promise<RenderedLanding>;

/** UTF-16 text in memory. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Numbers of use, and DOIs that became findable, may be this old. */
const LONGEST_MS = 60_000;
/** After this time a page is rendered again, while readers still get the kept one. */
const FRESH_MS = 10_000;
/** The size of a page that is not rendered yet. */
const USUAL_BYTES = 100_000;

/**
 * Keeps the landing pages that were shown last, so that a popular dataset costs one query for each request. What the public
 * may see is decided for each request: a page is used only while the state of its dataset is the same. Requests for the
 * same page at the same time wait for one rendering.
 */
export class LandingCache {
  readonly #pages = new LRUCache<string, Kept>({ maxSize: MOST_BYTES, ttl: LONGEST_MS });

  /**
   * @param key the address of the page
   * @param state equal texts mean that the page would be rendered from the same state
   * @throws what `render` throws, which is not kept
   */
  async page(key: string, state: string, render: Render): Promise<RenderedLanding> {
    const kept = this.#pages.get(key);
    if (kept?.state !== state) return this.#rendered(key, state, render);
    if (Date.now() - kept.since > FRESH_MS && !kept.isRenewed) {
      kept.isRenewed = true;
      this.#rendered(key, state, render, kept).catch(() => {
        // Nothing is kept then, so that the next request gets the error.
      });
    }
    return kept.page;
  }

  /** @param meanwhile what is kept until the page is rendered; undefined for the page itself */
  async #rendered(key: string, state: string, render: Render, meanwhile?: Kept): Promise<RenderedLanding> {
    const entry = { state, page: render(), since: Date.now(), isRenewed: false };
    const expected = meanwhile ?? entry;
    if (meanwhile === undefined) this.#pages.set(key, entry, { size: USUAL_BYTES });
    try {
      const page = await entry.page;
      if (this.#pages.peek(key) === expected) this.#pages.set(key, entry, { size: sizeOf(key, page) });
      return page;
    } catch (error) {
      if (this.#pages.peek(key) === expected) this.#pages.delete(key);
      throw error;
    }
  }
}

function sizeOf(key: string, { text, link }: RenderedLanding): number {
  return 2 * (key.length + text.length + link.length);
}

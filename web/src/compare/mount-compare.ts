import "./compare.css";
import { type Chosen, chosenIn, droppedIn } from "./chosen-files.ts";
import { type Comparison, compareFiles } from "./comparison.ts";
import { element } from "./elements.ts";
import { filePages, ListUnavailable } from "./file-pages.ts";
import { Hashers, HashingUnsupported } from "./hashers.ts";
import { ResultList } from "./result-list.ts";
import { type Language, languageOf } from "./words.ts";

export interface CompareOptions {
  /** Address of the list of files of a version, `/dataset/ID/files?version=1`, absolute or relative to the document. */
  files: string;
  /** Language tag. Default: the language of the document. */
  language?: string;
  /** Level of the heading; 0 for none, if the page has one. Default: 2. */
  headingLevel?: 0 | 2 | 3;
  /** Sends a request for the list. Default: `fetch`, without credentials of its own. */
  send?: (request: Request) => Promise<Response>;
}

/** How often the progress is updated. */
const PROGRESS_MS = 250;

/**
 * Adds the comparison of a copy with a dataset to an element. Files are read by workers of this page and never leave the
 * browser. The returned function removes it and ends the work.
 */
export function mountCompare(place: HTMLElement, options: CompareOptions): () => void {
  const section = new CompareSection(options);
  place.replaceChildren(section.root);
  return () => {
    section.stop();
    place.replaceChildren();
  };
}

class CompareSection {
  readonly root = element("div", { class: "compare" });
  readonly #options: CompareOptions;
  readonly #language: Language;
  readonly #status = element("p", { role: "status", class: "compare-status" });
  readonly #below = element("div");
  readonly #zone = element("div", { class: "compare-zone" });
  readonly #cancel: HTMLButtonElement;
  readonly #progress = element("div", { class: "compare-progress", hidden: true });
  readonly #bar: HTMLProgressElement;
  readonly #numbers = element("span");
  #work: AbortController | undefined;

  constructor(options: CompareOptions) {
    this.#options = options;
    this.#language = languageOf(options.language ?? document.documentElement.lang);
    const { say } = this.#language;
    const { headingLevel = 2 } = options;
    if (headingLevel !== 0) this.root.append(element(`h${headingLevel}`, {}, say("title")));
    this.#bar = element("progress", { "aria-label": say("busy"), max: "1" });
    this.#cancel = element("button", { type: "button", class: "compare-button" }, say("cancel"));
    this.#cancel.addEventListener("click", () => this.#work?.abort());
    this.#progress.append(this.#bar, this.#numbers, this.#cancel);
    this.#zone.append(
      ...this.#chooser("chooseFolder", { webkitdirectory: true }),
      ...this.#chooser("chooseFiles", {}),
      element("span", { class: "compare-note" }, say("drop")),
    );
    this.#acceptDrops();
    this.root.append(element("p", {}, say("intro")), this.#zone, this.#progress, this.#status, this.#below);
  }

  stop(): void {
    this.#work?.abort();
  }

  /** A button, and the input that it opens. */
  #chooser(words: "chooseFolder" | "chooseFiles", attributes: Record<string, true>): HTMLElement[] {
    const button = element("button", { type: "button", class: "compare-button" }, this.#language.say(words));
    const input = element("input", { type: "file", multiple: true, hidden: true, ...attributes });
    button.addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const chosen = chosenIn(input);
      // The same choice must cause a change again.
      input.value = "";
      if (sizeOf(chosen) > 0) void this.#compare(chosen);
    });
    return [button, input];
  }

  #acceptDrops(): void {
    const hover = (isOver: boolean) => this.#zone.toggleAttribute("data-over", isOver);
    this.#zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      hover(true);
    });
    this.#zone.addEventListener("dragleave", () => hover(false));
    this.#zone.addEventListener("drop", async (event) => {
      event.preventDefault();
      hover(false);
      if (event.dataTransfer === null || this.#work !== undefined) return;
      const chosen = await droppedIn(event.dataTransfer).catch(() => undefined);
      if (chosen === undefined) this.#status.textContent = this.#language.say("failed.read");
      else await this.#compare(chosen);
    });
  }

  async #compare(chosen: Chosen): Promise<void> {
    if (this.#work !== undefined) return;
    const work = new AbortController();
    this.#work = work;
    const { say, count } = this.#language;
    const results = new ResultList(this.#language);
    this.#below.replaceChildren(results.root);
    const files = sizeOf(chosen);
    this.#status.textContent = say("started", { count: files, shown: count(files) });
    this.#showWork(true);
    const hashers = new Hashers();
    const progress = this.#measure(bytesOf(chosen));
    const send = this.#options.send ?? ((request: Request) => fetch(request));
    try {
      const comparison = compareFiles({
        chosen,
        pages: filePages(this.#options.files, send, work.signal),
        hashers,
        report: (compared) => {
          if (!work.signal.aborted) results.add(compared);
        },
        onBytes: progress.add,
      });
      this.#finish(await unlessAborted(comparison, work.signal), results);
    } catch (error) {
      this.#status.textContent = work.signal.aborted ? say("cancelled") : this.#failure(error);
    } finally {
      progress.end();
      hashers.close();
      work.abort();
      this.#work = undefined;
      results.update();
      this.#showWork(false);
    }
  }

  #showWork(isBusy: boolean): void {
    const hadFocus = this.root.contains(document.activeElement);
    this.#progress.hidden = !isBusy;
    this.#zone.hidden = isBusy;
    // The focused button has just been hidden.
    if (hadFocus) (isBusy ? this.#cancel : this.#zone.querySelector("button"))?.focus();
  }

  #finish({ layout, setAside }: Comparison, { counts }: ResultList): void {
    const { say, count } = this.#language;
    const all = counts.identical;
    const isGenuine = all > 0 && counts.different + counts.missing + counts.unknown === 0;
    const one = layout === undefined;
    const yes = say(one ? "genuineFiles" : "genuine", { count: all, shown: count(all) });
    const no = say(one ? "notGenuineFiles" : "notGenuine");
    const isEmpty = Object.values(counts).every((number) => number === 0);
    const verdict = element(
      "strong",
      { "data-genuine": String(isGenuine) },
      isGenuine ? yes : isEmpty ? say("nothing") : no,
    );
    const notes = [
      layout === undefined ? "" : say(layout),
      ...(["created", "bag"] as const).map((kind) => {
        const number = setAside[kind];
        return number === 0 ? "" : say(kind, { count: number, shown: count(number) });
      }),
    ];
    this.#status.replaceChildren(verdict, ` ${notes.filter((note) => note !== "").join(" ")}`);
  }

  #failure(error: unknown): string {
    const { say } = this.#language;
    if (error instanceof HashingUnsupported) return say("failed.unsupported");
    if (error instanceof ListUnavailable) {
      const isRefused = [401, 403, 404, 410].includes(error.status ?? 0);
      return say(isRefused ? "failed.permission" : "failed.list");
    }
    reportError(error);
    return say("failed.unexpected");
  }

  /** Shows the progress of the bytes of the copy. */
  #measure(all: number): { add(bytes: number): void; end(): void } {
    const { say, bytes } = this.#language;
    const start = performance.now();
    let done = 0;
    const show = () => {
      const seconds = Math.max(0.001, (performance.now() - start) / 1_000);
      this.#bar.value = all === 0 ? 1 : done / all;
      this.#numbers.textContent = say("progress", { done: bytes(done), all: bytes(all), rate: bytes(done / seconds) });
    };
    show();
    const timer = setInterval(show, PROGRESS_MS);
    return {
      add(more) {
        done += more;
      },
      end: () => clearInterval(timer),
    };
  }
}

/** The result of the work; rejects as soon as the signal is aborted, because digests in progress do not resolve then. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function filesOf({ files }: Chosen): Iterable<File> {
  return files instanceof Map ? files.values() : files;
}

function sizeOf({ files }: Chosen): number {
  return files instanceof Map ? files.size : files.length;
}

function bytesOf(chosen: Chosen): number {
  let sum = 0;
  for (const { size } of filesOf(chosen)) sum += size;
  return sum;
}

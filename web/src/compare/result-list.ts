import { visible } from "../../../packages/rules/src/index.ts";
import { type Compared, RESULTS, type Result } from "./comparison.ts";
import { element } from "./elements.ts";
import type { Language } from "./words.ts";

/** Files of each result that are kept for the list. */
const KEPT = 10_000;
/** Files that are added to the list at a time. */
const STEP = 200;

const UPDATE_MS = 250;

type Filter = Result | "all";
const FILTERS: readonly Filter[] = ["all", ...RESULTS];

/** The results of a comparison: counts, which filter the list, and the list. */
export class ResultList {
  readonly root: HTMLElement;
  readonly counts: Record<Result, number> = { different: 0, missing: 0, unknown: 0, identical: 0 };
  readonly #kept: Record<Result, Compared[]> = { different: [], missing: [], unknown: [], identical: [] };
  readonly #language: Language;
  readonly #buttons = new Map<Filter, HTMLButtonElement>();
  readonly #list: HTMLUListElement;
  readonly #meaning = element("p", { class: "compare-note" });
  readonly #truncated = element("p", { class: "compare-note" });
  readonly #more: HTMLButtonElement;
  #filter: Filter = "all";
  #isDue = false;

  constructor(language: Language) {
    this.#language = language;
    const { say } = language;
    const group = element("div", { role: "group", "aria-label": say("show"), class: "compare-filters" });
    for (const filter of FILTERS) {
      const button = element("button", { type: "button", class: "compare-filter", "data-result": filter });
      button.addEventListener("click", () => this.#choose(filter));
      this.#buttons.set(filter, button);
      group.append(button);
    }
    this.#list = element("ul", { "aria-label": say("results"), class: "compare-list" });
    this.#more = element("button", { type: "button", class: "compare-button" }, say("more"));
    this.#more.addEventListener("click", () => this.#extend());
    this.root = element("div", { class: "compare-results" });
    this.root.append(group, this.#meaning, this.#list, this.#more, this.#truncated);
    this.#choose("all");
  }

  add(compared: Compared): void {
    this.counts[compared.result] += 1;
    const kept = this.#kept[compared.result];
    if (kept.length < KEPT) kept.push(compared);
    if (this.#isDue) return;
    this.#isDue = true;
    // Not for each file, because there can be thousands a second.
    setTimeout(() => this.update(), UPDATE_MS);
  }

  /** Shows all files that were added. */
  update(): void {
    this.#isDue = false;
    const { say, count } = this.#language;
    for (const [filter, button] of this.#buttons) {
      button.textContent = `${say(filter)} (${count(this.#countOf(filter))})`;
      button.setAttribute("aria-pressed", String(filter === this.#filter));
    }
    const shown = this.#shown();
    const wanted = Math.min(shown.length, Math.max(STEP, this.#list.childElementCount));
    this.#list.replaceChildren(...shown.slice(0, wanted).map((compared) => this.#entry(compared)));
    if (shown.length === 0) this.#list.append(element("li", { class: "compare-note" }, say("none")));
    this.#more.hidden = shown.length <= wanted;
    this.#truncated.hidden = !(this.#more.hidden && shown.length < this.#countOf(this.#filter));
    this.#truncated.textContent = say("truncated", { shown: count(shown.length) });
  }

  #choose(filter: Filter): void {
    this.#filter = filter;
    this.#meaning.textContent = filter === "all" ? "" : this.#language.say(`means.${filter}`);
    this.#list.replaceChildren();
    this.update();
  }

  #extend(): void {
    const before = this.#list.childElementCount;
    const next = this.#shown().slice(before, before + STEP);
    this.#list.append(...next.map((compared) => this.#entry(compared)));
    this.update();
    // The button can be hidden now.
    const first = this.#list.children[before];
    if (first instanceof HTMLElement) {
      first.tabIndex = -1;
      first.focus();
    }
  }

  #countOf(filter: Filter): number {
    return filter === "all" ? RESULTS.reduce((sum, result) => sum + this.counts[result], 0) : this.counts[filter];
  }

  #shown(): Compared[] {
    return this.#filter === "all" ? RESULTS.flatMap((result) => this.#kept[result]) : this.#kept[this.#filter];
  }

  #entry({ path, result, reason }: Compared): HTMLLIElement {
    const { say } = this.#language;
    const name = element("bdi", { class: "compare-path" }, visible(path));
    const state = element("span", { class: "compare-state", "data-result": result }, say(result));
    const why = reason === undefined ? [] : [element("span", { class: "compare-note" }, say(`reason.${reason}`))];
    return element("li", {}, state, name, ...why);
  }
}

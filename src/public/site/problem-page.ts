import german from "../../../packages/rules/src/words/problems.de.json" with { type: "json" };
import type { Problem } from "../../domain/problems.ts";
import { html, NOTHING } from "./html.ts";
import { noticePage } from "./layout.ts";
import type { Language, Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** Characters of a text that may quote the address. */
const LONGEST = 500;
/** Errors of an address that are listed. */
const MOST_ERRORS = 10;

/**
 * The page of a request that a browser sent and the service refuses: what happened, the next step, and ways out. The
 * details are in English in all languages, as in answers for programs.
 * @param problem.dataset the address of the dataset to which the page leads; undefined for none
 * @param problem.request the id of the request, which the operator finds in the log
 */
export function problemPage(
  site: Site,
  { problem, path, dataset, request }: { problem: Problem; path: string; dataset: string | undefined; request: string },
  language: Language,
): string {
  const words = WORDS[language].problem;
  const texts: Record<string, { title: string; action: string }> = language === "de" ? german : {};
  const { title, action } = words.codes[problem.code] ?? texts[problem.code] ?? problem;
  const details = [
    ...(problem.message === problem.title ? [] : [problem.message]),
    ...problem.errors.slice(0, MOST_ERRORS).map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`),
  ];
  const content = html`<p class="notice">${action}</p>
<div lang="en">${details.map((detail) => html`<p>${detail.slice(0, LONGEST)}</p>\n`)}</div>
<ul>${dataset === undefined ? NOTHING : html`<li><a href="${dataset}">${words.toDataset}</a></li>\n`}<li><a href="${site.basePath}/">${words.toCatalogue}</a></li></ul>
${problem.status < 500 ? NOTHING : html`<p class="dim">${words.request} <code>${request}</code></p>`}`;
  return noticePage(site, { title, path, content }, language);
}

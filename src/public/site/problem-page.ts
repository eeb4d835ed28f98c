import german from "../../../packages/rules/src/words/problems.de.json" with { type: "json" };
import type { Problem } from "../../domain/problems.ts";
import { html, NOTHING } from "./html.ts";
import { moduleScript } from "./landing/head.ts";
import { keepLanguage, noticePage, pageAddress } from "./layout.ts";
import type { Language, Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** Characters of a text that may quote the address. */
const LONGEST = 500;
/** Errors of an address that are listed. */
const MOST_ERRORS = 10;

/** The contents of the page of a problem. */
export interface ShownProblem {
  problem: Problem;
  /** Path of the page below the base path, where the same problem is shown in each language; undefined if that is not certain. */
  path: string | undefined;
  /** Address of the dataset to which the page leads; undefined for none. */
  dataset: string | undefined;
  /** Where people sign in to open this; undefined if that does not help. */
  signIn: string | undefined;
  /** Address of the application. */
  application: string;
  /** Path of the script that leads people who are signed in to `signIn` at once; undefined without it. */
  script: string | undefined;
  /** Id of the request, which the operator finds in the log. */
  request: string;
}

/**
 * The page of a request that a browser sent and the service refuses: what happened, the next step, and ways out. The
 * details are in English in all languages, as in answers for programs.
 */
export function problemPage(site: Site, shown: ShownProblem, language: Language): string {
  const { problem, path, dataset, signIn, application, script, request } = shown;
  const words = WORDS[language].problem;
  const texts: Record<string, { title: string; action: string }> = language === "de" ? german : {};
  const { requestAccess } = problem.extra as { requestAccess?: string };
  const own = requestAccess === undefined ? words.codes[problem.code] : words.closed;
  const { title, action } = own ?? texts[problem.code] ?? problem;
  const details = [
    ...(problem.message === problem.title ? [] : [problem.message]),
    ...problem.errors.slice(0, MOST_ERRORS).map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`),
  ];
  const ask =
    requestAccess === undefined
      ? NOTHING
      : html`<li><a href="${requestAccess}">${WORDS[language].landing.ask}</a></li>\n`;
  const content = html`<p class="notice">${action}</p>
<div lang="en">${details.map((detail) => html`<p>${detail.slice(0, LONGEST)}</p>\n`)}</div>
<ul>${ask}${signIn === undefined ? NOTHING : html`<li><a href="${signIn}" data-forward data-application="${application}">${words.toSignIn}</a></li>\n`}${dataset === undefined ? NOTHING : html`<li><a href="${keepLanguage(dataset, site.lang)}">${words.toDataset}</a></li>\n`}<li><a href="${pageAddress(site, "/")}">${words.toCatalogue}</a></li></ul>
${problem.status < 500 ? NOTHING : html`<p class="dim">${words.request} <code>${request}</code></p>`}`;
  return noticePage(site, { title, path, content, head: moduleScript(signIn && script) }, language);
}

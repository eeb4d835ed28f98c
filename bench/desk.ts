/** `npm run bench:desk`: measures the curators' queue with 10,000 publications on both databases; see README.md. */

import { onBothDatabases } from "./support/filled-service.ts";
import { writeResults } from "./support/machine.ts";
import { readArguments, readCount, run } from "./support/program.ts";
import { idOf, metadataOf, wordOf } from "./support/published.ts";
import { atShare, median, table } from "./support/report.ts";
import { requestPublications } from "./support/requested.ts";

const PUBLICATIONS = 10_000;
/** Requests of each kind. */
const REQUESTS = 20;
const PERCENTILE = 0.95;
const MOST_MS = 300;

await run(async () => {
  const { texts, flags } = readArguments(["publications", "only", "work"], ["smoke"]);
  const publications = readCount("publications", texts.publications, flags.smoke ? 100 : PUBLICATIONS);
  const each = flags.smoke ? 1 : REQUESTS;
  const found = await onBothDatabases(texts.only, {
    settings: { ACCESSION_PUBLICATION: "review" },
    fill: (db, archive) => requestPublications(db, archive, publications),
    measure: (url) => measure(url, publications, each),
  });
  const rows = Object.entries(found).flatMap(([database, { milliseconds }]) =>
    Object.entries(milliseconds).map(([request, times]) => ({
      database,
      request,
      requests: String(times.length),
      "median ms": median(times).toFixed(1),
      "p95 ms": atShare(times, PERCENTILE).toFixed(1),
      "most ms": atShare(times, 1).toFixed(1),
      [`p95 under ${MOST_MS}`]: flags.smoke ? "" : atShare(times, PERCENTILE) < MOST_MS ? "met" : "NOT MET",
    })),
  );
  console.log(`${publications} publications in the list\n\n${table(rows)}`);
  console.log(`\n${writeResults("desk", { publications, ...found })}`);
});

/** Queries of the list as curators make them, with the kind of each. */
function queriesOf(n: number, publications: number): Record<string, string> {
  const number = (n * 97) % publications;
  const [one = "", two = ""] = metadataOf(number).title.split(" ");
  return {
    "longest first": "queue=new",
    "newest first": "sort=-since",
    "by title": "queue=new&sort=title",
    "by title, all": "sort=-title",
    "assigned to the caller": "queue=mine",
    "search: two words": `q=${one}+${two}`,
    "search: rare word": `q=${wordOf(500 + n)}`,
    "search: frequent word, by title": `q=${wordOf(n % 5)}&sort=title`,
    "search: owner": `q=owner+${n}`,
    "search: id": `q=${idOf(number)}`,
    "search: nothing found": `q=zzzz${n}`,
  };
}

/** Milliseconds of the requests, by their kind. */
async function measure(
  url: string,
  publications: number,
  each: number,
): Promise<{ milliseconds: Record<string, number[]> }> {
  const milliseconds: Record<string, number[]> = {};
  const request = async (kind: string, path: string) => {
    const since = performance.now();
    const answer = await fetch(`${url}${path}`);
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`);
    milliseconds[kind] ??= [];
    milliseconds[kind].push(performance.now() - since);
    return { answer, body };
  };
  const timed = async (kind: string, query: string) => {
    const { answer, body } = await request(kind, `/publication?${query}`);
    const entries = body as unknown[];
    return { entries, next: /[?&](cursor=[^&>]+)[^>]*>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] };
  };
  for (let n = 0; n < each; n++) {
    await request("counts of the queue's parts", "/publication-queue");
    for (const [kind, query] of Object.entries(queriesOf(n, publications))) await timed(kind, query);
  }
  for (const sort of ["since", "title"]) {
    let cursor: string | undefined = "";
    let seen = 0;
    while (cursor !== undefined) {
      const { entries, next } = await timed(`pages to the end, by ${sort}`, `sort=${sort}&limit=200&${cursor}`);
      seen += entries.length;
      cursor = next;
    }
    if (seen !== publications) throw new Error(`The pages have ${seen} of ${publications} entries`);
  }
  return { milliseconds };
}

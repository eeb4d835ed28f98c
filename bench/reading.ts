/** `npm run bench:reading`: measures landing pages and downloads of published datasets; see README.md. */

import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { measureIngest } from "./contestants/accession.ts";
import { equalObjects, GIB, KIB, type MadeObject, MIB, type Workload } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import type { Answered, Asked } from "./support/page-load.ts";
import { readArguments, readCount, requirePrograms, run, workFolder } from "./support/program.ts";
import { atShare, median, table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { memoryPerSlowReader } from "./support/slow-readers.ts";
import { type Bucket, openSource } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const FILES = 100_000;
/** Half of the files are in one folder, the others in folders of this size. */
const FOLDER_FILES = 500;
/** Landing pages of each kind that are requested one after the other. */
const PAGES = 100;
/** Searches in the names of all files, which find nothing, so that all are looked at. */
const SEARCHES = 20;
const PER_SECOND = 500;
const SECONDS = 20;
/** Datasets whose pages are requested in turn under load. */
const SMALL_DATASETS = 20;
/** As download programs request the parts of a file. */
const RANGE_BYTES = 64 * MIB;
const ROUNDS = 5;
/** Half of them read a large file, of which one caller may have 32, and half a page. */
const SLOW_READERS = 60;
const MOST_MIB = 1;
const MOST_PAGE_MS = 50;
const MOST_PAGE_BYTES = 100_000;
const MOST_P99_MS = 250;
const LEAST_SHARE_OF_NGINX = 0.8;

await run(async () => {
  const { texts, flags } = readArguments(["files", "seconds", "per-second", "work"], ["smoke"]);
  const files = readCount("files", texts.files, flags.smoke ? 100 : FILES);
  const seconds = readCount("seconds", texts.seconds, flags.smoke ? 1 : SECONDS);
  const perSecond = readCount("per-second", texts["per-second"], flags.smoke ? 20 : PER_SECOND);
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  const { server, buckets } = await openSource(work, [
    inFolders(files),
    equalObjects("reading-small", "small dataset", 10, KIB),
    flags.smoke
      ? equalObjects("reading-large-smoke", "one file", 1, 32 * MIB)
      : equalObjects("reading-large", "one large file", 1, GIB),
  ]);
  const [many, small, large] = buckets;
  if (many === undefined || small === undefined || large === undefined) throw new Error("No bucket was generated");
  const found = await withTarget(work, async (target) => {
    const service = await ServiceProcess.start(target, {
      settings: { ACCESSION_PUBLICATION: "direct", ACCESSION_RATE_LIMIT: "0" },
    });
    try {
      const landing = await publish(service, many);
      const pages = await onePageAfterTheOther(landing, files);
      const urls = [landing];
      for (let n = 0; n < SMALL_DATASETS; n++) urls.push(await publish(service, small));
      // The first pages after a start take longer, until the code is compiled.
      for (const url of urls) await page(url);
      const ingest = service.submit(many);
      const load = await underLoad({ urls, perSecond, seconds, connections: 100 });
      const { status } = await service.api.submission((await ingest).id);
      const [name] = large.workload.objects();
      const own = `${await publish(service, large)}/files/data/${name?.key}`;
      await service.completed((await ingest).id);
      const downloads = await compared(own, `${large.endpoint}/${large.bucket}/${name?.key}`, large.bytes);
      const slowReaderMib = await memoryPerSlowReader(service.pid, [own, landing], SLOW_READERS);
      return { pages, load, ingestWas: status, downloads, slowReaderMib };
    } finally {
      await service.stop();
    }
  });
  await server.stop();
  console.log(table(rows(found, flags.smoke === true)));
  console.log(`\n${writeResults("reading", { files, perSecond, seconds, ...found })}`);
  removeTargets(work);
});

/** Files in one large folder and many small ones, so that the folder of all files has more than one page of folders. */
function inFolders(files: number): Workload {
  const large = Math.floor(files / 2);
  const padded = (number: number, digits: number) => String(number).padStart(digits, "0");
  function* objects(): Generator<MadeObject> {
    for (let n = 0; n < large; n++) yield { key: `large/sample-${padded(n, 7)}.csv`, bytes: KIB };
    for (let n = large; n < files; n++) {
      const folder = Math.floor((n - large) / FOLDER_FILES);
      yield { key: `plot-${padded(folder, 4)}/sample-${padded(n, 7)}.csv`, bytes: KIB };
    }
  }
  return { name: "reading", title: "files in folders", bucket: `bench-reading-folders-${files}`, objects };
}

/** Archives and publishes a bucket, and returns the address of its landing page. */
async function publish(service: ServiceProcess, bucket: Bucket): Promise<string> {
  const { submission } = await measureIngest(service, bucket);
  const path = `/dataset/${submission.dataset?.id}`;
  await service.api.post(`${path}/publication/request`, { agreement: true, access: "open" });
  for (;;) {
    const { json } = await service.api.get(`${path}/publication`);
    if (json.state === "published") return service.url + path;
    if (json.state !== "registering") throw new Error(`The publication is ${json.state}`);
  }
}

interface Pages {
  milliseconds: Record<"the folder of all files" | "a small folder" | "a large folder", number[]>;
  /** Of searches in the names of all files. */
  searches: number[];
  /** Of the largest page without its style, as it is sent. */
  bytes: number;
}

/** The service keeps none of these pages, so that each is rendered. */
async function onePageAfterTheOther(url: string, files: number): Promise<Pages> {
  // The folders are recorded after the publication.
  while (!(await page(`${url}?folder=`)).includes("large/</a>"));
  const large = Math.floor(files / 2);
  const folders = Math.ceil((files - large) / FOLDER_FILES);
  const pages: Pages = {
    milliseconds: { "the folder of all files": [], "a small folder": [], "a large folder": [] },
    searches: [],
    bytes: 0,
  };
  for (let n = 0; n < SEARCHES; n++) {
    const since = performance.now();
    await page(`${url}?find=nothing-${n}`);
    pages.searches.push(performance.now() - since);
  }
  for (let n = 0; n < PAGES; n++) {
    const folder = String(randomInt(folders)).padStart(4, "0");
    const queries: Record<keyof Pages["milliseconds"], string> = {
      "the folder of all files": "?folder=/",
      "a small folder": `?folder=plot-${folder}/`,
      "a large folder": `?folder=large/&after=${randomInt(large)}`,
    };
    for (const [kind, query] of Object.entries(queries) as [keyof Pages["milliseconds"], string][]) {
      const since = performance.now();
      const text = await page(url + query);
      pages.milliseconds[kind].push(performance.now() - since);
      pages.bytes = Math.max(pages.bytes, Buffer.byteLength(text));
    }
  }
  return pages;
}

async function page(url: string): Promise<string> {
  const { statusCode, body } = await request(url, { headers: { accept: "text/html" } });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The page has the status ${statusCode}`);
  return text;
}

async function underLoad(asked: Asked): Promise<Answered> {
  const program = join(import.meta.dirname, "support/page-load.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(asked)], {
    maxBuffer: GIB,
  });
  return JSON.parse(stdout) as Answered;
}

/** Seconds of the same downloads from the service and from nginx, in turn. */
type Downloads = Record<"whole" | "ranges" | "resumed", { accession: number[]; nginx: number[] }>;

async function compared(own: string, nginx: string, bytes: number): Promise<Downloads> {
  const part = Math.min(RANGE_BYTES, bytes / 2);
  const found: Downloads = {
    whole: { accession: [], nginx: [] },
    ranges: { accession: [], nginx: [] },
    resumed: { accession: [], nginx: [] },
  };
  for (let round = 0; round < ROUNDS; round++) {
    const starts = Array.from({ length: 4 }, () => randomInt(Math.max(1, bytes - part)));
    for (const [name, url] of round % 2 === 0
      ? [["accession", own] as const, ["nginx", nginx] as const]
      : [["nginx", nginx] as const, ["accession", own] as const]) {
      found.whole[name].push(await secondsOf(url, [undefined], bytes));
      found.ranges[name].push(
        await secondsOf(
          url,
          starts.map((from) => `bytes=${from}-${from + part - 1}`),
          part,
        ),
      );
      found.resumed[name].push(await secondsOf(url, [`bytes=${bytes / 2}-`], bytes / 2));
    }
  }
  return found;
}

async function secondsOf(url: string, ranges: readonly (string | undefined)[], expected: number): Promise<number> {
  const since = performance.now();
  for (const range of ranges) {
    const { statusCode, body } = await request(url, { headers: range === undefined ? {} : { range } });
    let bytes = 0;
    for await (const part of body) bytes += (part as Buffer).length;
    if (bytes !== expected) throw new Error(`${url} sent ${bytes} bytes with the status ${statusCode}`);
  }
  return (performance.now() - since) / 1_000;
}

interface Found {
  pages: Pages;
  load: Answered;
  ingestWas: string;
  downloads: Downloads;
  slowReaderMib: number;
}

function rows({ pages, load, ingestWas, downloads, slowReaderMib }: Found, isSmoke: boolean): Record<string, string>[] {
  const row = (figure: string, found: string, target = "", isMet = true) => ({
    figure,
    found,
    target,
    "": isSmoke || target === "" ? "" : isMet ? "met" : "NOT MET",
  });
  const p99 = atShare(load.milliseconds, 0.99);
  return [
    ...Object.entries(pages.milliseconds).map(([kind, milliseconds]) => {
      const ms = median(milliseconds);
      return row(
        `ms of a page that is rendered, ${kind}, median`,
        ms.toFixed(1),
        `< ${MOST_PAGE_MS}`,
        ms < MOST_PAGE_MS,
      );
    }),
    row("ms of a search in the names of all files, median", median(pages.searches).toFixed(0)),
    row("bytes of a page", String(pages.bytes), `< ${MOST_PAGE_BYTES}`, pages.bytes < MOST_PAGE_BYTES),
    row("pages under load, failed", String(load.failed), "0", load.failed === 0),
    row("ms of a page under load, median", median(load.milliseconds).toFixed(1)),
    row("ms of a page under load, p99", p99.toFixed(1), `< ${MOST_P99_MS}`, p99 < MOST_P99_MS),
    row("the ingest after the load", ingestWas),
    ...Object.entries(downloads).map(([name, { accession, nginx }]) => {
      const share = median(nginx) / median(accession);
      const figure = `speed accession / nginx, ${name}`;
      // Whole files are compared with their digest, which nginx does not do.
      if (name === "whole") return row(figure, share.toFixed(2));
      return row(figure, share.toFixed(2), `≥ ${LEAST_SHARE_OF_NGINX}`, share >= LEAST_SHARE_OF_NGINX);
    }),
    row("MiB for a reader who stops reading", slowReaderMib.toFixed(2), `< ${MOST_MIB}`, slowReaderMib < MOST_MIB),
  ];
}

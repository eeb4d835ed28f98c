/** `npm run bench:reading`: measures landing pages and downloads of published datasets; see README.md. */

import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { measureIngest } from "./contestants/accession.ts";
import { equalObjects, GIB, KIB, MIB } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import type { Answered, Asked } from "./support/page-load.ts";
import { readArguments, readCount, requirePrograms, run, workFolder } from "./support/program.ts";
import { atShare, median, table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { type Bucket, openSource } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const FILES = 100_000;
/** Landing pages that are requested one after the other. */
const PAGES = 100;
const PER_SECOND = 500;
const SECONDS = 20;
/** Datasets whose pages are requested in turn under load. */
const SMALL_DATASETS = 20;
/** As download programs request the parts of a file. */
const RANGE_BYTES = 64 * MIB;
const ROUNDS = 5;
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
    equalObjects("reading", "files", files, KIB),
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
      const page = await publish(service, many);
      const pages = await onePageAfterTheOther(page);
      const urls = [page];
      for (let n = 0; n < SMALL_DATASETS; n++) urls.push(await publish(service, small));
      const ingest = service.submit(many);
      const load = await underLoad({ urls, perSecond, seconds, connections: 100 });
      const { status } = await service.api.submission((await ingest).id);
      const [name] = large.workload.objects();
      const own = `${await publish(service, large)}/files/data/${name?.key}`;
      await service.completed((await ingest).id);
      const downloads = await compared(own, `${large.endpoint}/${large.bucket}/${name?.key}`, large.bytes);
      return { pages, load, ingestWas: status, downloads };
    } finally {
      await service.stop();
    }
  });
  await server.stop();
  console.log(table(rows(found, flags.smoke === true)));
  console.log(`\n${writeResults("reading", { files, perSecond, seconds, ...found })}`);
  removeTargets(work);
});

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
  milliseconds: number[];
  /** Of a page without its style, as it is sent. */
  bytes: number;
}

async function onePageAfterTheOther(url: string): Promise<Pages> {
  const milliseconds: number[] = [];
  let bytes = 0;
  // Each request names another part of the list, so that no page was rendered before.
  for (let n = 0; n < PAGES; n++) {
    const since = performance.now();
    const { statusCode, body } = await request(`${url}?after=${n}`, { headers: { accept: "text/html" } });
    bytes = Math.max(bytes, (await body.arrayBuffer()).byteLength);
    if (statusCode !== 200) throw new Error(`The page has the status ${statusCode}`);
    milliseconds.push(performance.now() - since);
  }
  return { milliseconds, bytes };
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
  const found: Downloads = {
    whole: { accession: [], nginx: [] },
    ranges: { accession: [], nginx: [] },
    resumed: { accession: [], nginx: [] },
  };
  for (let round = 0; round < ROUNDS; round++) {
    const starts = Array.from({ length: 4 }, () => randomInt(Math.max(1, bytes - RANGE_BYTES)));
    for (const [name, url] of round % 2 === 0
      ? [["accession", own] as const, ["nginx", nginx] as const]
      : [["nginx", nginx] as const, ["accession", own] as const]) {
      found.whole[name].push(await secondsOf(url, [undefined], bytes));
      found.ranges[name].push(
        await secondsOf(
          url,
          starts.map((from) => `bytes=${from}-${from + RANGE_BYTES - 1}`),
          RANGE_BYTES,
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

function rows(
  { pages, load, ingestWas, downloads }: { pages: Pages; load: Answered; ingestWas: string; downloads: Downloads },
  isSmoke: boolean,
): Record<string, string>[] {
  const row = (figure: string, found: string, target = "", isMet = true) => ({
    figure,
    found,
    target,
    "": isSmoke || target === "" ? "" : isMet ? "met" : "NOT MET",
  });
  const page = median(pages.milliseconds);
  const p99 = atShare(load.milliseconds, 0.99);
  return [
    row("ms of a page that is rendered, median", page.toFixed(1), `< ${MOST_PAGE_MS}`, page < MOST_PAGE_MS),
    row("bytes of a page", String(pages.bytes), `< ${MOST_PAGE_BYTES}`, pages.bytes < MOST_PAGE_BYTES),
    row("pages under load, failed", String(load.failed), "0", load.failed === 0),
    row("ms of a page under load, median", median(load.milliseconds).toFixed(1)),
    row("ms of a page under load, p99", p99.toFixed(1), `< ${MOST_P99_MS}`, p99 < MOST_P99_MS),
    row("the ingest after the load", ingestWas),
    ...Object.entries(downloads).map(([name, { accession, nginx }]) => {
      const share = median(nginx) / median(accession);
      return row(
        `speed accession / nginx, ${name}`,
        share.toFixed(2),
        `≥ ${LEAST_SHARE_OF_NGINX}`,
        share >= LEAST_SHARE_OF_NGINX,
      );
    }),
  ];
}

/** @module-tag extended */

import { expect, test, vi } from "vitest";
import { startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs } from "../support/api/publications.ts";
import { startTestService } from "../support/program/service.ts";

vi.setConfig({ testTimeout: 900_000 });
/** `PUBLICATIONS=1000` measures as many; archiving them takes longer than publishing them. */
const DATASETS = Number(process.env.PUBLICATIONS ?? 60);
const PER_SECOND = 10;

test("many publications at once, with a DataCite that allows 10 requests a second: all complete, none is lost", async () => {
  const limit = { requests: PER_SECOND, windowMs: 1_000 };
  const account = await openDatacite({ limit });
  const datacite = account.server;
  const s3 = await startS3Server();
  const service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ...account.settings(),
  });
  try {
    const datasets: string[] = [];
    const archive = async () => {
      while (datasets.length < DATASETS) {
        const at = datasets.push("") - 1;
        datasets[at] = (await archiveAs(service, s3, undefined, { files: { "README.md": `${at}` } })).dataset;
      }
    };
    await Promise.all(Array.from({ length: 8 }, archive));
    const began = Date.now();
    for (const dataset of datasets) {
      const asked = { agreement: true, access: "open" };
      const { status, text } = await service.api.post(`/dataset/${dataset}/publication/request`, asked);
      expect(status, text).toBe(200);
    }
    const published = async () => {
      const { text } = await service.api.get("/metrics");
      return Number(/^accession_publications\{state="published"\} (\d+)$/m.exec(text)?.[1]);
    };
    await vi.waitUntil(async () => (await published()) === DATASETS, { timeout: 600_000, interval: 2_000 });
    const seconds = (Date.now() - began) / 1_000;
    const refused = datacite.requests.filter(({ status }) => status === 429).length;
    console.log(`${DATASETS} publications in ${seconds} s, ${datacite.requests.length} requests, ${refused} refused`);
    expect(datacite.dois.size).toBe(DATASETS);
    expect([...datacite.dois.values()].every(({ state, handle }) => state === "findable" && handle !== undefined)).toBe(
      true,
    );
    const urls = new Set([...datacite.dois.values()].map(({ attributes }) => attributes.url));
    expect(urls.size).toBe(DATASETS);
    // The requests are spaced evenly, so that even a strict window refuses almost none.
    expect(refused).toBeLessThanOrEqual(datacite.requests.length / 50);
  } finally {
    await service.stop();
    await account.close();
    await s3.close();
  }
});

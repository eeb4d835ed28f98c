import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archivePrefix,
  archiveSettings,
} from "../support/archive/s3-archive.ts";
import { OBJECTS } from "../support/data-source/odd-dataset.ts";
import { shown } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const PDF = `%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n${"%".repeat(1_000)}`;
const LARGE = 20_000_000;
const FILES: Record<string, string | Buffer> = {
  "README.md": "# Roots\n\nA paragraph with *emphasis*.\n",
  "tables/data.csv": "plot,depth\n1,20\n",
  "notes/plots.txt": "Plots in the north",
  "data.json": '{"plots":[1,2]}',
  "images/leaf.png": OBJECTS["images/leaf.png"] ?? "",
  "paper.pdf": PDF,
  "empty.txt": "",
  "large.txt": `The beginning\n${"x".repeat(LARGE)}`,
  "lost.csv": "lost,too\n1,2\n",
};

let s3: S3Server;
let archive: S3Server;
let service: TestService;
let one: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  service = await startTestService({ ...archiveSettings(archive.endpoint), ACCESSION_PUBLICATION: "direct" });
  one = await publishAs(service, s3, { files: FILES as Record<string, string> });
});
afterAll(async () => {
  await service.stop();
  await archive.close();
  await s3.close();
});

async function open(path: string, headers: Record<string, string> = {}) {
  const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const answer = await fetch(`${service.url}/dataset/${one.dataset}${path}`, { headers: { accept, ...headers } });
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, body, text: body.toString() };
}

/** The key of an archived file in the bucket. */
function keyOf(name: string): string {
  const path = archivePaths(archive).find((path) => path.endsWith(`/data/${name}`));
  if (path === undefined) throw new Error(`The archive has no ${name}`);
  return `${archivePrefix}/${path}`;
}

describe("with an archive in an object store", () => {
  test("the landing page shows the text that describes a folder", async () => {
    expect((await open("")).text).toContain("<em>emphasis</em>");
  });

  test.each([
    ["README.md", "<em>emphasis</em>"],
    ["tables/data.csv", '<th scope="col">depth</th>'],
    ["notes/plots.txt", "Plots in the north"],
    ["data.json", "&quot;plots&quot;: ["],
    ["images/leaf.png", "leaf.png?inline=true"],
    ["paper.pdf", "Open the PDF"],
    ["empty.txt", "The file is empty."],
    ["large.txt", "Only the beginning of the file is shown."],
  ])("the page of %s shows its content", async (path, wanted) => {
    const { status, text } = await open(`/preview/data/${path}`);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain(wanted);
  });

  test("only the beginning of a large file is read from the store", async () => {
    const before = archive.history.length;
    expect((await open("/preview/data/large.txt")).status).toBe(200);
    const read = archive.history
      .slice(before)
      .filter(({ operation, key }) => operation === "get" && key === keyOf("large.txt"));
    expect(read.map(({ headers }) => headers.range)).toEqual(["bytes=0-99999"]);
  });

  test("images and PDF are sent as they are, and in ranges", async () => {
    for (const [path, type] of [
      ["images/leaf.png", "image/png"],
      ["paper.pdf", "application/pdf"],
    ] as const) {
      const address = `/preview/data/${path}?inline=true`;
      const content = Buffer.from(FILES[path] ?? "");
      const whole = await open(address);
      expect([whole.status, whole.headers.get("content-type"), whole.body.equals(content)]).toEqual([200, type, true]);
      expect(whole.headers.get("content-disposition")).toMatch(/^inline/);
      const part = await open(address, { range: "bytes=2-20" });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 2-20/${content.length}`]);
      expect(part.body.equals(content.subarray(2, 21))).toBe(true);
      expect((await open(address, { range: "bytes=9000000-" })).status).toBe(416);
    }
  });

  test("a file that the store has lost is a problem with its next step, and other files are still shown", async () => {
    archive.remove(archiveBucket, keyOf("lost.csv"));
    const { status, text } = await open("/preview/data/lost.csv");
    expect(status).toBe(500);
    expect(shown(text)).toMatch(/archive|archived/);
    expect(text).not.toContain(archiveBucket);
    const problem = await open("/preview/data/lost.csv", { accept: "application/json" });
    expect([problem.status, JSON.parse(problem.text).code]).toEqual([500, "content_damaged"]);
    expect((await open("/preview/data/tables/data.csv")).status).toBe(200);
    expect((await open("")).status).toBe(200);
  });

  test("a store that refuses to answer is a problem that passes, and the public does not see the bucket", async () => {
    const fault = archive.addFault({ match: { operation: "get" }, fault: { status: 403, code: "AccessDenied" } });
    const { status, text } = await open("/preview/data/notes/plots.txt");
    expect(status).toBe(503);
    expect(shown(text)).toContain("“data/notes/plots.txt” cannot be read");
    const paths = ["/files/data/notes/plots.txt", "/files", "/export/bagit", "/linkset"];
    const answers = await Promise.all(paths.map((path) => open(path, { accept: "*/*" })));
    for (const hidden of [archiveBucket, archiveKeys.accessKey, new URL(archive.endpoint).host, "AccessDenied"]) {
      for (const answer of [text, ...answers.map((one) => one.text)]) expect(answer).not.toContain(hidden);
    }
    fault();
    expect((await open("/preview/data/notes/plots.txt")).status).toBe(200);
  });
});

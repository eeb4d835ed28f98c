/** @module-tag extended */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { catalogue } from "../../src/domain/problems.ts";
import { goodMetadata } from "../support/api/api.ts";
import { submitAndArchive, submitNextVersion } from "../support/archive/archived-versions.ts";
import { bagErrors, type Files, readZip, withoutBagFolder } from "../support/archive/package-formats.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
/** A title as a person may paste it. A bag’s description must be one line. */
const pasted = "Barley\u0085roots\u001d";
const titles = ["Barley roots", "Barley roots, with their right title"];
const contents = ["as it was measured", "as it was measured again"];

let source: S3Server;
let service: TestService;
let folder: string;
let dataset: string;
/** The URL of the dataset. */
let self: string;

beforeAll(async () => {
  source = await startS3Server();
  source.addAccount(keys);
  source.createBucket("twice");
  service = await startTestService({ ACCESSION_BASE_PATH: "/archive" });
  folder = await mkdtemp(join(tmpdir(), "accession-dataset-versions-"));
  const access = { endpoint: source.endpoint, bucket: "twice", ...keys };
  const metadata = (index: number) => ({ metadata: { ...goodMetadata, title: index === 0 ? pasted : titles[index] } });
  source.put("twice", "a b.csv", contents[0] ?? "");
  source.put("twice", "kept.csv", "the same in both");
  const first = await submitAndArchive(service.api, access, metadata(0));
  source.put("twice", "a b.csv", contents[1] ?? "");
  await submitNextVersion(service.api, access, first.dataset, metadata(1));
  dataset = first.dataset.id;
  self = `${service.url}/dataset/${dataset}`;
});
afterAll(async () => {
  await service.stop();
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

async function bagOf(version: number): Promise<Files> {
  const response = await fetch(`${self}/export/bagit?version=${version}`);
  return withoutBagFolder(await readZip(Buffer.from(await response.arrayBuffer())), dataset);
}

describe.each([1, 2])("version %i", (version) => {
  const title = titles[version - 1];

  test("has a separate URL, which its bag states", async () => {
    const bag = await bagOf(version);
    expect(bagErrors(bag)).toEqual([]);
    const info = String(bag.get("bag-info.txt"));
    expect(info).toContain(`External-Description: ${title}\n`);
    const address = /^Internal-Sender-Identifier: (.*)$/m.exec(info)?.[1] ?? "";
    expect(address).toBe(`${self}?version=${version}`);
    const { status, json } = await service.api.get(address.slice(service.url.length));
    const sent = version === 1 ? pasted : title;
    expect([status, json.title, json.version, json.versions.length]).toEqual([200, sent, version, 2]);
  });

  test("is cited by its own URL, in every format and in Link", async () => {
    const own = `${self}?version=${version}`;
    const other = `${self}?version=${3 - version}`;
    for (const query of version === 2 ? ["", "?version=2"] : ["?version=1"]) {
      const get = (rest: string) => service.api.get(`/dataset/${dataset}${rest}${query}`);
      expect((await get("")).headers.get("link")).toContain(`<${own}>; rel="cite-as"`);
      expect((await get("/linkset")).json.linkset[0]["cite-as"]).toEqual([{ href: own }]);
      const { json: schemaOrg } = await get("/export/schema-org");
      expect([schemaOrg["@id"], schemaOrg.url]).toEqual([own, own]);
      expect((await get("/export/dcat")).json["@id"]).toBe(own);
      const { json: csl } = await get("/export/csl");
      expect([csl.id, csl.URL]).toEqual([own, own]);
      expect((await get("/export/ris")).text).toContain(`UR  - ${own}\r\n`);
      expect((await get("/export/dublin-core")).text).toContain(`<dc:identifier>${own}</dc:identifier>`);
      const { text: bibtex } = await get("/export/bibtex");
      expect(bibtex).toContain(`url = {${own}}`);
      expect(/^@misc\{(.*),$/m.exec(bibtex)?.[1]).toMatch(new RegExp(`-v${version}$`));
      for (const format of ["bibtex", "ris", "csl", "schema-org", "dublin-core"]) {
        expect((await get(`/export/${format}`)).text, format).not.toContain(other);
      }
      const { json: datacite } = await get("/export/datacite-json");
      const relation = version === 1 ? "IsPreviousVersionOf" : "IsNewVersionOf";
      expect(datacite.relatedIdentifiers).toContainEqual(
        expect.objectContaining({ relationType: relation, relatedIdentifier: other }),
      );
    }
  });

  test("is a ZIP named after its title and number", async () => {
    const { headers } = await fetch(`${self}/export/bagit?version=${version}`, { method: "HEAD" });
    const name = version === 1 ? "Barley-roots-v1.bag.zip" : "Barley-roots-with-their-right-title-v2.bag.zip";
    expect(headers.get("content-disposition")).toBe(`attachment; filename=${name}`);
  });

  test("has links to its own files and descriptions", async () => {
    const { headers } = await service.api.get(`/dataset/${dataset}?version=${version}`);
    const { json } = await service.api.get(`/dataset/${dataset}/linkset?version=${version}`);
    const [{ anchor, item, describedby }] = json.linkset;
    expect(anchor).toBe(version === 1 ? `${self}?version=1` : self);
    const file = (item as { href: string }[]).find(({ href }) => href.includes("/data/a%20b.csv"))?.href ?? "";
    expect(headers.get("link")).toContain(`<${file}>; rel="item"`);
    expect(await (await fetch(file)).text()).toBe(contents[version - 1]);
    const bibtex = (describedby as { href: string }[]).find(({ href }) => href.includes("bibtex"))?.href ?? "";
    expect(headers.get("link")).toContain(`<${bibtex}>; rel="describedby"`);
    expect(await (await fetch(bibtex)).text()).toContain(`{${title}}`);
  });
});

describe("the command line", () => {
  const accession = (...args: string[]) => runCommand(args, folder, { env: { ACCESSION_URL: service.url } });

  test.each([1, 2])("reaches version %i", async (version) => {
    const which = ["--dataset-version", String(version)];
    const shown = await accession("dataset", "show", dataset, ...which);
    expect(shown.lines[0]).toMatchObject({ version, title: version === 1 ? pasted : titles[1] });
    const listed = await accession("dataset", "show", dataset, "--files", ...which);
    const { bytes } = listed.lines.find(({ path }) => path === "data/a b.csv") ?? {};
    expect(bytes).toBe(contents[version - 1]?.length);
    const file = join(folder, `v${version}.csv`);
    expect((await accession("dataset", "get", dataset, "data/a b.csv", "--output", file, ...which)).code).toBe(0);
    expect(await readFile(file, "utf8")).toBe(contents[version - 1]);
    const crate = join(folder, `v${version}.zip`);
    expect((await accession("export", dataset, "--format", "ro-crate", "--output", crate, ...which)).code).toBe(0);
    const zip = await readZip(await readFile(crate));
    expect(String(zip.get("data/a b.csv"))).toBe(contents[version - 1]);
  });

  test.each([
    ["--version", "1"],
    ["--dataset-version", "one"],
    ["--dataset-version", "0"],
  ])("refuses %s %s", async (...which) => {
    const { code, lines, stderr } = await accession("export", dataset, "--format", "csl", ...which);
    expect([code, lines]).toEqual([2, []]);
    expect(stderr).toMatch(/^error: (unknown )?option '--/);
  });
});

test("a version that does not exist is not found", async () => {
  const { status, json } = await service.api.get(`/dataset/${dataset}?version=3`);
  expect([status, json.code]).toEqual([404, "not_found"]);
});

describe("a browser", () => {
  const chrome =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";
  const firefox = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const clicked = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  /** Sends the headers unchanged: fetch would add a Sec-Fetch-Mode. */
  async function get(path: string, headers: Record<string, string>) {
    const { statusCode: status, headers: responseHeaders, body } = await request(service.url + path, { headers });
    return { status, headers: responseHeaders, text: await body.text() };
  }

  test.each([chrome, firefox])("is redirected to the page of the dataset, and of the version: %s", async (accept) => {
    for (const [path, page] of [
      [`/dataset/${dataset}`, `/archive/app/datasets/${dataset}`],
      [`/dataset/urn:uuid:${dataset}`, `/archive/app/datasets/${dataset}`],
      [`/dataset/${dataset}?version=1`, `/archive/app/datasets/${dataset}?version=1`],
      ["/dataset/%2F%2Felsewhere.example", "/archive/app/datasets/%2F%2Felsewhere.example"],
    ] as const) {
      const { status, headers, text } = await get(path, { accept });
      expect([status, headers.location, headers.vary, text]).toEqual([303, page, "Origin, Accept", ""]);
    }
  });

  test("is redirected from links on other sites, too", async () => {
    const { status, headers } = await get(`/dataset/${dataset}`, { accept: chrome, ...clicked });
    expect([status, headers.location]).toEqual([303, `/archive/app/datasets/${dataset}`]);
  });

  test.each([
    ["in a frame", "", { accept: chrome, ...clicked, "sec-fetch-dest": "iframe" }],
    ["by a script", "", { accept: chrome, ...clicked, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty" }],
    ["for the data", "", { accept: "application/json", ...clicked }],
    ["for its files", "/files", { accept: chrome, ...clicked }],
  ])("is not redirected for requests of another site %s", async (_, rest, headers) => {
    const { status, headers: answered, text } = await get(`/dataset/${dataset}${rest}`, headers);
    expect([status, answered.location]).toEqual([403, undefined]);
    if (headers.accept === chrome) {
      expect(answered["content-type"]).toBe("text/html; charset=utf-8");
      expect(text).toContain(`<h1>${catalogue.foreign_origin.title}</h1>`);
    } else {
      expect(JSON.parse(text).code).toBe("foreign_origin");
    }
    for (const own of ["Barley", ".csv", ...contents]) expect(text).not.toContain(own);
  });
});

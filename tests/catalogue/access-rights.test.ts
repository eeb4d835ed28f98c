import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { Harvester } from "../support/api/harvester.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const DAY_MS = 86_400_000;
const embargoDate = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);

let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

test.each([
  [{ access: "open" }, "openAccess"],
  [{ access: "embargoed", embargoDate, reason: "A paper" }, "embargoedAccess"],
  [{ access: "restricted", reason: "Persons" }, "restrictedAccess"],
])("records state who may read the files, as OpenAIRE reads it: %j", async (request, term) => {
  const { dataset } = await publishAs(service, s3, { request });
  const harvester = new Harvester(service);
  const list = await harvester.ask("verb=ListIdentifiers&metadataPrefix=oai_dc");
  const [, identifier = ""] = new RegExp(`<identifier>([^<]*${dataset}[^<]*)<`).exec(list) ?? [];
  const record = (metadataPrefix: string) => harvester.ask({ verb: "GetRecord", metadataPrefix, identifier });
  const dublinCore = await record("oai_dc");
  expect(dublinCore).toContain(`<dc:rights>info:eu-repo/semantics/${term}</dc:rights>`);
  const end = `<dc:date>info:eu-repo/date/embargoEnd/${embargoDate}</dc:date>`;
  expect(dublinCore.includes(end)).toBe("embargoDate" in request);
  expect(await record("oai_datacite")).toContain(`<rights rightsURI="info:eu-repo/semantics/${term}">`);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Texts that JavaScript reads as numbers, and none of which is a whole number in decimal digits. */
const WRONG = [
  "1.5",
  "1.0",
  "1e3",
  "0x1",
  "0b1",
  "+1",
  " 1",
  "1 ",
  "--1",
  "true",
  "Infinity",
  "1n",
  "١",
  "1,2",
  "null",
];
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

interface Parameter {
  name: string;
  in: string;
  schema: { type?: string; enum?: string[]; minimum?: number };
}

/** A value of a parameter in the path: of a list, or the id of nothing. */
function choice(parameters: Parameter[], name: string): string {
  return parameters.find((one) => one.in === "path" && one.name === name)?.schema.enum?.[0] ?? UNKNOWN;
}

let s3: S3Server;
let service: TestService;
let one: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  one = await publishAs(service, s3, { files: { "a.csv": "1\n" } });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

test("a number in an address is written in decimal digits, in every operation", async () => {
  const { json } = await service.api.get("/openapi.json");
  const asked: string[] = [];
  for (const [path, operations] of Object.entries(json.paths as Record<string, Record<string, unknown>>)) {
    for (const [method, operation] of Object.entries(operations)) {
      // The errors of a missing body come first.
      if ((operation as { requestBody?: object }).requestBody !== undefined) continue;
      const { parameters = [] } = operation as { parameters?: Parameter[] };
      for (const { name, schema } of parameters.filter((one) => one.in === "query" && one.schema.type === "integer")) {
        const address = path.replace(/\{([^}]*)\}/g, (_, part) => choice(parameters, part));
        for (const text of WRONG) {
          const query = `?${new URLSearchParams({ [name]: text })}`;
          const answer = await service.api.send(address + query, { method: method.toUpperCase() });
          // The feature of this operation is off, or it needs a link.
          if (["not_found", "reviewer_link_unknown"].includes(answer.json?.code)) continue;
          expect([address + query, answer.status, answer.json?.code]).toEqual([
            address + query,
            422,
            "invalid_request",
          ]);
          const wrong = { pointer: `/${name}`, code: "wrong_type", detail: "The value must be a whole number." };
          expect(answer.json.errors).toContainEqual(wrong);
        }
        for (const text of ["", String(schema.minimum ?? 1), `0${schema.minimum ?? 1}`]) {
          const { json } = await service.api.send(`${address}?${name}=${text}`, { method: method.toUpperCase() });
          const errors = (json?.errors ?? []) as { pointer: string }[];
          expect([address, text, errors.filter(({ pointer }) => pointer === `/${name}`)]).toEqual([address, text, []]);
        }
        asked.push(`${method} ${path} ${name}`);
      }
    }
  }
  expect(asked.length).toBeGreaterThan(20);
});

test("a number in the address of a page is written in decimal digits, too", async () => {
  const headers = { accept: "text/html,application/xhtml+xml" };
  for (const path of [`/dataset/${one.dataset}`, `/dataset/${one.dataset}/preview/data/a.csv`]) {
    for (const text of WRONG) {
      const answer = await fetch(`${service.url}${path}?${new URLSearchParams({ version: text })}`, { headers });
      expect([path, text, answer.status]).toEqual([path, text, 422]);
      expect(await answer.text()).toContain("version: The value must be a whole number.");
    }
    expect((await fetch(`${service.url}${path}?version=1`, { headers })).status).toBe(200);
  }
});

import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Code, catalogue } from "../../src/domain/problems.ts";
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from "../../src/domain/submission/events.ts";
import { ROUTE_PERMISSIONS } from "../../src/people/route-permissions.ts";
import type { Submission } from "../support/api/api.ts";
import {
  apiDescription,
  deliveryDeviations,
  isBinary,
  type Media,
  type ReceivedResponse,
  resolveResponse,
  responseDeviations,
  schemaDeviations,
} from "../support/api/api-description.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const operations = Object.entries(apiDescription.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const named = operations.map((one) => [one.operation.operationId, one] as const);

/** All media type objects of the document, with their locations. */
const everyMedia = (): [string, Media][] => {
  const contents = (where: string, content: Record<string, Media> = {}) =>
    Object.entries(content).map(([type, media]): [string, Media] => [`${where} ${type}`, media]);
  const responses = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      contents(`${operation.operationId} ${status}`, content),
    ),
  );
  const bodies = operations.flatMap(({ operation }) =>
    contents(`${operation.operationId} body`, operation.requestBody?.content),
  );
  const sent = contents("what webhooks are sent", apiDescription.webhooks.submissionEvent?.post?.requestBody?.content);
  const shared = Object.entries(apiDescription.components.responses).flatMap(([name, { content }]) =>
    contents(name, content),
  );
  return [...responses, ...bodies, ...sent, ...shared];
};

describe("clients/openapi.json", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ ACCESSION_BASE_PATH: "/archive" });
  });
  afterAll(() => service.stop());

  test("equals the document of the service with any base path; otherwise run “npm run clients”", async () => {
    const { json } = await service.api.get("/openapi.json");
    expect(json.servers).toMatchObject([{ url: "/archive" }]);
    expect({ ...json, servers: [] }).toEqual({ ...apiDescription, servers: [] });
  });

  test("is valid OpenAPI 3.1 according to an independent validator", async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...apiDescription })).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("has every route except web pages, and lists and protocols for machines that have their own standards", () => {
    const described = operations.map(
      ({ method, path }) => `${method} ${path.replace("{path}", "*").replaceAll(/\{(\w+)\}/g, ":$1")}`,
    );
    const pages = ["GET /docs/*", "GET /app/*", "GET /site/:file", "GET /about", "GET /", "GET /dataset/:id/preview/*"];
    const lists = [
      ...["GET /oai", "POST /oai", "GET /robots.txt", "GET /sitemap.xml", "GET /sitemap/:file"],
      ...["GET /feed.atom", "GET /opensearch.xml", "GET /catalogue.jsonld", "GET /favicon.ico"],
    ];
    const tus = [
      ...["POST /uploads/:id/files", "PATCH /uploads/:id/files/:no", "DELETE /uploads/:id/files/:no"],
      "POST /uploads/:id/files/:no",
    ];
    expect(described.sort()).toEqual(
      Object.keys(ROUTE_PERMISSIONS)
        .filter((route) => ![...pages, ...lists, ...tus].includes(route))
        .sort(),
    );
  });

  test("describes the data of every event type", () => {
    const { anyOf = [] } = apiDescription.components.schemas.Event as { anyOf?: { $ref: string }[] };
    const types = anyOf.flatMap(({ $ref }) => {
      const { properties } = apiDescription.components.schemas[$ref.split("/").at(-1) ?? ""] as {
        properties: { type: { enum: string[] } };
      };
      return properties.type.enum;
    });
    expect(types.toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  test("names every object that has members", () => {
    const unnamed: string[] = [];
    const look = (part: unknown, where: string, isNamed: boolean): void => {
      if (typeof part !== "object" || part === null) return;
      const { properties, type } = part as { properties?: unknown; type?: unknown };
      if (type === "object" && typeof properties === "object" && !isNamed) unnamed.push(where);
      for (const [name, value] of Object.entries(part)) look(value, `${where}/${name}`, false);
    };
    for (const [name, schema] of Object.entries(apiDescription.components.schemas)) look(schema, name, true);
    for (const [where, { schema }] of everyMedia()) look(schema, where, false);
    expect(unnamed).toEqual([]);
  });

  test("has the same enumerations as the code", () => {
    const { ProblemCode, EventType, NoticeType } = apiDescription.components.schemas;
    expect(ProblemCode?.enum).toEqual(Object.keys(catalogue));
    expect(EventType?.enum).toEqual([...EVENT_TYPES]);
    expect(NoticeType?.enum).toEqual(WEBHOOK_EVENT_TYPES.map((type) => `submission.${type}`));
  });

  test("lists the operations that return each problem code with a status", () => {
    const all = [
      ...Object.values(apiDescription.components.responses),
      ...operations.flatMap(({ operation }) => Object.values(operation.responses)),
    ];
    const answered = new Set(all.flatMap((response) => response["x-problem-codes"] ?? []));
    const withStatus = Object.entries(catalogue).flatMap(([code, entry]) => ("status" in entry ? [code] : []));
    // Returned for methods that are not operations.
    const spare: Code[] = ["method_not_allowed"];
    // Returned by the tus protocol, and for single files of a batch.
    const tus: Code[] = [
      ...(["upload_offset_wrong", "upload_taken_over", "upload_too_long", "upload_checksum_wrong"] as const),
      ...(["upload_digest_wrong", "upload_path_taken", "upload_too_many_files", "tus_version_unknown"] as const),
      ...(["upload_needs_tus", "upload_too_many_parts", "upload_joined"] as const),
    ];
    spare.push(...tus);
    expect(withStatus.filter((code) => !answered.has(code) && !spare.includes(code as Code))).toEqual([]);
  });
});

describe.each(named)("%s", (_, { operation }) => {
  test("is described", () => {
    expect(operation).toMatchObject({
      summary: expect.stringMatching(/^[A-Z].{5,60}[^.]$/),
      tags: [expect.any(String)],
    });
    expect(operation.description?.length ?? 0).toBeGreaterThan(15);
    expect(apiDescription.tags.find(({ name }) => name === operation.tags?.[0])?.description).toMatch(/./);
    expect(operations.filter((one) => one.operation.operationId === operation.operationId)).toHaveLength(1);
  });

  test("describes every parameter, with an example", () => {
    for (const { name, description, example, schema } of operation.parameters ?? []) {
      expect(description, name).toMatch(/.{5}/);
      // Cursors have no example, because only the service creates them.
      if (name === "cursor") continue;
      expect(example, name).toBeDefined();
      expect(schemaDeviations(schema, example), name).toEqual([]);
    }
  });

  test("describes every response", () => {
    const successes = Object.keys(operation.responses).filter((status) => status < "400");
    expect(successes.length).toBeGreaterThan(0);
    for (const [status, response] of Object.entries(operation.responses)) {
      const { description, headers, "x-problem-codes": codes = [] } = resolveResponse(response) ?? {};
      expect(description, status).toMatch(/.{4}/);
      expect(description, status).not.toBe("Default Response");
      if (status >= "400") expect(codes.length, status).toBeGreaterThan(0);
      for (const [header, { $ref }] of Object.entries(headers ?? {})) {
        expect(apiDescription.components.headers[$ref.replace("#/components/headers/", "")], header).toMatchObject({
          description: expect.stringMatching(/./),
          example: expect.anything(),
        });
      }
    }
  });
});

test.each(everyMedia())("the example of %s conforms to its schema", (_, media) => {
  const { schema, example, examples = {} } = media;
  const all = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
  expect(all.length > 0).toBe(!isBinary(media));
  for (const one of all) expect(schemaDeviations(schema, one)).toEqual([]);
});

test("examples show unread checksum lists and excluded files that differ", () => {
  const examples = everyMedia().map(([, { example }]) => example as Partial<Submission> | undefined);
  const shown = examples.flatMap((example) => example?.digests ?? []);
  expect(shown.some(({ unread }) => unread.length > 0)).toBe(true);
  expect(shown.some(({ differingExcluded }) => differingExcluded > 0)).toBe(true);
});

test("JSON bodies have a schema and are not described as binary", () => {
  const answers = Object.values(apiDescription.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.values(responses).map((one) => resolveResponse(one)?.content ?? {}),
    ),
  );
  const json = answers.flatMap((content) => Object.entries(content).filter(([type]) => /[/+]json$/.test(type)));
  expect(json.map(([type]) => type)).toContain("application/linkset+json");
  expect(json.filter(([, media]) => isBinary(media)).map(([type]) => type)).toEqual([]);
});

test("a delivery that does not conform to its description is detected", () => {
  const { parameters = [], requestBody } = apiDescription.webhooks.submissionEvent?.post ?? {};
  const headers = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
    const found = (body: object) => deliveryDeviations({ ...headers, "content-type": type }, JSON.stringify(body));
    expect(found(example as object)).toEqual([]);
    expect(found({ ...(example as object), type: "submission.audit_passed" })[0]).toMatch(/type/);
    expect(found({ ...(example as object), secret: 1 })[0]).toMatch(/secret/);
  }
  expect(deliveryDeviations({ "content-type": "text/plain" }, "{}").join()).toMatch(/webhook-id.*the type text/);
});

describe("a response that does not conform to its description is detected", () => {
  const problem = {
    type: "urn:accession:problem:not_found",
    title: "Not found",
    status: 404,
    detail: "The submission does not exist",
    code: "not_found",
    fault: "submitter",
    action: "Check the id or the address. The lists of submissions and datasets show ids.",
    instance: "req-7",
  };
  const response = (more: Partial<ReceivedResponse> & { body?: unknown; type?: string }): ReceivedResponse => ({
    method: "GET",
    path: "/submission/x",
    status: 404,
    headers: new Headers({ "content-type": more.type ?? "application/problem+json" }),
    text: JSON.stringify(more.body ?? problem),
    ...more,
  });

  test("unless it conforms", () => {
    expect(responseDeviations(response({}))).toEqual([]);
    expect(
      responseDeviations(
        response({ path: "/health/live", status: 200, type: "application/json", body: { status: "ok" } }),
      ),
    ).toEqual([]);
  });

  test.each([
    ["a status", response({ status: 418 }), /418/],
    ["a code", response({ body: { ...problem, code: "last_admin" } }), /the code last_admin/],
    ["no code at all", response({ body: { ...problem, code: "oops" } }), /code/],
    ["a member", response({ body: { ...problem, stack: "at main.ts" } }), /additional.*stack/],
    ["a missing member", response({ body: { ...problem, action: undefined } }), /action/],
    ["a type", response({ type: "text/html" }), /the type text\/html/],
    [
      "a header",
      response({ headers: new Headers({ "content-type": "application/problem+json", link: "<x>" }) }),
      /the header link/,
    ],
    ["a body where there is none", response({ path: "/submission/info/exists", status: 204 }), /a body/],
    ["an operation", response({ path: "/nowhere", status: 200 }), /no such operation/],
    [
      "a value",
      response({ path: "/health/live", status: 200, type: "application/json", body: { status: "fine" } }),
      /status/,
    ],
  ])("%s", (_, answer, words) => {
    expect(responseDeviations(answer).join("; ")).toMatch(words);
  });
});

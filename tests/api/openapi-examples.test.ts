/** @module-tag extended */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DataciteServer, startDataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { fillDemoBucket, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { Answer, Submission } from "../support/api/api.ts";
import { apiDescription, type Operation, resolveResponse } from "../support/api/api-description.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { createLink } from "../support/api/reviewer-links.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Receiver, startReceiver } from "../support/receivers/receiver.ts";
import { lacks, skipNote } from "../support/tools.ts";

/** The bucket and credentials of the examples. A second server has an unreadable object. */
let s3: S3Server;
let broken: S3Server;
let receiver: Receiver;
let datacite: DataciteServer;
let service: TestService;
let tokens: Tokens;

beforeAll(async () => {
  [s3, broken] = await Promise.all([startS3Server({ region: REGION }), startS3Server({ region: REGION })]);
  for (const server of [s3, broken]) fillDemoBucket(server);
  const match = { operation: "get", key: "measurements/plot-07.csv" } as const;
  broken.addFault({ match, fault: { status: 403, code: "AccessDenied" } });
  receiver = await startReceiver();
  datacite = await startDataciteServer({ accounts: [{ ...ACCOUNT, prefixes: ["10.5072"], domains: ["*"] }] });
  service = await startTestService({
    ACCESSION_SELF_APPROVAL: "on",
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_DATACITE_URL: datacite.url,
    ACCESSION_DATACITE_REPOSITORY: ACCOUNT.repository,
    ACCESSION_DATACITE_PASSWORD_FILE: join(import.meta.dirname, "../fixtures/datacite-password"),
    ACCESSION_DATACITE_PREFIX: "10.5072",
  });
  tokens = await Tokens.open(service);
});
afterAll(async () => {
  await service.stop();
  await datacite.close();
  await receiver.stop();
  await Promise.all([s3.close(), broken.close()]);
});

const ACCOUNT = { repository: "TEST.REPO", password: "not-a-secret" };
const REGION = "eu-central-1";
const ENDPOINT = "https://s3.example.org";
const LAB = "https://lab.example.org";

/** Replaces the addresses of bucket and webhook in the examples. */
const at = (server: S3Server, example: unknown): string =>
  JSON.stringify(example).replaceAll(ENDPOINT, server.endpoint).replaceAll(LAB, receiver.url);
const exampleOf = (operation: Operation | undefined, type: string) => operation?.requestBody?.content[type]?.example;

async function submitted(server: S3Server, status: string): Promise<Submission> {
  const example = exampleOf(apiDescription.paths["/submission/upload/s3upload"]?.post, "application/json");
  const headers = { ...bearer(tokens.admin), "content-type": "application/json" };
  const { json } = await service.api.send("/submission/upload/s3upload", {
    method: "POST",
    headers,
    body: at(server, example),
  });
  const read = async () => (await service.api.get(`/submission/${json.id}`, bearer(tokens.admin))).json;
  await expect.poll(async () => (await read()).status).toBe(status);
  return read();
}

const completed = () => submitted(s3, "completed");
const waiting = () => submitted(broken, "waiting");

/** Creates a webhook for this submission, or for all. */
async function webhook(submission?: string): Promise<string> {
  const answer = await service.api.post("/webhook", { url: receiver.url, submission }, bearer(tokens.admin));
  return answer.json.id;
}

async function delivered(): Promise<Record<string, string>> {
  const id = await webhook((await completed()).id);
  const read = async () => (await service.api.get(`/webhook/${id}/deliveries`, bearer(tokens.admin))).json;
  await expect.poll(async () => (await read())[0]?.status).toBe("delivered");
  return { id, delivery: (await read())[0].id };
}

/** Creates a download link and returns its ticket. */
async function ticket(): Promise<string> {
  const { dataset } = await completed();
  const wanted = { path: "data/measurements/plot-01.csv" };
  const answer = await service.api.post(`/dataset/${dataset?.id}/download-link`, wanted, bearer(tokens.admin));
  return answer.json.url.split("/").at(-1);
}

let datasets = 0;

/** Archives another dataset, and takes these actions about its publication. */
async function afterActions(...actions: [action: string, body: object][]): Promise<Record<string, string | undefined>> {
  const example = exampleOf(apiDescription.paths["/submission/upload/s3upload"]?.post, "application/json");
  const { metadata, ...rest } = JSON.parse(at(s3, example));
  const body = { ...rest, metadata: { ...metadata, title: `Dataset ${++datasets}` } };
  const { json } = await service.api.post("/submission/upload/s3upload", body, bearer(tokens.admin));
  const read = async () => (await service.api.get(`/submission/${json.id}`, bearer(tokens.admin))).json;
  await expect.poll(async () => (await read()).status).toBe("completed");
  const { id } = (await read()).dataset;
  let seen = "*";
  for (const [action, sent] of actions) {
    const headers = { ...bearer(tokens.admin), "if-match": seen };
    const done = await service.api.post(`/dataset/${id}/publication/${action}`, sent, headers);
    expect(done.status, done.text).toBe(200);
    seen = done.headers.get("etag") ?? "";
  }
  const state = async () => (await service.api.get(`/dataset/${id}/publication`, bearer(tokens.admin))).json.state;
  await expect.poll(state).not.toBe("registering");
  return { id };
}

const LATER: [string, object] = ["request", { agreement: true, access: "open", publishOnApproval: false }];
const NOW: [string, object] = ["request", { agreement: true, access: "open" }];
const APPROVE: [string, object] = ["approve", {}];
const comment = (text: string): [string, object] => ["comment", { comment: text }];
const inReview = () => afterActions(LATER);
const published = () => afterActions(NOW, APPROVE);

const restricted = () => afterActions(["request", { agreement: true, access: "restricted" }], APPROVE);

async function grant(): Promise<Record<string, string | undefined>> {
  const { id } = await published();
  const { json } = await service.api.post(`/dataset/${id}/access-grant`, { kind: "link" }, bearer(tokens.admin));
  return { id, grant: json.id };
}

async function accessRequest(): Promise<Record<string, string | undefined>> {
  const { id } = await restricted();
  const asked = { reason: "Comparison", name: "Ada Lovelace", email: "ada@example.org" };
  await service.api.post(`/dataset/${id}/access-request`, asked);
  const { json } = await service.api.get(`/dataset/${id}/access-request`, bearer(tokens.admin));
  return { id, request: json[0].id };
}

let collections = 0;

/** Creates a collection. */
async function collection(): Promise<string> {
  const id = `collection-${++collections}`;
  const headers = { ...bearer(tokens.admin), "content-type": "application/json" };
  const body = JSON.stringify({ name: { en: id } });
  expect((await service.api.send(`/collections/${id}`, { method: "PUT", headers, body })).status).toBe(201);
  return id;
}

/** Creates an upload with a file of one byte that has not arrived. */
async function upload(): Promise<{ id: string; no: string }> {
  const { json } = await service.api.post("/uploads", undefined, bearer(tokens.admin));
  const file = { "upload-length": "1", "upload-metadata": `path ${Buffer.from("a").toString("base64")}` };
  const headers = { ...bearer(tokens.admin), "tus-resumable": "1.0.0", ...file };
  expect((await fetch(service.url + json.files, { method: "POST", headers })).status).toBe(201);
  return { id: json.id, no: "1" };
}

const collectionAndDataset = async () => ({ id: await collection(), dataset: (await published()).id });

/** Creates the resources whose ids replace those of the examples, by the path of the operation. */
const subjects: Record<string, () => Promise<Record<string, string | undefined>>> = {
  "/submission/{id}": async () => ({ id: (await completed()).id }),
  "/dataset/{id}": async () => ({ id: (await completed()).dataset?.id }),
  "/webhook/{id}": async () => ({ id: await webhook() }),
  "/token/{id}": async () => ({ id: (await tokens.create("josiah", "submitter")).id }),
  "/collections/{id}": async () => ({ id: await collection() }),
  "/uploads/{id}": upload,
  addToCollection: collectionAndDataset,
  removeFromCollection: collectionAndDataset,
  requestPublication: () => afterActions(),
  assignPublication: async () => {
    await tokens.create("josiah", "curator");
    return inReview();
  },
  commentPublication: inReview,
  resolvePublicationComment: () => afterActions(LATER, comment("Which depth?"), comment("Which plot?")),
  listDois: async () => ({ dataset: (await published()).id }),
  requestPublicationChanges: inReview,
  declinePublication: inReview,
  approvePublication: inReview,
  takeBackPublication: inReview,
  publish: () => afterActions(LATER, APPROVE),
  changePublicationAccess: published,
  withdrawPublication: published,
  getPublicationRecord: published,
  grantAccess: published,
  revokeAccess: grant,
  listAccessGrantUses: grant,
  requestAccess: restricted,
  grantAccessRequest: accessRequest,
  refuseAccessRequest: accessRequest,
  validate: async () => ({ dataset: (await completed()).dataset?.id }),
  cancelSubmission: async () => ({ id: (await waiting()).id }),
  retrySubmission: async () => ({ id: (await waiting()).id }),
  replaceCredentials: async () => ({ id: (await waiting()).id }),
  excludeObjects: async () => ({ id: (await waiting()).id }),
  replayDelivery: delivered,
  downloadOnce: async () => ({ ticket: await ticket() }),
  getReview: async () => ({ secret: (await reviewerLink()).secret }),
  listReviewFiles: async () => ({ secret: (await reviewerLink()).secret }),
  getReviewFile: async () => ({ secret: (await reviewerLink()).secret }),
  getReviewZip: async () => ({ secret: (await reviewerLink()).secret }),
  createReviewDownloadLink: async () => ({ secret: (await reviewerLink()).secret }),
  revokeReviewerLink: async () => {
    const { id, link } = await reviewerLink();
    return { id, link };
  },
};
/** The answers of operations that need an identity provider, which this service does not have. */
const withoutProvider: Record<string, number> = { removeCurator: 404 };
/** Operations for people without access, so without a token. */
const withoutToken = ["requestAccess"];

async function reviewerLink(): Promise<{ id: string; link: string; secret: string }> {
  const { dataset } = await completed();
  const id = dataset?.id ?? "";
  const { id: link, secret } = await createLink(service, tokens.admin, id);
  return { id, link, secret };
}

/** Operations whose media type does not depend on `Accept`; a list of files has the `format` of the example. */
const ownTypes = ["exportDataset", "listDatasetFiles", "getDatasetFile", "getReviewFile", "downloadOnce"];

interface Sent {
  path: string;
  headers: Record<string, string>;
}

/** Builds the example request of an operation with all parameters that have an example. */
function exampleRequest(template: string, operation: Operation, subject: Record<string, string | undefined>): Sent {
  const given = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const of = (place: string) =>
    given.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)]);
  const query = String(
    new URLSearchParams(of("query").map(([name = "", value = ""]): [string, string] => [name, subject[name] ?? value])),
  );
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    (subject[name] ?? String(Object.fromEntries(of("path"))[name])).split("/").map(encodeURIComponent).join("/"),
  );
  return {
    path: query === "" ? path : `${path}?${query}`,
    headers: {
      ...(withoutToken.includes(operation.operationId) ? {} : bearer(subject.secret ?? tokens.admin)),
      ...Object.fromEntries(of("header")),
    },
  };
}

/** Sends a request. Of an endless response, it reads the data that is available at once. */
async function send(
  method: string,
  { path, headers }: Sent,
  body: string | FormData | undefined,
): Promise<Pick<Answer, "status" | "headers">> {
  if (headers.accept !== "text/event-stream") {
    return service.api.send(path, { method, headers, ...(body !== undefined && { body }) });
  }
  const response = await fetch(service.url + path, { method, headers, ...(body !== undefined && { body }) });
  const first = await response.body?.getReader().read();
  expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^(?:retry|event): /);
  return response;
}

function bodyAs(type: string, { text, isJson }: { text: string; isJson: boolean }): string | FormData {
  if (type !== "multipart/form-data") return text;
  const form = new FormData();
  for (const [name, value] of Object.entries(JSON.parse(text) as object)) {
    form.append(name, name === "file" ? new File([value], "2025.csv") : isJson ? JSON.stringify(value) : value);
  }
  return form;
}

/** Every operation with each of its request and response media types. */
const cases = Object.entries(apiDescription.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
    const accepts = [
      ...new Set(successes.flatMap(([, response]) => Object.keys(resolveResponse(response)?.content ?? { "*/*": 1 }))),
    ];
    const types = Object.keys(operation.requestBody?.content ?? { "": undefined });
    const other = withoutProvider[operation.operationId];
    const expected = other === undefined ? successes.map(([status]) => Number(status)) : [other];
    return types.flatMap((type) =>
      accepts.map((accept) => ({
        name: [operation.operationId, type, "for", accept].join(" "),
        method,
        path,
        operation,
        type,
        accept,
        expected,
      })),
    );
  }),
);

describe("the response to the example of every operation conforms to its schema", () => {
  test.each(cases)("$name", async ({ method, path, operation, type, accept, expected }) => {
    const about = subjects[operation.operationId] ?? subjects[/^\/\w+\/\{id\}/.exec(path)?.[0] ?? ""];
    const sent = exampleRequest(path, operation, (await about?.()) ?? {});
    if (accept !== "*/*") sent.headers.accept = accept;
    if (type === "application/json") sent.headers["content-type"] = type;
    const example = exampleOf(operation, type);
    const isJson = operation.requestBody?.content[type]?.encoding !== undefined;
    const body = example === undefined ? undefined : bodyAs(type, { text: at(s3, example), isJson });
    const answer = await send(method.toUpperCase(), sent, body);
    expect(expected).toContain(answer.status);
    if (accept !== "*/*" && answer.status !== 204 && !ownTypes.includes(operation.operationId))
      expect(answer.headers.get("content-type")).toContain(accept);
  });
});

test.skipIf(lacks("bash", "curl"))(
  `the commands of docs/api.md send exactly these examples ${skipNote("bash", "curl")}`,
  async () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
    const commands = [...page.matchAll(/^### (\w+) (\S+)\n[\s\S]*?^```sh\n([\s\S]*?)^```$/gm)];
    expect(commands.length).toBe(Object.values(apiDescription.paths).flatMap((methods) => Object.keys(methods)).length);
    const sent: { method: string; path: string; token?: string; ifMatch?: string; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const { method = "", url = "", headers } = request;
      const { authorization: token, "if-match": ifMatch } = headers;
      const path = url.split("?")[0] ?? "";
      sent.push({
        ...{ method, path, body: await text(request) },
        ...(token !== undefined && { token }),
        ...(ifMatch !== undefined && { ifMatch }),
      });
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const env = { ...process.env, ACCESSION_URL: `http://127.0.0.1:${port}`, ACCESSION_TOKEN: "acc_token" };
    const header = /^\(umask.*token\.header\)$/m.exec(page)?.[0] ?? "false";
    const script = ["set -e", header, ...commands.map(([, , , command = ""]) => command)].join("\n");
    const cwd = await mkdtemp(join(tmpdir(), "accession-api-"));
    try {
      await promisify(execFile)("bash", ["-c", script], { env, cwd });
      expect((await stat(join(cwd, "token.header"))).mode & 0o777).toBe(0o600);
    } finally {
      await rm(cwd, { recursive: true, force: true });
      server.close();
    }
    expect(sent.length).toBe(commands.length);
    for (const [index, [, method = "", template = ""]] of commands.entries()) {
      const one = sent[index];
      const operation = apiDescription.paths[template]?.[method.toLowerCase()];
      expect(one).toMatchObject({
        method,
        path: expect.stringMatching(
          new RegExp(`^${template.replace("{path}", ".+").replaceAll(/\{\w+\}/g, "[^/{]+")}$`),
        ),
      });
      const example = exampleOf(operation, "application/json");
      const isForReviewers = operation?.security?.some((scheme) => "reviewerLink" in scheme) === true;
      const hasToken = operation?.["x-roles"] !== undefined || isForReviewers;
      expect(one?.token).toBe(hasToken ? "Bearer acc_token" : undefined);
      const condition = operation?.parameters?.find(({ name }) => name === "if-match");
      const isConditional = operation?.responses["428"] !== undefined;
      expect(one?.ifMatch, template).toBe(isConditional ? condition?.example : undefined);
      const form = example === undefined ? exampleOf(operation, "multipart/form-data") : undefined;
      if (form === undefined) expect(one?.body ? JSON.parse(one.body) : undefined, template).toEqual(example);
      for (const value of Object.values((form ?? {}) as object))
        expect(one?.body, template).toContain(`\r\n${value}\r\n`);
    }
  },
);

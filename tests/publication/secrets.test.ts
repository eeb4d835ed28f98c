import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { describeConfig } from "../../src/platform/config/config.ts";
import { archiveAs, type PublicationJson } from "../support/api/publications.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { Canary } from "../support/identity/canary.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";

const DATACITE = "canary/of the:datacite&password";
const SMTP = "canary/of the:mail&password";
const REPOSITORY = "TEST.REPO";
/** DataCite’s side of a conversation that repeats the credentials in all places that the service reads. */
const ANSWERS = ["error500", "html502", "rejected", "garbage", "refused", "otherDoi", "credentials"] as const;
let kind: (typeof ANSWERS)[number] = "error500";
let served = 0;
let s3: S3Server;
let mailbox: Mailbox;
let datacite: Server;
let folder: string;
let data: string;
let program: Program;

beforeAll(async () => {
  s3 = await startS3Server();
  let refusals = 0;
  mailbox = await startMailbox({
    authOptional: false,
    onAuth: ({ username, password }, _, done) => {
      if (++refusals <= 2) done(new Error(`${username}:${password} is not the password`));
      else done(null, { user: username });
    },
  });
  datacite = createServer(repeat).listen(0, "127.0.0.1");
  await once(datacite, "listening");
  folder = await mkdtemp(join(tmpdir(), "accession-secrets-"));
  await writeFile(join(folder, "password"), `${DATACITE}\n`);
  data = await createDataFolder();
  program = await startProgram(data, settings());
});
afterAll(async () => {
  await program.end("SIGKILL");
  datacite.closeAllConnections();
  await new Promise((done) => datacite.close(done));
  await mailbox.stop();
  await s3.close();
  for (const each of [folder, data]) await rm(each, { recursive: true, force: true });
});

function settings(): Record<string, string> {
  return {
    ACCESSION_LOG_LEVEL: "trace",
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_DATACITE_URL: `http://127.0.0.1:${(datacite.address() as AddressInfo).port}`,
    ACCESSION_DATACITE_REPOSITORY: REPOSITORY,
    ACCESSION_DATACITE_PASSWORD_FILE: join(folder, "password"),
    ACCESSION_DATACITE_PREFIX: "10.5072",
    ACCESSION_SMTP_URL: `smtp://ada:${encodeURIComponent(SMTP)}@127.0.0.1:${mailbox.port}`,
    ACCESSION_MAIL_FROM: "accession@example.org",
    ACCESSION_OPERATOR_MAIL: "operator@example.org",
  };
}

function repeat({ headers }: IncomingMessage, response: ServerResponse): void {
  served++;
  const { authorization = "" } = headers;
  const said = `${authorization} (${Buffer.from(authorization.slice("Basic ".length), "base64")})`;
  // The limit of shown texts would otherwise be able to end in the middle of a secret.
  const errors = [{ title: said, source: said }, { title: `${"x".repeat(300)}${said}` }];
  const attributes = { doi: said, url: said, state: said, registered: said };
  const [status, body] = {
    error500: [500, JSON.stringify({ errors })],
    html502: [502, `<html>${said}</html>`],
    rejected: [422, JSON.stringify({ errors })],
    garbage: [200, `${said}{{{`],
    refused: [403, JSON.stringify({ errors: [{ title: JSON.stringify({ errors }), status: said }] })],
    otherDoi: [200, JSON.stringify({ data: { id: said, attributes: { ...attributes, state: "findable" } } })],
    credentials: [401, JSON.stringify({ errors })],
  }[kind] as [number, string];
  response.writeHead(status, { "content-type": "application/vnd.api+json", "x-echo": authorization }).end(body);
}

test("the passwords of DataCite and of the mail server appear nowhere, even if those servers repeat them", {
  tags: "extended",
}, async () => {
  const canary = new Canary([DATACITE, SMTP, `${REPOSITORY}:${DATACITE}`]);
  const { api, url } = program;
  const { dataset, submission } = await archiveAs({ api, url } as never, s3, undefined);
  const path = `/dataset/${dataset}/publication`;
  const view = async (): Promise<PublicationJson> => (await api.get(path)).json;
  await api.post(`${path}/request`, { agreement: true, access: "open", notify: { email: "ada@example.org" } });
  const texts: string[] = [];
  for (const one of ANSWERS) {
    kind = one;
    const before = served;
    await vi.waitUntil(
      async () => {
        await api.post(`${path}/publish`, {});
        return served > before + 1;
      },
      { interval: 300 },
    );
    texts.push((await api.get(path)).text);
  }
  await vi.waitUntil(async () => (await view()).problem?.code === "datacite_credentials");
  // The mail server first refuses, and repeats the password, too.
  await vi.waitUntil(() => program.log().includes("a mail cannot be sent"));
  await vi.waitUntil(() => mailbox.mails.some(({ subject }) => subject?.startsWith("Correct the registration:")));
  expect((await view()).problem.message).toContain("DataCite answered with HTTP 401: Basic … (TEST.REPO:…)");
  for (const place of [path, `/submission/${submission}/events`, `/submission/${submission}`, "/metrics", "/doi"]) {
    texts.push((await api.get(place)).text);
  }
  texts.push(...mailbox.mails.map(({ raw }) => raw), ...mailbox.mails.map(({ text = "" }) => text));
  texts.push(JSON.stringify(describeConfig(settings())));
  expect(texts.filter((text) => canary.isIn(text))).toEqual([]);
  await program.end("SIGTERM");
  expect(
    program
      .log()
      .split("\n")
      .filter((line) => canary.isIn(line)),
  ).toEqual([]);
  const { found, searched } = await canary.filesBelow(data);
  expect([found, searched > 16_000_000]).toEqual([[], true]);
});

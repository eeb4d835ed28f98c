import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Submission, SubmissionEntry } from "../../../packages/client/src/index.ts";
import { startDataciteServer } from "../../../packages/datacite-test-server/src/index.ts";
import {
  type DemoBucket,
  fillDemoBucket,
  type S3Server,
  startS3Server,
} from "../../../packages/s3-test-server/src/index.ts";
import type { Config } from "../../platform/config/config.ts";
import { shortest } from "../api-command.ts";
import { Client } from "../client/client.ts";
import { archiveFolder, readSettings } from "../commands/service/config.ts";
import { watchSubmission } from "../commands/submission/watch.ts";
import { aborted, announceStop, start, stopSignal } from "../start.ts";
import { Failure, INTERRUPTED } from "../terminal/failure.ts";
import { several, size } from "../terminal/numbers.ts";
import { Output } from "../terminal/output.ts";
import { show, styled } from "../terminal/text.ts";
import { describeWaitingReason } from "../terminal/waiting-reason.ts";
import { DEMO_METADATA, publishDemo } from "./publish.ts";
import { sayNext, sayOffline, sayResult } from "./result.ts";

const DEFAULT_PORT = 8080;
/**
 * Distance of the preferred ports of the sample bucket and of DataCite to that of the service. They are the same at each
 * start, so that requests that name the bucket are identical.
 */
const TO_BUCKET = 200;
const TO_DATACITE = 300;
/** Highest port of a service whose neighbours are used. */
const HIGHEST = 65_000;
const PORTS_TRIED = 100;
/** A prefix for tests, under which no DOI is ever registered in the real system. */
const PREFIX = "10.5072";
const ACCOUNT = { repository: "DEMO.ARCHIVE", password: "demo", prefixes: [PREFIX], domains: ["*"] };

/** Starts the service and a sample bucket, submits the bucket, and serves until a signal ends it. */
export async function demo(options: DemoOptions): Promise<void> {
  const output = new Output({ json: false });
  refuseSignIn(process.env);
  const config = await demoConfig(process.env, options.dir);
  const { openLog } = await import("../../platform/telemetry/log.ts");
  // Text in a terminal, log lines for programs.
  const inWords = () => output.note(show`Stopping. A second signal ends the demo immediately`);
  const stop = stopSignal(process.stderr.isTTY ? inWords : announceStop(openLog("info")));
  const base = basePort(process.env);
  const s3 = await startS3Server({ keepHistory: false, port: await freePort(base + TO_BUCKET) });
  const datacite = await startDataciteServer({ port: await freePort(base + TO_DATACITE), accounts: [ACCOUNT] });
  const { repository, password } = ACCOUNT;
  config.publication.mode = "review";
  config.publication.datacite = { url: datacite.url, repository, password, prefix: PREFIX };
  try {
    output.live(show`Starting …`);
    const service = await start(config).finally(() => output.live(undefined));
    try {
      const goesOn = !options.exit && (process.stdout.isTTY || process.env.CI !== "true");
      await play(output, { config, url: service.url, s3, goesOn }, stop);
    } finally {
      await service.stop();
    }
  } finally {
    await s3.close();
    await datacite.close();
  }
}

interface Stage {
  config: Config;
  url: string;
  s3: S3Server;
  /** Whether the service continues to run after the submission. */
  goesOn: boolean;
}

async function play(output: Output, stage: Stage, stop: AbortSignal): Promise<void> {
  const { config, url, s3, goesOn } = stage;
  if (stop.aborted) {
    process.exitCode = INTERRUPTED;
    return;
  }
  const bucket = fillDemoBucket(s3);
  output.say(styled("bold", `Accession listens on ${url}`));
  output.say(show`  web interface    ${url}/app/`);
  output.say(show`  API description  ${url}/docs`);
  output.say(show`  data folder      ${shortest(config.data)}`);
  output.say(
    show`  sample bucket    ${bucket.bucket} on ${s3.endpoint}: ${several(bucket.objects, "object")}, ${size(bucket.bytes)}`,
    { hang: 19 },
  );
  output.say(show``);
  try {
    const client = new Client(url);
    const submission = await submitBucket(client, output, s3.endpoint, bucket, stop);
    await sayResult(output, client, config, submission);
    if (submission.dataset !== null) await publishDemo(client, output, { id: submission.dataset.id, url }, stop);
    const done = { archive: archiveFolder(config), id: submission.id };
    if (!goesOn) {
      sayOffline(output, done);
      return;
    }
    await using variables = await writeVariables(config.data, { url, endpoint: s3.endpoint, bucket });
    const dataset = submission.dataset?.id;
    sayNext(output, { ...done, dataset, url, variables: variables.file, bucket: bucket.bucket });
    output.say(show`\n${styled("bold", "The service runs until you press Ctrl-C.")}`);
    await aborted(stop);
  } catch (error) {
    if (!stop.aborted) throw error;
    process.exitCode = INTERRUPTED;
  }
}

/** Writes a shell file with the addresses and credentials of this demo, which differ each time. It is deleted when the demo ends. */
async function writeVariables(
  folder: string,
  { url, endpoint, bucket }: { url: string; endpoint: string; bucket: DemoBucket },
): Promise<AsyncDisposable & { file: string }> {
  const file = join(folder, "demo.env");
  const variables = {
    ACCESSION_URL: url,
    ACCESSION_ACCESS_KEY: bucket.accessKey,
    ACCESSION_SECRET_KEY: bucket.secretKey,
    DEMO_ENDPOINT: endpoint,
    DEMO_BUCKET: bucket.bucket,
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  await writeFile(file, lines.join(""), { mode: 0o600 });
  return { file, [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

async function submitBucket(
  client: Client,
  output: Output,
  endpoint: string,
  { bucket, accessKey, secretKey }: DemoBucket,
  stop: AbortSignal,
): Promise<Submission> {
  const earlier = await earlierSubmission(client, endpoint, bucket);
  const { id } =
    earlier ??
    (await client.ask(
      client.api.POST("/submission/upload/s3upload", {
        body: { metadata: DEMO_METADATA, s3Access: { endpoint, bucket, accessKey, secretKey } },
      }),
    ));
  output.say(show`${earlier === undefined ? "Submitted" : "Submitted earlier:"} “${DEMO_METADATA.title}”`, { hang: 0 });
  const submission = await watchSubmission(client, output, id, {}, stop);
  if (submission.status !== "completed") throw new Failure(1, describeWaitingReason(submission));
  return submission;
}

/** Returns the submission of an earlier start, unless it ended without a dataset or its bucket had another address. */
async function earlierSubmission(
  client: Client,
  endpoint: string,
  bucket: string,
): Promise<SubmissionEntry | undefined> {
  const entries = await client.ask(client.api.GET("/submission", { params: { query: { q: DEMO_METADATA.title } } }));
  return entries.find(
    ({ status, withdrawn, source }) =>
      status !== "failed" &&
      status !== "cancelled" &&
      withdrawn === null &&
      source.bucket === bucket &&
      (status === "completed" || source.endpoint === endpoint),
  );
}

/** Returns the settings of the demo. It ignores most settings, so that it does not write to a production database or archive. */
async function demoConfig(environment: NodeJS.ProcessEnv, dir: string | undefined): Promise<Config> {
  const { ACCESSION_DATA, ACCESSION_PORT, ACCESSION_LOG_LEVEL, ACCESSION_DISK_RESERVE } = environment;
  return readSettings({
    ACCESSION_DATA: dir ?? (ACCESSION_DATA?.trim() || join("data", "demo")),
    ACCESSION_PORT: ACCESSION_PORT?.trim() || String(await freePort(DEFAULT_PORT)),
    ACCESSION_LOG_LEVEL: ACCESSION_LOG_LEVEL?.trim() || "warn",
    ...(ACCESSION_DISK_RESERVE !== undefined && { ACCESSION_DISK_RESERVE }),
  });
}

/** The demo has no sign-in. Without this check, it would be open although the user has asked for one. */
function refuseSignIn({ ACCESSION_AUTH }: NodeJS.ProcessEnv): void {
  const auth = ACCESSION_AUTH?.trim() || "none";
  if (auth === "none") return;
  throw new Failure(2, [
    show`The demo has no sign-in, and does not support ACCESSION_AUTH=${auth}.`,
    show`  Unset ACCESSION_AUTH for the demo, or start a service with sign-in with “accession serve”.`,
  ]);
}

/** The port that the operator has chosen for the service, so that several demos can run; otherwise the default one. */
function basePort({ ACCESSION_PORT }: NodeJS.ProcessEnv): number {
  const port = Number(ACCESSION_PORT?.trim() || DEFAULT_PORT);
  return port > 0 && port <= HIGHEST ? port : DEFAULT_PORT;
}

/** Returns this port, or the next free one. */
async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + PORTS_TRIED; port++) if (await isFree(port)) return port;
  return 0;
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((done) => {
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}

export interface DemoOptions {
  exit?: boolean;
  dir?: string;
}

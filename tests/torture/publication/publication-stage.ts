import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DataciteServer, startDataciteServer } from "../../../packages/datacite-test-server/src/index.ts";
import { type Api, goodMetadata } from "../../support/api/api.ts";
import { bearer } from "../../support/api/callers.ts";
import { postgresAdmin } from "../../support/database/postgres.ts";
import type { Violation } from "../../support/invariants/invariants.ts";
import { freePort } from "../../support/network/ports.ts";
import { startWorker, type Worker } from "../../support/program/program.ts";
import { DURABLE_CALLS, watchCalls } from "../../support/program/strace.ts";
import { BUCKET, TestSystem } from "../../support/program/test-system.ts";
import { SeededRandom } from "../plan.ts";
import { type CheckedPublications, checkPublications, datasetFaults } from "./check-publications.ts";
import { Outsider } from "./outsider.ts";
import type { PublicationPlan } from "./plan.ts";
import { type Step, stepsOf } from "./steps.ts";
import { TestedDataset, type TestedVersion } from "./tested-dataset.ts";

const FINISH_MS = 180_000;
const PREFIX = "10.5072";
const PASSWORD = "a-secret-of-datacite";
/** Beside the data folder, in which the checker expects only files of the service. */
const PASSWORD_FILE = "datacite-password";
const WORKER = "worker";

export interface StageOptions {
  template: string;
  module?: string;
  /** URL of a PostgreSQL server. Then a worker runs beside the service. */
  server?: string;
  conceptDois: boolean;
  /** Determines what the outsider asks for. */
  seed: string;
}

/** The real program with a DataCite that can fail, and an outsider who must not see too much. */
export class PublicationStage implements AsyncDisposable {
  readonly datacite: DataciteServer;
  readonly outsider: Outsider;
  readonly #system: TestSystem;
  readonly #datasets: TestedDataset[] = [];
  readonly #conceptDois: boolean;
  readonly #startWorker: () => Promise<Worker | undefined>;
  #worker: Worker | undefined;

  private constructor(
    system: TestSystem,
    datacite: DataciteServer,
    startWorker: () => Promise<Worker | undefined>,
    { conceptDois, seed }: StageOptions,
  ) {
    this.#system = system;
    this.#startWorker = startWorker;
    this.datacite = datacite;
    this.#conceptDois = conceptDois;
    const url = () => (system.isRunning ? system.program?.url : undefined);
    this.outsider = new Outsider(url, datacite, new SeededRandom(`${seed} outsider`, 0));
  }

  static async open(options: StageOptions): Promise<PublicationStage> {
    const { template, module, server, conceptDois } = options;
    const account = { repository: "TEST.REPO", password: PASSWORD, prefixes: [PREFIX], domains: ["*"] };
    const datacite = await startDataciteServer({ accounts: [account], registrationMs: 10 });
    const port = await freePort();
    const settings: Record<string, string> = {
      ACCESSION_PUBLICATION: "review",
      ACCESSION_AUTH: "tokens",
      ACCESSION_RATE_LIMIT: "0",
      ACCESSION_RATE_LIMIT_SIGN_IN: "0",
      // The addresses of the datasets contain the port.
      ACCESSION_PORT: String(port),
      ACCESSION_DATACITE_URL: datacite.url,
      ACCESSION_DATACITE_REPOSITORY: account.repository,
      ACCESSION_DATACITE_PREFIX: PREFIX,
      // One person owns, reviews and publishes.
      ACCESSION_SELF_APPROVAL: "on",
      ...(conceptDois && { ACCESSION_CONCEPT_DOI: "on" }),
    };
    const system = await TestSystem.open({ template, settings, ...(module !== undefined && { module }) });
    settings.ACCESSION_DATACITE_PASSWORD_FILE = join(system.folder, PASSWORD_FILE);
    await writeFile(settings.ACCESSION_DATACITE_PASSWORD_FILE, PASSWORD);
    const started = module === undefined ? {} : { module };
    if (server !== undefined) {
      settings.ACCESSION_DATABASE_URL = postgresAdmin.urlOf(server, await postgresAdmin.create(server));
      settings.ACCESSION_SECRET_KEY_FILE = join(system.data, "secret.key");
      settings.ACCESSION_SIGNING_KEY_FILE = join(system.data, "signing.key");
    }
    await system.start();
    await signIn(system);
    const ofWorker = {
      ...{ ...settings, ACCESSION_PUBLIC_URL: `http://127.0.0.1:${port}` },
      ...{ ACCESSION_ARCHIVE: join(system.data, "archive"), ACCESSION_ALLOW_NETWORKS: "127.0.0.0/8" },
    };
    const data = join(system.folder, WORKER);
    const startBeside = async () => {
      if (server === undefined) return undefined;
      await mkdir(data, { recursive: true, mode: 0o700 });
      return startWorker(data, ofWorker, started);
    };
    const stage = new PublicationStage(system, datacite, startBeside, options);
    stage.#worker = await startBeside();
    return stage;
  }

  /** Archives the first version of a dataset. */
  async archive(plan: PublicationPlan): Promise<TestedDataset> {
    const dataset = new TestedDataset(plan);
    if (!(await this.#archive(dataset, dataset.version(1)))) throw new Error("The dataset was not archived");
    this.#datasets.push(dataset);
    return dataset;
  }

  /**
   * Works towards the end of the plan, and kills the process at the nth durable call.
   * @param afterMs kills it at this time at the latest
   * @returns the call; undefined if it was not reached
   */
  async workUntilKilled(dataset: TestedDataset, call: number, afterMs?: number): Promise<string | undefined> {
    const pid = this.#system.program?.process.pid ?? 0;
    let killedAt: string | undefined;
    const kill = (at: string) => {
      killedAt ??= at;
      if (this.#system.isRunning) process.kill(pid, "SIGKILL");
      if (call % 2 === 0) this.#worker?.process.kill("SIGKILL");
    };
    const trace = await watchCalls(pid, DURABLE_CALLS, (count, name) => {
      if (count === call) kill(name);
    });
    const timer = setTimeout(() => kill(`${afterMs} ms`), afterMs ?? FINISH_MS);
    await this.work(dataset);
    clearTimeout(timer);
    await trace.detach();
    return killedAt;
  }

  async restart(): Promise<void> {
    await this.#system.program?.end("SIGKILL");
    await this.#system.start();
    const worker = this.#worker?.process;
    if (worker !== undefined && (worker.exitCode !== null || worker.signalCode !== null)) {
      this.#worker = await this.#startWorker();
    }
  }

  /** Completes the plan, in a new process if the last one was killed. Then the outsider asks for everything. */
  async finish(dataset: TestedDataset): Promise<void> {
    if (!this.#system.isRunning) await this.restart();
    await this.work(dataset);
    this.datacite.clearFaults();
    await this.outsider.askAtEnd(dataset);
  }

  /** Works until the plan is completed, the process has ended, or the time is up. */
  async work(dataset: TestedDataset): Promise<void> {
    const steps = stepsOf(dataset);
    const work = async () => {
      for (let step = steps[dataset.completed]; step !== undefined; step = steps[dataset.completed]) {
        if (!(await this.#complete(dataset, step))) return;
        dataset.completed += 1;
      }
    };
    await this.outsider.during(dataset, work());
  }

  /** @returns whether the step is completed */
  async #complete(dataset: TestedDataset, { version, act }: Step): Promise<boolean> {
    if (act === "archive") return this.#archive(dataset, version);
    const settle = async () => (await datasetFaults({ ...this.#checked(), datasets: [dataset] })).length === 0;
    for (const end = Date.now() + FINISH_MS; this.#system.isRunning && Date.now() < end; await sleep(30)) {
      try {
        if (await (act === "settle" ? settle() : act(this.#api, dataset))) return true;
      } catch (error) {
        if (this.#system.isRunning && !(error instanceof TypeError)) throw error;
      }
    }
    return false;
  }

  /** Archives a version. @returns false if the process has ended */
  async #archive(dataset: TestedDataset, version: TestedVersion): Promise<boolean> {
    const { number: run, reserves } = dataset.plan;
    this.#fillBucket(version);
    const id = await this.#system.submit(`run ${run} version ${version.number}`, FINISH_MS, {
      metadata: { ...goodMetadata, title: version.title },
      reserveDoi: reserves,
      ...(dataset.id !== "" && { dataset: { id: dataset.id } }),
    });
    const done = id === undefined ? undefined : await this.#system.runToCompletion(id, { retries: 0 }, FINISH_MS);
    if (done?.status !== "completed" || done.dataset === null) return false;
    dataset.id = done.dataset.id;
    return done.dataset.version === version.number;
  }

  /** Replaces the objects of the bucket once: objects that are put again would be other ones for a submission that continues. */
  #fillBucket(version: TestedVersion): void {
    const { s3, source } = this.#system;
    if (version.isInBucket) return;
    version.isInBucket = true;
    const gone = s3.keys(BUCKET).filter((key) => !(key in version.files));
    for (const key of [...gone, ...Object.keys(version.files)]) source.recordChange(key);
    for (const key of gone) s3.remove(BUCKET, key);
    for (const [key, content] of Object.entries(version.files)) s3.put(BUCKET, key, content);
  }

  get #api(): Api {
    const api = this.#system.program?.api;
    if (api === undefined) throw new Error("The program was not started");
    return api;
  }

  #checked(): Omit<CheckedPublications, "datasets"> {
    const archive = join(this.#system.data, "archive");
    return { api: this.#api, datacite: this.datacite, archive, conceptDois: this.#conceptDois };
  }

  /** Checks, and prints and returns what is wrong. The folder is kept then. */
  async reportTo(print: (line: string) => void): Promise<Violation[]> {
    const { outsider, datacite } = this;
    const { folder } = this.#system;
    await this.#untilNothingIsStaged();
    const violations = [
      ...outsider.violations,
      ...(await checkPublications({ ...this.#checked(), datasets: this.#datasets })),
      ...(await this.#system.check([PASSWORD_FILE, WORKER])),
    ];
    for (const { invariant, detail } of violations) print(`  VIOLATED ${invariant}: ${detail}`);
    if (violations.length > 0) {
      print(`  kept in ${folder}`);
      this.#system.keep = true;
      await writeFile(join(folder, "log.txt"), this.#system.logs.join("\n=== the next process ===\n"));
      await writeFile(join(folder, "dois.json"), JSON.stringify([...datacite.dois.values()], null, 2));
    }
    return violations;
  }

  /** The service may still be adding revisions of its own. The check that follows finds files that it leaves. */
  async #untilNothingIsStaged(): Promise<void> {
    const staging = join(this.#system.data, "archive", "staging");
    for (const end = Date.now() + FINISH_MS; this.#system.isRunning && Date.now() < end; await sleep(30)) {
      if ((await readdir(staging)).length === 0) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.end("SIGKILL");
    await this.#system.close();
    await this.datacite.close();
  }
}

/** Creates a token of an admin, who owns the datasets and also acts as curator. */
async function signIn(system: TestSystem): Promise<void> {
  const api = system.program?.api;
  const first = (await readFile(join(system.data, "admin-token"), "utf8")).trim();
  const { json } = (await api?.post("/token", { name: "ada", role: "admin" }, bearer(first))) ?? {};
  system.headers = bearer(json.token);
  if (api !== undefined) api.headers = system.headers;
}

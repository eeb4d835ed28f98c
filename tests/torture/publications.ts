import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DataciteServer, startDataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { readPublicationRecords } from "../../src/archive/archived-records.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { FolderReader } from "../../src/archive/reader.ts";
import type { Violation } from "../support/invariants/invariants.ts";
import { freePort } from "../support/network/ports.ts";
import { DURABLE_CALLS, watchCalls } from "../support/program/strace.ts";
import { BUCKET, TestSystem } from "../support/program/test-system.ts";
import { SeededRandom } from "./plan.ts";

const FINISH_MS = 120_000;
const PREFIX = "10.5072";
const PASSWORD = "a-secret-of-datacite";
/** Beside the data folder, in which the checker expects only files of the service. */
const PASSWORD_FILE = "datacite-password";
/** Consecutive publications with the same data folder. */
const DATASETS_PER_FOLDER = 8;

export interface PublicationOptions {
  template: string;
  module?: string;
  parallel: number;
  print: (line: string) => void;
}

/**
 * Kills the program at successive durable calls of a publication: the approval, the registration of the DOI, the record, and
 * the commit. The next process must publish the dataset. Ends when the publication finishes before the call is reached.
 */
export async function sweepPublications(
  options: PublicationOptions & { from: number; step: number },
): Promise<{ points: number; violations: Violation[] }> {
  const violations: Violation[] = [];
  let next = options.from;
  let isDone = false;
  let points = 0;
  await inParallel(options, async (stage) => {
    for (let n = 0; n < DATASETS_PER_FOLDER && !isDone; n++) {
      const number = next;
      next += options.step;
      const dataset = await stage.archive(`sweep ${number}`);
      const call = await stage.publishUntilKilled(dataset, number);
      if (call === undefined) isDone = true;
      else points++;
      await stage.finish(dataset);
      options.print(
        `publication, call ${number}: ${call === undefined ? "finished before the call" : `killed at ${call}`}`,
      );
    }
    violations.push(...(await stage.reportTo(options.print)));
    return !isDone;
  });
  return { points, violations };
}

/** Publishes datasets while DataCite fails in random ways and the program is killed at random moments. */
export async function torturePublications(
  options: PublicationOptions & { runs: number; seed: string },
): Promise<{ killed: number; violations: Violation[] }> {
  const violations: Violation[] = [];
  let run = 0;
  let killed = 0;
  await inParallel(options, async (stage) => {
    for (let n = 0; n < DATASETS_PER_FOLDER && run < options.runs; n++) {
      const number = ++run;
      const random = new SeededRandom(options.seed, number);
      const dataset = await stage.archive(`run ${number}`);
      const faults = orderFaults(stage.datacite, random);
      const kills = random.upTo(2);
      for (let kill = 0; kill < kills; kill++) {
        await stage.publishUntilKilled(dataset, 1 + random.upTo(40), random.upTo(4_000));
        killed += 1;
        await stage.restart();
      }
      await stage.finish(dataset);
      stage.datacite.clearFaults();
      options.print(`publication ${number}: ${faults.join(", ") || "no faults"}, ${kills} kills`);
    }
    violations.push(...(await stage.reportTo(options.print)));
    return run < options.runs;
  });
  return { killed, violations };
}

/** Runs the work with several systems at a time, each time with a new one, until it returns false. */
async function inParallel(
  { parallel, ...options }: PublicationOptions,
  work: (stage: PublicationStage) => Promise<boolean>,
): Promise<void> {
  const worker = async () => {
    for (let isOver = false; !isOver; ) {
      await using stage = await PublicationStage.open(options);
      isOver = !(await work(stage));
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

/** The real program with a DataCite that can fail. */
class PublicationStage implements AsyncDisposable {
  readonly datacite: DataciteServer;
  readonly #system: TestSystem;
  readonly #datasets: string[] = [];

  private constructor(system: TestSystem, datacite: DataciteServer) {
    this.#system = system;
    this.datacite = datacite;
  }

  static async open({ template, module }: Omit<PublicationOptions, "parallel">): Promise<PublicationStage> {
    const account = { repository: "TEST.REPO", password: PASSWORD, prefixes: [PREFIX], domains: ["*"] };
    const datacite = await startDataciteServer({ accounts: [account], registrationMs: 10 });
    const port = await freePort();
    const settings: Record<string, string> = {
      ACCESSION_PUBLICATION: "review",
      // The addresses of the datasets contain the port.
      ACCESSION_PORT: String(port),
      ACCESSION_DATACITE_URL: datacite.url,
      ACCESSION_DATACITE_REPOSITORY: account.repository,
      ACCESSION_DATACITE_PREFIX: PREFIX,
    };
    const system = await TestSystem.open({ template, settings, ...(module !== undefined && { module }) });
    settings.ACCESSION_DATACITE_PASSWORD_FILE = join(system.folder, PASSWORD_FILE);
    await writeFile(settings.ACCESSION_DATACITE_PASSWORD_FILE, PASSWORD);
    system.s3.put(BUCKET, "README.md", "# Plots");
    system.s3.put(BUCKET, "a.csv", "1;2");
    await system.start();
    return new PublicationStage(system, datacite);
  }

  /** Archives a dataset. */
  async archive(key: string): Promise<string> {
    const id = await this.#system.submit(key);
    const done = id === undefined ? undefined : await this.#system.runToCompletion(id, { retries: 0 }, FINISH_MS);
    const dataset = done?.dataset?.id;
    if (dataset === undefined) throw new Error("The dataset was not archived");
    this.#datasets.push(dataset);
    return dataset;
  }

  /**
   * Publishes a dataset, and kills the process at the nth durable call.
   * @param afterMs kills it at this time at the latest
   * @returns the call; undefined if it was not reached
   */
  async publishUntilKilled(dataset: string, number: number, afterMs?: number): Promise<string | undefined> {
    const pid = this.#system.program?.process.pid ?? 0;
    let killedAt: string | undefined;
    const trace = await watchCalls(pid, DURABLE_CALLS, (count, call) => {
      if (count !== number) return;
      killedAt = call;
      process.kill(pid, "SIGKILL");
    });
    const timer = setTimeout(() => {
      killedAt ??= `${afterMs} ms`;
      if (this.#system.isRunning) process.kill(pid, "SIGKILL");
    }, afterMs ?? FINISH_MS);
    await this.#publish(dataset);
    clearTimeout(timer);
    await trace.detach();
    return killedAt;
  }

  async restart(): Promise<void> {
    await this.#system.program?.end("SIGKILL");
    await this.#system.start();
  }

  /** Completes the publication, in a new process if the last one was killed. */
  async finish(dataset: string): Promise<void> {
    if (!this.#system.isRunning) await this.restart();
    await this.#publish(dataset);
  }

  /** Requests and approves publication, as often as needed, until it is published or the process has ended. */
  async #publish(dataset: string): Promise<void> {
    for (const end = Date.now() + FINISH_MS; this.#system.isRunning && Date.now() < end; await sleep(30)) {
      const api = this.#system.program?.api;
      const path = `/dataset/${dataset}/publication`;
      try {
        const { state } = (await api?.get(path))?.json ?? {};
        if (state === "published") return;
        if (state === "private") await api?.post(`${path}/request`, { agreement: true, access: "open" });
        if (state === "in_review") await api?.post(`${path}/approve`, {});
        // An owner who waits asks for another try.
        if (state === "registering") await api?.post(`${path}/publish`, {});
      } catch (error) {
        if (this.#system.isRunning && !(error instanceof TypeError)) throw error;
      }
    }
  }

  /** Prints and returns what is wrong. The folder is kept then. */
  async reportTo(print: (line: string) => void): Promise<Violation[]> {
    const violations = [...(await this.#check()), ...(await this.#system.check([PASSWORD_FILE]))];
    for (const { invariant, detail } of violations) print(`  VIOLATED ${invariant}: ${detail}`);
    if (violations.length > 0) {
      print(`  kept in ${this.#system.folder}`);
      this.#system.keep = true;
    }
    return violations;
  }

  async #check(): Promise<Violation[]> {
    const found: Violation[] = [];
    const expect = (holds: boolean, detail: string) => {
      if (!holds) found.push({ invariant: "publications hold", detail });
    };
    const api = this.#system.program?.api;
    const archive = join(this.#system.data, "archive");
    const keys = (await api?.get("/.well-known/jwks.json"))?.json;
    const urls = new Map<unknown, string>();
    for (const { doi, state, handle, attributes } of this.datacite.dois.values()) {
      if (state === "draft") continue;
      expect(!urls.has(attributes.url), `two registered DOIs lead to ${String(attributes.url)}`);
      urls.set(attributes.url, doi);
      expect(handle === attributes.url, `the handle of ${doi} leads to ${handle}`);
    }
    for (const dataset of this.#datasets) {
      const { json } = (await api?.get(`/dataset/${dataset}/publication`)) ?? {};
      expect(json.state === "published", `${dataset} is ${json.state}: ${JSON.stringify(json.problem)}`);
      const url = `${this.#system.program?.url}/dataset/${dataset}?version=1`;
      expect(urls.get(url) === json.doi, `${dataset} has the DOI ${json.doi}, DataCite has ${urls.get(url)}`);
      urls.delete(url);
      const count = (action: string) =>
        json.history.filter((entry: { action: string }) => entry.action === action).length;
      expect(count("published") === 1, `${dataset} was published ${count("published")} times`);
      expect(count("approve") === 1 && count("request") === 1, `${dataset} was requested or approved twice`);
      const folder = `ocfl/${objectFolder(`urn:uuid:${dataset}`)}`;
      const records = await readPublicationRecords(new FolderReader(archive), folder, dataset, keys);
      const [first] = records;
      expect(records.length === 1, `${dataset} has ${records.length} records`);
      expect(first?.record.identifier === json.identifier, `the record of ${dataset} names another identifier`);
      expect(
        first?.record.digests.inventory.sha512 === json.reviewedSha512,
        `the record of ${dataset} names other bytes`,
      );
    }
    for (const [url, doi] of urls) expect(false, `${doi} leads to ${String(url)}, which is not published`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#system.close();
    await this.datacite.close();
  }
}

/** Orders up to three faults of DataCite, and returns their names. */
function orderFaults(datacite: DataciteServer, random: SeededRandom): string[] {
  const kinds = [
    ["lost answer", { closeAfter: true }],
    ["refused connection", { closeBefore: true }],
    ["503", { status: 503 }],
    ["429", { status: 429, headers: { "retry-after": "1" } }],
    ["ignored event", { ignoreEvent: true }],
    ["late handle", { registration: 1_500 }],
    ["a page instead of JSON", { status: 200, body: "<html>", contentType: "text/html" }],
    ["401", { status: 401 }],
  ] as const;
  const methods = ["POST", "GET", "PUT"] as const;
  return Array.from({ length: random.upTo(3) }, () => {
    const [name, fault] = random.oneOf(kinds);
    const method = random.oneOf(methods);
    datacite.addFault({ match: { method }, times: 1 + random.upTo(1), fault });
    return `${name} (${method})`;
  });
}

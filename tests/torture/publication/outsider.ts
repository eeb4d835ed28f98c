import { setTimeout as sleep } from "node:timers/promises";
import type { DataciteServer } from "../../../packages/datacite-test-server/src/index.ts";
import {
  type Attempt,
  type AttemptAnswer,
  OUTSIDER_ATTEMPTS,
  OUTSIDER_ROUTES,
  PACKAGE_PATHS,
  sendAttempt,
} from "../../support/api/outsider-attempts.ts";
import type { Violation } from "../../support/invariants/invariants.ts";
import type { SeededRandom } from "../plan.ts";
import type { TestedDataset, TestedVersion, Visibility } from "./tested-dataset.ts";

const LONGEST_PAUSE_MS = 120;
/** Number of random requests for each dataset at the end. */
const LAST_ATTEMPTS = 60;
/** The routes that show something of datasets. */
const SAME_FOR_ALL = ["/app/", "/docs/", "/site/", "/health/", "/openapi", "/.well-known/", "/about", "/service"];
const DATASET_ROUTES = OUTSIDER_ROUTES.filter((route) => !SAME_FOR_ALL.some((part) => route.includes(part)));
const HIDDEN = [401, 404];
const WITHDRAWN = [410];
const SHOWN = [200];
/** An identifier of DataCite leads to the dataset, or to the reason for its withdrawal. */
const RESOLVED = [200, 410];

/** A person without a token, who asks for datasets at random moments. */
export class Outsider {
  readonly violations: Violation[] = [];
  readonly #url: () => string | undefined;
  readonly #datacite: DataciteServer;
  readonly #random: SeededRandom;
  #sent = 0;

  /** @param url of the service; undefined while it is not running */
  constructor(url: () => string | undefined, datacite: DataciteServer, random: SeededRandom) {
    this.#url = url;
    this.#datacite = datacite;
    this.#random = random;
  }

  /** Number of responses that were checked. */
  get sent(): number {
    return this.#sent;
  }

  /** Asks for a dataset until the work ends. */
  async during<T>(dataset: TestedDataset, work: Promise<T>): Promise<T> {
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        await this.#askOnce(dataset);
        await sleep(this.#random.upTo(LONGEST_PAUSE_MS));
      }
    };
    const watching = watch();
    try {
      return await work;
    } finally {
      isOver = true;
      await watching;
    }
  }

  /** Asks for everything once, and for random things, when nothing changes any more. */
  async askAtEnd(dataset: TestedDataset): Promise<void> {
    for (const version of dataset.versions) {
      if (version.visibility === "changing") {
        this.#expect(false, `version ${version.number} of ${dataset.id} did not reach its end`);
      }
      for (const probe of PROBES) await this.#probe(dataset, version, probe);
    }
    for (let n = 0; n < LAST_ATTEMPTS; n++) await this.#attempt(dataset);
    await this.#followDois(dataset);
  }

  async #askOnce(dataset: TestedDataset): Promise<void> {
    const at = this.#random.next();
    if (at < 0.3) await this.#attempt(dataset);
    else if (at < 0.5) await this.#followDois(dataset);
    else await this.#probe(dataset, this.#random.oneOf(dataset.versions), this.#random.oneOf(PROBES));
  }

  /** Sends any request that outsiders can send. */
  async #attempt(dataset: TestedDataset): Promise<void> {
    const words = dataset.versions.flatMap((version) => version.searches);
    const files = dataset.versions.flatMap(({ files }) => Object.keys(files).map((file) => `data/${file}`));
    const target = { dataset: dataset.id, paths: ["data", ...files, ...PACKAGE_PATHS], prefixes: ["data/"], words };
    const attempts = OUTSIDER_ATTEMPTS[this.#random.oneOf(DATASET_ROUTES)]?.(target) ?? [];
    await this.#send(dataset, this.#random.oneOf(attempts));
  }

  /** Asks for a version in a way whose status is known for each visibility. */
  async #probe(dataset: TestedDataset, version: TestedVersion, probe: Probe): Promise<void> {
    const path = `/dataset/${dataset.id}${probe.path(version)}?version=${version.number}`;
    const { accept = "application/json" } = probe;
    const before = version.changes;
    const answer = await this.#send(dataset, { method: "GET", path, headers: { accept } });
    if (answer === undefined || before !== version.changes || version.visibility === "changing") return;
    const { visibility } = version;
    const where = `${path} (${accept}) of a ${visibility} version`;
    const closed = probe.isFile === true && dataset.plan.access !== "open";
    const expected = visibility === "public" && closed ? [403] : probe.statuses[visibility];
    this.#expect(expected.includes(answer.status), `${where} has the status ${answer.status}`);
    if (answer.status !== 200 || probe.shows === undefined) return;
    this.#expect(version[probe.shows].isIn(answer.bytes), `${where} does not show the ${probe.shows}`);
  }

  /** Follows the DOIs that are findable at DataCite: they never lead to a page that is not there. */
  async #followDois(dataset: TestedDataset): Promise<void> {
    const base = this.#url();
    for (const { doi, state, attributes } of this.#datacite.dois.values()) {
      const url = String(attributes.url);
      if (base === undefined || state !== "findable" || !url.startsWith(`${base}/dataset/${dataset.id}`)) continue;
      const answer = await this.#send(dataset, {
        method: "GET",
        path: url.slice(base.length),
        headers: { accept: "text/html" },
      });
      const isResolved = answer === undefined || RESOLVED.includes(answer.status);
      this.#expect(isResolved, `the findable DOI ${doi} leads to ${url}, which has the status ${answer?.status}`);
    }
  }

  /** Sends a request, and checks that the response shows nothing that is hidden or closed. */
  async #send(dataset: TestedDataset, attempt: Attempt): Promise<AttemptAnswer | undefined> {
    const base = this.#url();
    if (base === undefined) return undefined;
    const before = dataset.versions.map(({ visibility, changes }) => ({ visibility, changes }));
    const answer = await sendAttempt(base, attempt).catch((error: unknown) => {
      // The process was killed.
      if (error instanceof TypeError) return undefined;
      throw error;
    });
    if (answer === undefined) return undefined;
    this.#sent += 1;
    const where = `${attempt.method} ${attempt.path} ${JSON.stringify(attempt.headers ?? attempt.body)} (${answer.status})`;
    for (const [index, version] of dataset.versions.entries()) {
      const isSame = before[index]?.changes === version.changes;
      const isHidden = isSame && version.visibility === "hidden";
      const isClosed = isHidden || dataset.plan.access !== "open" || (isSame && version.visibility === "withdrawn");
      const shows = (part: "titles" | "fileWords") =>
        version[part].isIn(answer.head) || version[part].isIn(answer.bytes);
      const of = `of the ${version.visibility} version ${version.number}`;
      if (isHidden) this.#expect(!shows("titles"), `${where} shows the title ${of}`);
      if (isClosed)
        this.#expect(!shows("fileWords"), `${where} shows files ${of}, whose access is ${dataset.plan.access}`);
    }
    return answer;
  }

  #expect(holds: boolean, detail: string): void {
    if (!holds) this.violations.push({ invariant: "visibility holds", detail });
  }
}

/** A request with the statuses of its response. */
interface Probe {
  /** Below `/dataset/{id}`. */
  path: (version: TestedVersion) => string;
  accept?: string;
  statuses: Record<Exclude<Visibility, "changing">, readonly number[]>;
  /** Whether it concerns files, which can be closed. */
  isFile?: true;
  /** What the response contains if its status is 200. */
  shows?: "titles" | "fileWords";
}

const statuses = { hidden: HIDDEN, public: SHOWN, withdrawn: WITHDRAWN };
const PROBES: readonly Probe[] = [
  { path: () => "", accept: "text/html", statuses, shows: "titles" },
  { path: () => "", statuses, shows: "titles" },
  { path: () => "/publication", statuses },
  { path: () => "/export/datacite-json", statuses, shows: "titles" },
  { path: () => "/linkset", statuses },
  { path: () => "/files", statuses, isFile: true, shows: "fileWords" },
  ...["README.md", "table"].map(
    (name): Probe => ({
      path: ({ files }) => `/files/data/${name === "table" ? Object.keys(files).at(-1) : name}`,
      ...{ accept: "*/*", statuses, isFile: true, shows: "fileWords" },
    }),
  ),
  ...["bagit", "ro-crate"].map(
    (format): Probe => ({ path: () => `/export/${format}`, accept: "*/*", statuses, isFile: true, shows: "fileWords" }),
  ),
];

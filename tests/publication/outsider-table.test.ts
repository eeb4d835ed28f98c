/** @module-tag extended */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import {
  type Attempt,
  COLLECTION,
  OUTSIDER_ATTEMPTS,
  OUTSIDER_ROUTES,
  PACKAGE_PATHS,
  sendAttempt,
} from "../support/api/outsider-attempts.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { Canary } from "../support/identity/canary.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const OWNER = "amselowner";
const CURATOR = "elsterkuratorin";

let s3: S3Server;
let account: DataciteAccount;
let service: TestService;
let tokens: { owner: string; curator: string; admin: string; stranger: string };

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_RATE_LIMIT: "0",
    ...account.settings(),
  });
  const issued = await Tokens.open(service);
  tokens = {
    owner: (await issued.create(OWNER, "submitter")).token,
    curator: (await issued.create(CURATOR, "curator")).token,
    admin: issued.admin,
    stranger: (await issued.create("bob", "submitter")).token,
  };
  const collection = { method: "PUT", headers: { ...bearer(tokens.admin), "content-type": "application/json" } };
  const body = JSON.stringify({ name: { en: "Samples" }, curators: [CURATOR] });
  const { status } = await service.api.send(`/collections/${COLLECTION}`, { ...collection, body });
  expect(status).toBe(201);
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

/** A version that one situation is about, with words that occur nowhere else. */
class Subject {
  readonly dataset: string;
  readonly #client: PublicationClient;
  readonly version: number;
  readonly #word: string;

  private constructor(dataset: string, word: string, version: number) {
    this.dataset = dataset;
    this.#client = new PublicationClient(service, dataset);
    this.version = version;
    this.#word = word;
  }

  /** Archives it: a new dataset, or the second version of one. */
  static async archive(word: string, dataset?: string): Promise<Subject> {
    const { metadata, files, more } = {
      metadata: {
        ...goodMetadata,
        title: `Titel${word}`,
        description: `Beschreibung${word}. ${goodMetadata.description}`,
        subjects: [`stichwort${word}`],
      },
      files: { [`ordner${word}/aux.datei${word}.csv`]: `inhalt${word}` },
      more: dataset === undefined ? {} : { dataset: { id: dataset } },
    };
    const archived = await archiveAs(service, s3, tokens.owner, { metadata, files, more });
    return new Subject(archived.dataset, word, dataset === undefined ? 1 : 2);
  }

  /** Takes an action with a comment and a reason that are private. */
  async take(by: keyof typeof tokens, action: string, body: object = {}): Promise<void> {
    const path = `?version=${this.version}`;
    const seen = (await this.#client.get(tokens[by], `/publication${path}`)).headers.get("etag") ?? "";
    const { status, text } = await this.#client.act(
      tokens[by],
      `${action}${path}`,
      "reason" in body && action !== "request" ? body : { comment: `Kommentar${this.#word}`, ...body },
      action === "approve" ? { "if-match": seen } : {},
    );
    expect([action, status, status === 200 ? "" : text]).toEqual([action, 200, ""]);
  }

  request = (more: object = {}) =>
    this.take("owner", "request", { agreement: true, access: "open", collections: [COLLECTION], ...more });

  async publish(more: object = {}): Promise<this> {
    await this.request(more);
    await this.take("curator", "approve");
    await this.until(({ state }) => state === "published");
    await this.untilListed(true);
    return this;
  }

  async until(isReached: (view: { state: string; problem: object | null }) => boolean): Promise<void> {
    await vi.waitUntil(
      async () => isReached((await this.#client.get(tokens.owner, `/publication?version=${this.version}`)).json),
      { interval: 50 },
    );
  }

  /** Waits until the lists for the public have followed. */
  async untilListed(isListed: boolean): Promise<void> {
    const lists = [
      "/datasets?limit=100",
      "/feed.atom",
      "/sitemap/1.xml",
      "/oai?verb=ListRecords&metadataPrefix=datacite",
    ];
    for (const path of lists) {
      await vi.waitUntil(async () => {
        const { text } = await service.api.get(path);
        // A withdrawn record of OAI-PMH still has its identifier.
        const shown = path.startsWith("/oai") ? `Titel${this.#word}` : this.dataset;
        return text.includes(shown) === isListed;
      });
    }
  }

  /** What outsiders see of it on each route, as letters (see `TABLE`). */
  async seen(): Promise<Record<string, string>> {
    const word = this.#word;
    const digests = ["sha512", "sha256", "md5"].flatMap((name) => {
      const digest = createHash(name).update(`inhalt${word}`).digest();
      return [digest.toString("hex"), digest.toString("base64")];
    });
    const canaries = {
      t: new Canary([`Titel${word}`]),
      d: new Canary([`Beschreibung${word}`, `stichwort${word}`]),
      // Where the request does not name it.
      i: new Canary([this.dataset]),
      p: new Canary([`Kommentar${word}`, `Anlass${word}`, OWNER, CURATOR]),
    };
    // A page that a file is not found names the file of the request.
    const unnamedFiles = ({ path }: Attempt) =>
      new Canary([
        ...[`ordner${word}`, `datei${word}`].filter((name) => !path.includes(name)),
        ...[`inhalt${word}`, ...digests],
      ]);
    const target = {
      dataset: this.dataset,
      paths: [`data/ordner${word}/aux.datei${word}.csv`, `data/ordner${word}`, "data", ...PACKAGE_PATHS],
      prefixes: ["data/"],
      words: [`Titel${word}`, `stichwort${word}`, `datei${word}`].map((text) => text.slice(0, -1)),
    };
    const found: Record<string, string> = {};
    for (const route of OUTSIDER_ROUTES) {
      const letters = new Set<string>();
      for (const attempt of OUTSIDER_ATTEMPTS[route]?.(target) ?? []) {
        const sought = { ...canaries, f: unnamedFiles(attempt) };
        for (const token of [undefined, tokens.stranger]) {
          const { status, head, bytes } = await sendAttempt(service.url, attempt, token);
          if (status >= 500) throw new Error(`${attempt.method} ${attempt.path}: ${status}`);
          const isNamed = `${attempt.path}${attempt.form}`.includes(this.dataset);
          for (const [letter, canary] of Object.entries(sought)) {
            if (isNamed && letter === "i") continue;
            if (canary.isIn(head) || canary.isIn(bytes)) letters.add(letter);
          }
        }
      }
      found[route] = [...letters].sort().join("");
    }
    return found;
  }
}

const RESTRICTED = (word: string) => ({ access: "restricted", reason: `Anlass${word}` });
const EMBARGOED = (word: string) => ({ access: "embargoed", embargoDate: "2099-05-01", reason: `Anlass${word}` });

/** What DataCite does, and the problem of the registration that results. */
const FAULTS = {
  unreachable: () => account.server.addFault({ match: {}, times: 10_000, fault: { status: 503 } }),
  /** It stores everything, and no answer arrives. */
  silent() {
    account.server.addFault({ match: { method: "POST" }, times: 10_000, fault: { closeAfter: true } });
    account.server.addFault({ match: { method: "GET" }, times: 10_000, fault: { status: 503 } });
  },
  refusing(method = "POST") {
    const body = JSON.stringify({ errors: [{ source: "titles", title: "is too short" }] });
    account.server.addFault({ match: { method }, times: 10_000, fault: { status: 422, body } });
  },
};

async function registering(word: string, fault: () => void, dataset?: string): Promise<Subject> {
  const one = await Subject.archive(word, dataset);
  fault();
  await one.request();
  await one.take("curator", "approve");
  await one.until(({ problem }) => problem !== null);
  return one;
}

/** The second version of a dataset whose first version is public. */
async function second(word: string): Promise<Subject> {
  const first = await (await Subject.archive(`erste${word}`)).publish();
  return Subject.archive(word, first.dataset);
}

/** The ways to each situation; their words occur nowhere else. */
const SITUATIONS: Record<string, (word: string) => Promise<Subject>> = {
  private: (word) => Subject.archive(word),
  "in review": async (word) => {
    const one = await Subject.archive(word);
    await one.request();
    return one;
  },
  "changes requested": async (word) => {
    const one = await Subject.archive(word);
    await one.request();
    await one.take("curator", "request-changes");
    return one;
  },
  declined: async (word) => {
    const one = await Subject.archive(word);
    await one.request();
    await one.take("curator", "decline");
    return one;
  },
  approved: async (word) => {
    const one = await Subject.archive(word);
    await one.request({ publishOnApproval: false });
    await one.take("curator", "approve");
    return one;
  },
  "registering, DataCite not reached": (word) => registering(word, FAULTS.unreachable),
  "registering, refused": (word) => registering(word, FAULTS.refusing),
  "registering, no answer": (word) => registering(word, FAULTS.silent),
  "registering, closed": async (word) => {
    const one = await registering(word, FAULTS.silent);
    await one.take("owner", "change-access", RESTRICTED(word));
    return one;
  },
  "registering, taken back": async (word) => {
    const one = await registering(word, FAULTS.silent);
    await one.take("owner", "take-back");
    return one;
  },
  "registering, withdrawn": async (word) => {
    const one = await registering(word, FAULTS.silent);
    await one.take("owner", "withdraw", { reason: "Personal data" });
    return one;
  },
  "not reached, withdrawn": async (word) => {
    const one = await registering(word, FAULTS.unreachable);
    await one.take("owner", "withdraw", { reason: "Personal data" });
    return one;
  },
  "published, open": async (word) => (await Subject.archive(word)).publish(),
  "published, embargoed": async (word) => (await Subject.archive(word)).publish(EMBARGOED(word)),
  "published, restricted": async (word) => (await Subject.archive(word)).publish(RESTRICTED(word)),
  "published, closed while DataCite refuses": async (word) => {
    const one = await (await Subject.archive(word)).publish();
    FAULTS.refusing("PUT");
    await one.take("owner", "change-access", RESTRICTED(word));
    return one;
  },
  "published, withdrawn": async (word) => {
    const one = await (await Subject.archive(word)).publish();
    await one.take("curator", "withdraw", { reason: "Personal data" });
    await one.untilListed(false);
    return one;
  },
  "published, dataset withdrawn": async (word) => {
    const one = await (await Subject.archive(word)).publish();
    const path = `/dataset/${one.dataset}/withdraw`;
    expect((await service.api.post(path, { reason: "Personal data" }, bearer(tokens.admin))).status).toBe(202);
    await one.untilListed(false);
    return one;
  },
  "second version, private": second,
  "second version, in review": async (word) => {
    const one = await second(word);
    await one.request();
    return one;
  },
  "second version, registering": async (word) => {
    const first = await (await Subject.archive(`erste${word}`)).publish();
    return registering(word, FAULTS.silent, first.dataset);
  },
};

/** A route of each column, and further ones for which the same is expected. */
const COLUMNS: Record<string, string[]> = {
  home: ["GET /"],
  lists: [
    ...["GET /datasets", "GET /catalogue.jsonld", "GET /feed.atom"],
    ...["GET /collections/:id", "GET /collections/:id/datasets"],
  ],
  oai: ["GET /oai", "POST /oai"],
  sitemap: ["GET /sitemap/:file"],
  ":id": ["GET /dataset/:id"],
  versions: ["GET /dataset/:id/versions"],
  files: ["GET /dataset/:id/files", "GET /dataset/:id/unpacking"],
  part: ["GET /dataset/:id/page/files"],
  file: ["GET /dataset/:id/files/*"],
  preview: ["GET /dataset/:id/preview/*"],
  export: ["GET /dataset/:id/export/:format"],
  linkset: ["GET /dataset/:id/linkset"],
  usage: ["GET /dataset/:id/usage"],
  publication: ["GET /dataset/:id/publication"],
  record: ["GET /dataset/:id/publication-record"],
  request: ["GET /dataset/:id/access-request", "POST /dataset/:id/access-request"],
  link: ["POST /dataset/:id/download-link"],
};

/**
 * What outsiders and other submitters see: the title (`t`), the description and the subjects (`d`), names, contents and digests
 * of files (`f`), and in lists the dataset’s id (`i`). On all other routes they see nothing, and nowhere comments, reasons for closed
 * files and accounts. From the first request that can make a DOI public, the DOI leads to the metadata, until DataCite refuses it.
 * OAI-PMH keeps the identifiers of deleted records.
 */
const TABLE = `
situation                                | home lists oai sitemap :id versions files part file preview export linkset usage publication record request link
private                                  | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
in review                                | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
changes requested                        | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
declined                                 | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
approved                                 | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
registering, DataCite not reached        | -    -     -   -       dt  -        -     -    -    -       dt     -       -     -           -      -       -
registering, refused                     | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
registering, no answer                   | -    -     -   -       dt  -        -     -    -    -       dt     -       -     -           -      -       -
registering, closed                      | -    -     -   -       dt  -        -     -    -    -       dt     -       -     -           -      -       -
registering, taken back                  | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
registering, withdrawn                   | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
not reached, withdrawn                   | -    -     -   -       -   -        -     -    -    -       -      -       -     -           -      -       -
published, open                          | dit  dit   dit i       dft -        f     f    dft  ft      dft    f       -     -           t      -       -
published, embargoed                     | dit  dit   dit i       dt  -        -     -    -    -       dt     -       -     -           t      -       -
published, restricted                    | dit  dit   dit i       dt  -        -     -    -    -       dt     -       -     -           t      -       -
published, closed while DataCite refuses | dit  dit   dit i       dt  -        -     -    -    -       dt     -       -     -           t      -       -
published, withdrawn                     | -    -     i   -       t   -        t     t    t    t       t      t       -     t           t      -       t
published, dataset withdrawn             | -    -     i   -       t   t        t     t    t    t       t      t       t     t           t      t       t
second version, private                  | -    i     i   i       -   -        -     -    -    -       -      -       -     -           -      -       -
second version, in review                | -    i     i   i       -   -        -     -    -    -       -      -       -     -           -      -       -
second version, registering              | -    i     i   i       dt  -        -     -    -    -       dt     -       -     -           -      -       -
`;

const [columns = [], ...rows] = TABLE.trim()
  .split("\n")
  .map((line) => line.replace(/^.*\|/, "").trim().split(/\s+/));
const names = TABLE.trim()
  .split("\n")
  .slice(1)
  .map((line) => line.replace(/\|.*/, "").trim());

/** The letters of a situation on each route. */
function expected(situation: string): Record<string, string> {
  const row = rows[names.indexOf(situation)] ?? [];
  const shown = Object.fromEntries(
    columns.flatMap((column, at) => (COLUMNS[column] ?? []).map((route) => [route, row[at]?.replace("-", "") ?? ""])),
  );
  return Object.fromEntries(OUTSIDER_ROUTES.map((route) => [route, shown[route] ?? ""]));
}

test("the table has every situation, and only routes that outsiders can use", () => {
  expect(names).toEqual(Object.keys(SITUATIONS));
  expect(columns).toEqual(Object.keys(COLUMNS));
  expect(OUTSIDER_ROUTES).toEqual(expect.arrayContaining(Object.values(COLUMNS).flat()));
});

test.for(Object.entries(SITUATIONS).map(([name, reach], at) => ({ name, reach, at })))(
  "$name: outsiders and other submitters see what the table says",
  async ({ name, reach, at }) => {
    const one = await reach(`uhu${String.fromCharCode(97 + at)}`);
    try {
      const seen = await one.seen();
      const wanted = expected(name);
      if (name === "registering, refused") {
        // During each further attempt, the outcome is open again: for some of the requests to a route, or for all.
        const open = expected("registering, no answer");
        for (const [route, letters] of Object.entries(seen))
          if ([...letters].every((letter) => open[route]?.includes(letter))) seen[route] = wanted[route] ?? "";
      }
      expect(seen).toEqual(wanted);
    } finally {
      account.reset();
    }
  },
);

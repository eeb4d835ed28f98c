import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { ROUTE_PERMISSIONS } from "../../src/people/route-permissions.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import {
  ACCEPT,
  CONDITIONS,
  OUTSIDER_ATTEMPTS,
  OUTSIDER_ROUTES,
  PACKAGE_PATHS,
} from "../support/api/outsider-attempts.ts";
import { PublicationClient } from "../support/api/publications.ts";
import { type CreatedLink, createLink, revokeLink } from "../support/api/reviewer-links.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { readZip } from "../support/archive/package-formats.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

/** Words that occur nowhere else. Each stands for a name, and must not be in any byte of an anonymous view. */
const NAMES: string[] = [];
const name = (what: string) => {
  const word = `Qz${what}qz`;
  NAMES.push(word);
  return word;
};
const ORCID = "0000-0002-1825-0097";
const RORS = ["05gq02987", "02skbsp27", "00k4n6c32"];

const metadata = {
  ...maximalMetadata,
  title: "Roots under drought",
  description: "Photographs of roots, taken every week.",
  authors: [
    {
      ...maximalMetadata.authors[0],
      firstName: name("Given"),
      lastName: name("Family"),
      affiliation: name("University"),
      affiliations: [{ name: name("Institute"), rorid: "https://ror.org/02skbsp27" }],
      address: name("Street"),
      zipCode: name("Zip"),
      city: name("City"),
      country: "AQ",
    },
    { ...maximalMetadata.authors[1], name: name("Consortium") },
    { role: "DataCurator", nameType: "Personal", name: name("Curator") },
    { role: "HostingInstitution", affiliation: name("Library") },
  ],
  titles: [{ title: "Wurzeln", titleType: "TranslatedTitle", language: "de-x-qzprivat" }],
  descriptions: [{ description: "A fixed camera.", descriptionType: "Methods", language: "en" }],
  license: `https://licences.example/${name("Licence")}`,
  licenses: [{ license: "MIT", appliesTo: name("Part") }],
  subjects: ["roots"],
  subjectTerms: [
    {
      subject: "Hordeum",
      subjectScheme: name("Scheme"),
      schemeUri: `https://terms.example/${name("SchemeUri")}`,
      valueUri: `https://terms.example/${name("Value")}`,
      classificationCode: name("Code"),
    },
  ],
  contact: { name: name("Contact"), email: `${name("Mail")}@example.org`, public: true },
  fundingReferences: [
    {
      funderName: name("Funder"),
      funderIdentifier: `https://funders.example/${name("FunderId")}`,
      funderIdentifierType: "Other",
      awardNumber: name("Award"),
      awardTitle: name("AwardTitle"),
      awardUri: `https://awards.example/${name("AwardUri")}`,
    },
  ],
  relatedIdentifiers: [
    {
      relationType: "IsDescribedBy",
      relatedIdentifier: `https://papers.example/${name("Related")}`,
      relatedIdentifierType: "URL",
      citation: `${name("Cited")} (2026): Roots.`,
    },
  ],
  dates: [{ date: "2026-05-04", dateType: "Collected", dateInformation: name("DateInfo") }],
  geoLocations: [{ geoLocationPlace: name("Place") }],
  resourceType: name("Type"),
  alternateIdentifiers: [{ alternateIdentifier: name("Alternate"), alternateIdentifierType: name("AlternateType") }],
  versionLabel: name("Version"),
  acknowledgements: name("Thanks"),
  fields: { miappe: { organisms: [name("Field")] } },
};
NAMES.push("qzprivat", ORCID, ...RORS);
const [PUBLISHER, OWNER, CURATOR, LABEL, COMMENT, REASON, KEY_TYPE] = [
  ...["Publisher", "Owner", "Reviewer", "Label", "Comment", "Reason", "MediaType"],
].map(name) as [string, string, string, string, string, string, string];
const BUCKET = name("bucket").toLowerCase();
const OBJECTS = {
  "README.md": name("Readme"),
  "CITATION.cff": name("Cff"),
  "docs/ro-crate-metadata.json": name("Crate"),
  "docs/AUTHORS.txt": name("Authors"),
  "datacite.xml": name("Datacite"),
  "codemeta.json": name("Codemeta"),
};

let s3: S3Server;
let service: TestService;
let owner: string;
let curator: string;
let dataset: string;
let submission: string;
let anonymous: CreatedLink;
let plain: CreatedLink;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket(BUCKET);
  for (const [key, content] of Object.entries(OBJECTS)) s3.put(BUCKET, key, content);
  s3.put(BUCKET, "plots/a.csv", "1;2;3\n", { contentType: `text/x-${KEY_TYPE}` });
  s3.put(BUCKET, "plots/b.csv", "4;5;6\n");
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_RATE_LIMIT: "0",
    ACCESSION_PUBLISHER: PUBLISHER,
    ACCESSION_METADATA_SCHEMAS: "docs/examples/miappe.json",
  });
  const tokens = await Tokens.open(service);
  owner = (await tokens.create(OWNER, "submitter")).token;
  curator = (await tokens.create(CURATOR, "curator")).token;
  const s3Access = { endpoint: s3.endpoint, bucket: BUCKET, ...keys };
  const sent = await service.api.post("/submission/upload/s3upload", { metadata, s3Access }, bearer(owner));
  if (sent.status !== 202) throw new Error(sent.text);
  submission = sent.json.id;
  await vi.waitUntil(async () => {
    const { json } = await service.api.get(`/submission/${submission}`, bearer(owner));
    if (json.status === "failed") throw new Error(JSON.stringify(json.failure));
    dataset = json.dataset?.id;
    return json.status === "completed";
  });
  const one = new PublicationClient(service, dataset);
  const embargo = { access: "embargoed", embargoDate: "2027-06-30", reason: "The article appears in June." };
  await one.done(owner, "request", { agreement: true, ...embargo, comment: COMMENT });
  await one.done(curator, "assign", { curator: CURATOR });
  anonymous = await createLink(service, owner, dataset, { label: LABEL });
  plain = await createLink(service, owner, dataset, { label: LABEL, anonymous: false });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

/** What a request got: its answer, byte for byte. */
interface Exchange {
  what: string;
  /** As the API names it. */
  route: string;
  /** The media type for which it asked. */
  accept: string | undefined;
  status: number;
  bytes: Buffer;
  head: string;
}

/** Sends a request, and follows no redirect: where it leads is a header. */
async function exchange(
  route: string,
  path: string,
  { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
) {
  const answer = await fetch(service.url + path, { ...init, headers, redirect: "manual" });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const head = [answer.statusText, ...[...answer.headers].flat()].join("\n");
  const what = `${init.method ?? "GET"} ${path} ${headers.accept ?? ""}`.trimEnd();
  return { what, route, accept: headers.accept, status: answer.status, bytes, head } satisfies Exchange;
}

const FILE = "/review/files/data/plots/a.csv";

/** Paths of each route that a reviewer can use, the first of which succeeds. */
const PATHS: Record<string, readonly string[]> = {
  "GET /review": ["/review", "/review?version=2", "/review/", "/review/receipt", "/review/export/datacite"],
  "GET /review/files": [
    "/review/files",
    "/review/files?limit=1",
    "/review/files?limit=x",
    "/review/files?cursor=x",
    "/review/files?prefix=data/",
  ],
  "GET /review/zip": ["/review/zip", "/review/zip/", "/review/zip?version=1"],
  "GET /review/files/*": [
    FILE,
    "/review/files/",
    "/review/files/data",
    "/review/files/data/",
    "/review/files/%",
    "/review/files/data/plots/b.csv",
    ...Object.keys(OBJECTS).map((key) => `/review/files/data/${key}`),
    "/review/files/ro-crate-metadata.json",
    "/review/files/metadata/datacite.json",
    "/review/files/metadata/datacite.xml",
    "/review/files/metadata/submission.json",
    "/review/files/metadata/source-manifest.jsonl",
    "/review/files/metadata/fields-miappe.json",
    "/review/files/data/../ro-crate-metadata.json",
    "/review/files/nothing",
  ],
};
const LINK = "POST /review/download-link";
const DOWNLOAD = "GET /download/:ticket";

/** Fewer bytes and answers would mean that the search does not reach what it is about. */
const FEWEST_BYTES = 100_000;
const FEWEST_ANSWERS = 400;

/** Every kind of request that a reviewer can send. */
async function everything(secret: string): Promise<Exchange[]> {
  const as = bearer(secret);
  const found: Exchange[] = [];
  const variants: Record<string, string>[] = [
    { range: "bytes=0-1" },
    { range: "bytes=0-0,2-2" },
    ...CONDITIONS,
    { origin: "https://elsewhere.example" },
    ...ACCEPT.map((accept) => ({ accept })),
  ];
  for (const [route, paths] of Object.entries(PATHS)) {
    for (const path of paths) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
        found.push(await exchange(route, path, { method, headers: as }));
      }
    }
    // Also for an answer that is an error.
    for (const path of [paths[0] ?? "", paths.at(-1) ?? ""]) {
      for (const more of variants) found.push(await exchange(route, path, { headers: { ...as, ...more } }));
    }
  }
  const json = { ...as, "content-type": "application/json" };
  for (const body of [
    "",
    "{}",
    "[]",
    '{"path":1}',
    '{"format":"bagit"}',
    "{",
    `{"path":"data/plots/a.csv"}`,
    ...Object.keys(OBJECTS).map((key) => JSON.stringify({ path: `data/${key}` })),
  ]) {
    const made = await exchange(LINK, "/review/download-link", { method: "POST", headers: json, body });
    found.push(made);
    if (made.status !== 201) continue;
    const { url } = JSON.parse(made.bytes.toString());
    found.push(await exchange(DOWNLOAD, url), await exchange(DOWNLOAD, url));
  }
  return found;
}

/** Requests of a reviewer to the routes for all people, and to those for readers, which know other secrets only. */
async function elsewhere(secret: string): Promise<Exchange[]> {
  const words = ["Root", "Photograph", "Hordeu", "README", "Qz"];
  const target = { dataset, paths: ["data/plots/a.csv", "data", ...PACKAGE_PATHS], prefixes: ["data/"], words };
  const found: Exchange[] = [];
  for (const route of OUTSIDER_ROUTES) {
    for (const { method, path, headers, body, form } of OUTSIDER_ATTEMPTS[route]?.(target) ?? []) {
      const sent = body === undefined ? form && new URLSearchParams(form) : JSON.stringify(body);
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const init = { method, headers: { ...headers, ...type, ...bearer(secret) }, ...(sent && { body: sent }) };
      found.push(await exchange(route, path, init));
    }
  }
  return found;
}

/** What was searched, for one line: the bytes of heads, of bodies, and of unpacked files. */
class Searched {
  bytes = 0;
  answers = 0;
  readonly #routes = new Set<string>();
  readonly #formats = new Set<string>();

  add({ route, accept, head, bytes }: Exchange, unpacked: number): void {
    this.bytes += head.length + bytes.length + unpacked;
    this.answers++;
    this.#routes.add(route);
    if (accept !== undefined) this.#formats.add(accept);
  }

  get routes(): number {
    return this.#routes.size;
  }

  get formats(): number {
    return this.#formats.size;
  }

  /** Prints the figures. */
  say(view: string, canaries: number): void {
    const { bytes, answers, routes, formats } = this;
    console.info(
      `${view}: ${bytes} bytes in ${answers} answers of ${routes} routes, ${formats} formats, ${canaries} canaries, none found`,
    );
  }
}

/** Searches answers, and fails if one contains a name. */
async function expectNone(found: readonly Exchange[], names: readonly string[], view: string): Promise<Searched> {
  const searched = new Searched();
  for (const one of found) {
    const unpacked = await unpackedFrom(one.bytes);
    expect([one.what, namesIn(one, unpacked, names)]).toEqual([one.what, []]);
    searched.add(
      one,
      unpacked.reduce((sum, text) => sum + text.length, 0),
    );
  }
  searched.say(view, names.length);
  return searched;
}

/** Paths and contents of the files in a ZIP; nothing for other answers. */
async function unpackedFrom(bytes: Buffer): Promise<string[]> {
  if (bytes.subarray(0, 4).toString("latin1") !== "PK\x03\x04") return [];
  return [...(await readZip(bytes))].flatMap(([path, content]) => [path, content.toString("latin1")]);
}

/** The names in an answer, in any case, also percent-encoded, in base64 and in the files of a ZIP. */
function namesIn({ head, bytes }: Exchange, unpacked: readonly string[], names: readonly string[]): string[] {
  const texts = [head, bytes.toString("latin1"), bytes.toString("utf8"), ...unpacked];
  const all = texts.flatMap((text) => [text, decoded(text)]).map((text) => text.toLowerCase());
  const inBase64 = (word: string) =>
    [0, 1, 2].map((shift) =>
      Buffer.from("x".repeat(shift) + word)
        .toString("base64")
        .slice(shift === 0 ? 0 : shift + 1, -4),
    );
  return names.filter(
    (word) =>
      all.some((text) => text.includes(word.toLowerCase())) ||
      (word.length > 8 && inBase64(word).some((code) => texts.some((text) => text.includes(code)))),
  );
}

function decoded(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

/** Ids lead to the dataset, and after publication to its authors. */
const secrets = () => [...NAMES, dataset, submission, anonymous.id, new URL(s3.endpoint).host, BUCKET];

// First, because it needs a dataset that is not withdrawn.
test("the search finds the names in a plain view", { tags: "extended" }, async () => {
  const found = await everything(plain.secret);
  const searched = found.map(async (one) => namesIn(one, await unpackedFrom(one.bytes), secrets()));
  const names = new Set((await Promise.all(searched)).flat());
  const notShown = ["bucket", "Street", "Zip", "City", "Owner", "Reviewer", "Label", "Comment", "Reason"].map(
    (what) => `Qz${what}qz`,
  );
  const missing = NAMES.filter((one) => !names.has(one) && !notShown.includes(one));
  expect(missing).toEqual([]);
  for (const one of notShown) expect(names).not.toContain(one);
});

describe("an anonymous view", () => {
  test("is searched on every route that a reviewer can use", () => {
    const routes = Object.entries(ROUTE_PERMISSIONS).filter(([, rule]) => rule === "reviewer");
    expect([...Object.keys(PATHS), LINK].toSorted()).toEqual(routes.map(([route]) => route).toSorted());
  });

  test("names no person and no institution in any byte of any response", async () => {
    const found = await everything(anonymous.secret);
    const searched = await expectNone(found, secrets(), "anonymous view");
    const { bytes, answers, routes, formats } = searched;
    expect({ routes, formats }).toEqual({ routes: 6, formats: new Set(ACCEPT).size });
    expect(bytes).toBeGreaterThan(FEWEST_BYTES);
    expect(answers).toBeGreaterThan(FEWEST_ANSWERS);
    expect(secrets().length).toBeGreaterThan(45);
    for (const [route, [path = ""]] of Object.entries(PATHS)) {
      const plainly = found.find(({ what }) => what === `GET ${path}`);
      expect([route, plainly?.status]).toEqual([route, 200]);
    }
    // The requests have reached what they are about.
    const bodies = found
      .filter(({ status }) => status === 200 || status === 206)
      .map(({ bytes }) => bytes.toString("latin1"));
    expect(bodies.some((text) => text.includes("Roots under drought"))).toBe(true);
    expect(bodies.filter((text) => text.includes("1;2;3")).length).toBeGreaterThan(2);
    expect(found.map(({ status }) => status)).toEqual(
      expect.arrayContaining([200, 201, 206, 304, 400, 404, 405, 412, 416, 422]),
    );
  });

  test("is not completed by any other route", { tags: "extended" }, async () => {
    // All people can read the name of the repository, and the documented examples. The requests, which some pages repeat, contain
    // the id of the dataset.
    const known = [PUBLISHER, dataset, ORCID, ...RORS];
    const names = secrets().filter((word) => !known.includes(word));
    const searched = await expectNone(await elsewhere(anonymous.secret), names, "routes for all, with the secret");
    expect(searched.routes).toBe(OUTSIDER_ROUTES.length);
  });

  test("has no more metadata than those that describe the data", async () => {
    const { json } = await service.api.get("/review", bearer(anonymous.secret));
    expect(Object.keys(json).sort()).toEqual(
      [
        "anonymous",
        "commitment",
        "earlierCommitments",
        "expiresAt",
        "files",
        "metadata",
        "named",
        "page",
        "state",
        "version",
      ].sort(),
    );
    expect(json.named).toBeNull();
    expect(json.metadata).toEqual({
      title: "Roots under drought",
      description: "Photographs of roots, taken every week.",
      titles: [{ title: "Wurzeln", titleType: "TranslatedTitle", language: "de" }],
      descriptions: [{ description: "A fixed camera.", descriptionType: "Methods", language: "en" }],
      subjects: ["roots"],
      subjectTerms: [{ subject: "Hordeum" }],
      dates: [{ date: "2026-05-04", dateType: "Collected" }],
      embargoDate: "2027-06-30",
      resourceTypeGeneral: "Image",
      language: "de",
    });
    expect(json.files).toMatchObject({ number: 2, leftOut: 6 });
  });

  test("stays anonymous after the link is revoked, and after publication and withdrawal", {
    tags: "extended",
  }, async () => {
    const ended = await createLink(service, owner, dataset);
    await revokeLink(service, owner, dataset, ended.id);
    const one = new PublicationClient(service, dataset);
    await one.done(curator, "approve");
    await one.until(owner, "published");
    const check = async (secret: string) => {
      await expectNone(await everything(secret), secrets(), "anonymous view, afterwards");
    };
    await check(anonymous.secret);
    await check(ended.secret);
    await one.done(curator, "withdraw", { reason: REASON });
    await check(anonymous.secret);
  });
});

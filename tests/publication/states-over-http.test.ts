/** @module-tag extended */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { ROUTE_PERMISSIONS } from "../../src/people/route-permissions.ts";
import { PUBLICATION_ACTIONS, PUBLICATION_STATES } from "../../src/publication/rules/states.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient, type PublicationJson } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/**
 * Every possible action, written down independently of the rules: `situation action → next state: roles`. A situation is
 * a state. `registering/refused` is that state while DataCite refuses the DOI, `published/delayed` and `withdrawn/delayed`
 * while DataCite refuses changed metadata: everything is possible that the state allows, and what is stated besides.
 */
const TABLE = `
private request → in_review: owner admin
private reserve-doi → private: owner admin
in_review assign → in_review: curator admin
in_review comment → in_review: owner curator admin
in_review resolve → in_review: owner curator admin
in_review request-changes → changes_requested: curator admin
in_review decline → declined: curator admin
in_review approve → approved: curator admin
in_review take-back → private: owner admin
in_review reserve-doi → in_review: owner admin
changes_requested request → in_review: owner admin
changes_requested assign → changes_requested: curator admin
changes_requested comment → changes_requested: owner curator admin
changes_requested resolve → changes_requested: owner curator admin
changes_requested take-back → private: owner admin
changes_requested reserve-doi → changes_requested: owner admin
declined request → in_review: owner admin
declined comment → declined: owner curator admin
declined resolve → declined: owner curator admin
declined reserve-doi → declined: owner admin
approved assign → approved: curator admin
approved comment → approved: owner curator admin
approved resolve → approved: owner curator admin
approved take-back → private: owner curator admin
approved reserve-doi → approved: owner admin
approved publish → registering: owner admin
registering comment → registering: owner curator admin
registering resolve → registering: owner curator admin
registering publish → registering: owner curator admin
registering change-access → registering: owner curator admin
registering take-back → private: owner curator admin
registering withdraw → withdrawn: owner curator admin
published comment → published: owner curator admin
published resolve → published: owner curator admin
published change-access → published: owner curator admin
published withdraw → withdrawn: curator admin
published/delayed publish → published: owner curator admin
withdrawn/delayed publish → withdrawn: owner curator admin
`;

/** Actions whose routes are for curators and admins: others are refused before the dataset is looked at. */
const ROUTES_OF_CURATORS = ["assign", "request-changes", "decline", "approve"];

const POSSIBLE = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [, situation = "", action = "", to = "", roles = ""] = /^(\S+) (\S+) → (\S+): (.*)$/.exec(line) ?? [];
    return { situation, action, to, roles: roles.split(" ") };
  });
const SITUATIONS = [...PUBLICATION_STATES, "registering/refused", "published/delayed", "withdrawn/delayed"];
const ROLES = ["owner", "curator", "admin", "stranger", "nobody"] as const;
type Role = (typeof ROLES)[number];
/** What ends a state, or has an effect on the other cells, comes last. */
const LAST = ["reserve-doi", "publish", "withdraw"];
const ACTIONS = [...PUBLICATION_ACTIONS.filter((action) => !LAST.includes(action)), ...LAST];

const stateOf = (situation: string) => situation.split("/")[0] ?? "";
const possible = (situation: string) =>
  POSSIBLE.filter((one) => one.situation === situation || one.situation === stateOf(situation));

/** What else decides: a DOI is reserved only once, and only comments can be resolved. */
interface Circumstances {
  hasDoi: boolean;
  hasComment: boolean;
}

/** The actions that a caller with this role can take, in the order of the API. */
function actionsOf(situation: string, role: Role, { hasDoi, hasComment }: Circumstances): string[] {
  const own = possible(situation).filter(({ roles }) => roles.includes(role));
  const names = own
    .map(({ action }) => action)
    .filter((action) => (action !== "reserve-doi" || !hasDoi) && (action !== "resolve" || hasComment));
  return PUBLICATION_ACTIONS.filter((action) => names.includes(action));
}

/** The answer to an action. */
function expected(situation: string, action: string, role: Role, circumstances: Circumstances): string {
  if (role === "nobody") return "401 unauthenticated";
  if (ROUTES_OF_CURATORS.includes(action) && (role === "owner" || role === "stranger")) return "403 forbidden";
  if (role === "stranger") return "404 not_found";
  const found = possible(situation).find((one) => one.action === action);
  if (found === undefined) return `409 publication_state, ${actionsOf(situation, role, circumstances).join(" ")}`;
  return found.roles.includes(role) ? `200 ${found.to}` : "403 forbidden";
}

/** Curators to whom reviews are assigned. */
const REVIEWERS = ["carl", "cora"];
let assignments = 0;
const NAMES = { owner: "ada", curator: "cleo", admin: "root", stranger: "bob", nobody: "" };
let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let service: TestService;
let tokens: Record<Role, string | undefined>;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite({ registrationMs: 0 });
  datacite = account.server;
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ...account.settings(),
  });
  const issued = await Tokens.open(service);
  const [ada, cleo, bob] = [
    await issued.create(NAMES.owner, "submitter"),
    await issued.create(NAMES.curator, "curator"),
    await issued.create(NAMES.stranger, "submitter"),
  ];
  for (const name of REVIEWERS) await issued.create(name, "curator");
  tokens = { owner: ada.token, curator: cleo.token, admin: issued.admin, stranger: bob.token, nobody: undefined };
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

let sent = 0;
/** A body that no other request had, because a repeated request has no further effect. */
function bodyOf(action: string): object {
  const text = `Request ${++sent}`;
  if (action === "request") return { agreement: true, access: "open", publishOnApproval: false, comment: text };
  // Alternating, because a repeated assignment has no effect.
  if (action === "assign") return { curator: REVIEWERS[assignments++ % REVIEWERS.length] };
  if (action === "change-access") return { access: "embargoed", embargoDate: "2099-05-01", reason: text };
  return action === "withdraw" ? { reason: text } : { comment: text };
}

/** What DataCite answers to the service, and the problem that then belongs to the situation. */
const FAULTS: Record<string, { methods: string[]; status: number; problem?: string }> = {
  // What is published from here stays in registration, because it is unknown whether DataCite has the DOI.
  approved: { methods: ["GET", "POST"], status: 503 },
  registering: { methods: ["GET", "POST"], status: 503, problem: "datacite_unreachable" },
  "registering/refused": { methods: ["POST"], status: 422, problem: "datacite_rejected" },
  "published/delayed": { methods: ["PUT"], status: 422, problem: "datacite_rejected" },
  "withdrawn/delayed": { methods: ["PUT"], status: 422, problem: "datacite_rejected" },
};
const REFUSAL = JSON.stringify({ errors: [{ source: "titles", title: "is too short" }] });

/** The actions that lead from a private dataset to a state, taken by an admin. */
const PATHS: Record<string, string[]> = {
  private: [],
  in_review: ["request"],
  changes_requested: ["request", "request-changes"],
  declined: ["request", "decline"],
  approved: ["request", "approve"],
  registering: ["request", "approve", "publish"],
  published: ["request", "approve", "publish"],
  "published/delayed": ["request", "approve", "publish", "change-access"],
  withdrawn: ["request", "approve", "publish", "withdraw"],
};

/** A dataset that can be brought into a situation as often as a test needs it there, by actions alone. */
class Subject {
  readonly situation: string;
  hasDoi = false;
  #one: PublicationClient | undefined;
  /** Number of a comment, and whether it is resolved. */
  #comment: { entry: number; isResolved: boolean } | undefined;
  #state = "";
  /** What people did, as the history should tell. */
  #taken: string[] = [];

  constructor(situation: string) {
    this.situation = situation;
  }

  /** Its dataset; a new one if the situation cannot be reached from where it is. */
  async ready(action?: string): Promise<PublicationClient> {
    const wanted = stateOf(this.situation);
    // Without a comment, there is nothing that could be resolved in another state.
    const lacksComment = action === "resolve" && !this.hasComment;
    const isThere = this.#state === wanted && !lacksComment;
    if (!isThere) {
      if (this.#state === "declined") await this.take("admin", "request");
      if (["in_review", "changes_requested", "approved"].includes(this.#state)) await this.take("admin", "take-back");
      if (this.#state !== "private") await this.#archive();
      if (lacksComment) await this.#walk(["request", "comment", "take-back"]);
      await this.#walk(PATHS[this.situation] ?? PATHS[wanted] ?? []);
    }
    const { problem } = FAULTS[this.situation] ?? {};
    // During each further attempt of a refused registration, the outcome is open again. While an attempt is due, a request for
    // one has no effect.
    const isSettled = isThere && this.situation !== "registering/refused" && action !== "publish";
    if (problem !== undefined && !isSettled) await this.#untilDelayed(problem);
    if (this.#one === undefined) throw new Error("There is no dataset");
    return this.#one;
  }

  get hasComment(): boolean {
    return this.#comment !== undefined;
  }

  /** Takes an action as this role. @returns status, and state or problem code with the actions that it names */
  async take(role: Role, action: string): Promise<string> {
    if (this.#one === undefined) throw new Error("There is no dataset");
    const seen = action === "approve" ? await this.#one.seen(tokens.admin) : {};
    const body = action === "resolve" ? this.#resolution() : bodyOf(action);
    const { status, json } = await this.#one.act(tokens[role], action, body, seen);
    if (status !== 200) return `${status} ${json.code}${status === 409 ? `, ${json.actions.join(" ")}` : ""}`;
    this.#state = json.state;
    this.hasDoi ||= action === "reserve-doi" || json.state === "registering";
    this.#taken.push(`${NAMES[role]} ${action}`);
    if (action === "comment") this.#comment = { entry: json.history.at(-1).id, isResolved: false };
    if (action === "resolve" && this.#comment !== undefined) this.#comment.isResolved = !this.#comment.isResolved;
    return `200 ${json.state}`;
  }

  /** What people did according to its history, and what they did. */
  async history(): Promise<{ told: string[]; taken: string[]; state: string; expected: string }> {
    const { history, state } = await this.#read();
    const people = history.filter(({ actor }: PublicationJson) => actor !== null);
    const told = people.map(({ actor, action }: PublicationJson) => `${actor} ${action}`);
    return { told, taken: this.#taken, state, expected: this.#state };
  }

  /** Alternating, because a repeated one has no effect. */
  #resolution(): object {
    const { entry, isResolved } = this.#comment ?? { entry: 1, isResolved: false };
    return { entry, resolved: !isResolved };
  }

  async #archive(): Promise<void> {
    const { dataset } = await archiveAs(service, s3, tokens.owner, { files: { "README.md": "# Plots", "a.csv": "1" } });
    this.#one = new PublicationClient(service, dataset);
    this.hasDoi = false;
    this.#comment = undefined;
    this.#state = "private";
    this.#taken = [];
  }

  async #walk(path: string[]): Promise<void> {
    for (const action of path) {
      const answer = await this.take("admin", action);
      if (!answer.startsWith("200")) throw new Error(`${action}: ${answer}`);
      if (action !== "publish" || stateOf(this.situation) === "registering") continue;
      await this.#one?.until(tokens.admin ?? "", "published");
      this.#state = "published";
    }
  }

  /** Waits until the service has this problem, and no next attempt is near, during which its outcome would be open. */
  async #untilDelayed(code: string): Promise<void> {
    await vi.waitUntil(
      async () => {
        const { problem, nextAttemptAt } = await this.#read();
        const isNear = Date.parse(nextAttemptAt) < Date.now() + 500;
        return problem?.code === code && !isNear;
      },
      { interval: 50 },
    );
  }

  async #read(): Promise<PublicationJson> {
    return (await this.#one?.get(tokens.admin))?.json;
  }
}

test("the routes about publication are those of the actions", () => {
  const routes = Object.keys(ROUTE_PERMISSIONS).filter((route) => route.startsWith("POST /dataset/:id/publication/"));
  expect(routes.map((route) => route.split("/").at(-1)).toSorted()).toEqual(ACTIONS.toSorted());
});

describe.each(SITUATIONS)("%s", (situation) => {
  let subject: Subject;

  beforeAll(async () => {
    const { methods = [], status = 0 } = FAULTS[situation] ?? {};
    for (const method of methods)
      datacite.addFault({ match: { method }, times: 1_000_000, fault: { status, body: REFUSAL } });
    subject = new Subject(situation);
    await subject.ready();
  });
  afterAll(() => datacite.clearFaults());

  test("each caller is told exactly the actions that they can take", async () => {
    const one = await subject.ready();
    const told = async (role: Role) => {
      const { status, json } = await one.get(tokens[role]);
      return `${status} ${status === 200 ? json.actions.join(" ") : json.code}`;
    };
    const state = stateOf(situation);
    // The DOI may lead to a dataset whose registration has no known outcome.
    const isPublic = situation === "registering" || state === "published";
    const gone = state === "withdrawn" ? "410 publication_withdrawn" : undefined;
    for (const role of ["owner", "curator", "admin"] as const)
      expect([role, await told(role)]).toEqual([role, `200 ${actionsOf(situation, role, subject).join(" ")}`]);
    expect(await told("stranger")).toBe(gone ?? (isPublic ? "200 " : "404 not_found"));
    expect(await told("nobody")).toBe(gone ?? (isPublic ? "200 " : "401 unauthenticated"));
  });

  test.each(ACTIONS)("%s", async (action) => {
    for (const role of ROLES) {
      await subject.ready(action);
      const wanted = expected(situation, action, role, subject);
      expect([role, await subject.take(role, action)]).toEqual([role, wanted]);
    }
    const { told, taken, state, expected: reached } = await subject.history();
    expect(told).toEqual(taken);
    expect(state).toBe(reached);
  });
});

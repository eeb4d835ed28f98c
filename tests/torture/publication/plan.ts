import type { DataciteServer } from "../../../packages/datacite-test-server/src/index.ts";
import { SeededRandom } from "../plan.ts";

/** Access to the files from the publication on. */
export type Access = "open" | "embargoed" | "restricted";

/** What people do with one dataset, and what fails meanwhile. The same seed and number always give the same plan. */
export interface PublicationPlan {
  number: number;
  access: Access;
  /** Whether the DOIs of the versions are reserved with their submissions. */
  reserves: boolean;
  /** When the owner takes the first request back; `registering` only if the version is published later. */
  takesBack?: "in_review" | "approved" | "registering";
  /** Whether approval starts the publication. */
  publishOnApproval: boolean;
  /** Whether the first version remains private. */
  staysPrivate: boolean;
  /** Whether published versions become restricted instead of embargoed. */
  restricts: boolean;
  /** Whether the title of the newest version is changed after the first one was published. */
  revises: boolean;
  /** A second version, which remains private or is published. */
  secondVersion?: "private" | "published";
  /** The version that a curator withdraws. */
  withdraws?: 1 | 2;
  faults: PlannedFault[];
  kills: { call: number; afterMs: number }[];
}

/** Whether the datasets of a folder have concept DOIs. */
export function hasConceptDois(seed: string, folder: number): boolean {
  return new SeededRandom(`${seed} folder`, folder).next() < 0.5;
}

export function publicationPlan(seed: string, number: number): PublicationPlan {
  const random = new SeededRandom(seed, number);
  const isLikely = (probability: number) => random.next() < probability;
  const staysPrivate = isLikely(0.1);
  const second =
    !staysPrivate && isLikely(0.35) ? random.oneOf(["private", "published", "published"] as const) : undefined;
  const isWithdrawn = !staysPrivate && isLikely(0.3);
  const withdraws = second === "published" ? random.oneOf([1, 2] as const) : 1;
  const moments = staysPrivate
    ? (["in_review", "approved"] as const)
    : (["in_review", "approved", "registering"] as const);
  const takesBack = staysPrivate || isLikely(0.4) ? random.oneOf(moments) : undefined;
  const access = random.oneOf(["open", "open", "embargoed", "restricted"] as const);
  return {
    ...{ number, access, restricts: access === "embargoed" && !staysPrivate && number % 2 === 0 },
    reserves: isLikely(0.4),
    ...(takesBack !== undefined && { takesBack }),
    publishOnApproval: isLikely(0.7),
    staysPrivate,
    revises: !staysPrivate && isLikely(0.4),
    ...(second !== undefined && { secondVersion: second }),
    ...(isWithdrawn && { withdraws }),
    faults: Array.from({ length: random.upTo(4) }, () => faultOf(random)),
    kills: Array.from({ length: random.upTo(2) }, () => ({ call: 1 + random.upTo(80), afterMs: random.upTo(6_000) })),
  };
}

/** The plans of a sweep, in which the process is killed at each call. */
export const SWEPT = ["publication", "take-back"] as const;

/**
 * A version is published, its access and its title are changed, and it is withdrawn; or its publication is taken back while its DOI is being registered, and it is
 * published then. The second one takes minutes, because DataCite is asked for late requests.
 */
export function sweepPlan(number: number, swept: (typeof SWEPT)[number]): PublicationPlan {
  const isTakenBack = swept === "take-back";
  return {
    ...{ number, access: "embargoed", reserves: false, publishOnApproval: true, staysPrivate: false },
    ...(isTakenBack
      ? { takesBack: "registering", revises: false, restricts: false }
      : { withdraws: 1, revises: true, restricts: true }),
    ...{ faults: [], kills: [] },
  };
}

/** The plan in a few words, for the line of a run. */
export function describePlan(plan: PublicationPlan): string {
  const { access, reserves, takesBack, staysPrivate, restricts, revises, secondVersion, withdraws, faults, kills } =
    plan;
  return [
    staysPrivate ? "private" : access,
    ...(reserves ? ["reserved DOI"] : []),
    ...(takesBack === undefined ? [] : [`taken back ${takesBack.replaceAll("_", " ")}`]),
    ...(restricts ? ["then restricted"] : []),
    ...(revises ? ["new title"] : []),
    ...(secondVersion === undefined ? [] : [`${secondVersion} version 2`]),
    ...(withdraws === undefined ? [] : [`version ${withdraws} withdrawn`]),
    ...faults.map(({ name, method }) => `${name} (${method})`),
    `${kills.length} kills`,
  ].join(", ");
}

const FAULTS = [
  ["lost answer", { closeAfter: true }],
  ["refused connection", { closeBefore: true }],
  ["503", { status: 503 }],
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["ignored event", { ignoreEvent: true }],
  ["late handle", { registration: 1_500 }],
  ["a page instead of JSON", { status: 200, body: "<html>", contentType: "text/html" }],
  ["401", { status: 401 }],
  ["422", { status: 422, body: JSON.stringify({ errors: [{ source: "titles", title: "is too short" }] }) }],
] as const;

export interface PlannedFault {
  name: (typeof FAULTS)[number][0];
  method: "POST" | "GET" | "PUT";
  times: number;
}

function faultOf(random: SeededRandom): PlannedFault {
  const [name] = random.oneOf(FAULTS);
  return { name, method: random.oneOf(["POST", "GET", "PUT"] as const), times: 1 + random.upTo(1) };
}

/** Orders the faults of a plan. */
export function orderFaults(datacite: DataciteServer, { faults }: PublicationPlan): void {
  for (const { name, method, times } of faults) {
    const [, fault] = FAULTS.find(([known]) => known === name) ?? FAULTS[0];
    datacite.addFault({ match: { method }, times, fault });
  }
}

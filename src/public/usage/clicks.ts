import { hash } from "node:crypto";
import type { Agents } from "./agents.ts";

/** A successful request for a dataset, as the HTTP server has seen it. It is only in memory, and for a few seconds. */
export interface Use {
  /** When the request came, in milliseconds since 1970. */
  at: number;
  /** Until when it was in use; for a part of a file the end of the response, otherwise `at`. */
  until: number;
  address: string;
  userAgent: string;
  dataset: string;
  version: number;
  /** `request` for content, `investigation` for information about it. A request counts as both. */
  kind: UseKind;
  /** What was used, as in `file data/a.csv`. Only a repeated use of the same is a double click. */
  item: string;
}

export type UseKind = "investigation" | "request";

/** How a dataset is used: by people with a browser, or by programs. */
export const ACCESS_METHODS = ["regular", "machine"] as const;
export type AccessMethod = (typeof ACCESS_METHODS)[number];

/** Uses that are so close together that they count once. It names neither an address nor a user agent. */
export interface Click {
  /** Identifies reader and item while the salt exists. */
  key: Buffer;
  first: number;
  last: number;
  dataset: string;
  version: number;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  access: AccessMethod;
  kind: UseKind;
  /** Identify the reader's session with the version and the dataset, for unique counts. */
  sessions: Sessions;
  /** End of the session, in milliseconds since 1970. */
  sessionEnd: number;
}

/** Keys that are new if the use is the first one of its kind in the session. */
export type Sessions = Record<"versionInvestigation" | "datasetInvestigation", Buffer> &
  Partial<Record<"versionRequest" | "datasetRequest", Buffer>>;

/** COUNTER R5.1, section 7.2: uses of the same item within 30 seconds are double clicks. */
export const DOUBLE_CLICK_MS = 30_000;
const HOUR_MS = 3_600_000;
const KEY_BYTES = 16;

/**
 * The click of a use; undefined for robots. Its keys are hashes with a salt, so that they do not reveal the reader once the
 * salt is deleted. Sessions are those of COUNTER R5.1, section 7.4: a reader and an hour (UTC).
 */
export function clickOf(use: Use, salt: Buffer, agents: Agents): Click | undefined {
  const access = agents.kindOf(use.userAgent);
  if (access === "robot") return undefined;
  const { at, until, dataset, version, kind } = use;
  const keyOf = keysFor(salt, `${use.address}\0${use.userAgent}`);
  const hour = Math.floor(at / HOUR_MS);
  const session = (of: UseKind, what: string) => keyOf(`${of} ${hour} ${dataset} ${what}`);
  return {
    key: keyOf(`click ${dataset} ${version} ${use.item}`),
    first: at,
    last: until,
    dataset,
    version,
    day: dayOf(at),
    access,
    kind,
    sessions: {
      versionInvestigation: session("investigation", String(version)),
      datasetInvestigation: session("investigation", "all"),
      ...(kind === "request" && {
        versionRequest: session("request", String(version)),
        datasetRequest: session("request", "all"),
      }),
    },
    sessionEnd: (hour + 1) * HOUR_MS,
  };
}

/** The day of a time in UTC, `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Hashes of the reader with something else. The reader is hashed first, so that its text cannot imitate the rest. */
function keysFor(salt: Buffer, reader: string): (what: string) => Buffer {
  const salted = `${salt.toString("base64")} ${hash("sha256", `${salt.toString("base64")} ${reader}`, "base64")}`;
  return (what) => hash("sha256", `${salted} ${what}`, "buffer").subarray(0, KEY_BYTES);
}

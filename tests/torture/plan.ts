import {
  type ChaosFault,
  type ChaosPlan,
  type ChaosRule,
  type PutOptions,
  seededRandom,
} from "../../packages/s3-test-server/src/index.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";

/** How the life of one process ends. All but the last end badly. */
export type ProcessEnd =
  /** SIGKILL after so long, from the moment when it is spawned: starting and recovering are hit, too. */
  | { kind: "kill"; afterMs: number }
  | { kind: "terminate"; afterMs: number }
  /** SIGKILL at the nth call that makes something durable, counted from when it listens. */
  | { kind: "kill at call"; number: number }
  /** System calls fail for a while, each thread’s every nth; then SIGKILL. */
  | { kind: "failing calls"; calls: string[]; error: string; when: string; forMs: number };

/** One run, wholly told by data: seed and number give the same plan every time. */
export interface Plan {
  seed: string;
  run: number;
  objects: { key: string; size: number; options: PutOptions }[];
  /** Keys a page of the listing. */
  pageLimit: number;
  chaos: ChaosPlan;
  deaths: ProcessEnd[];
  /** How often unreadable objects are tried again before they are excluded. */
  retries: number;
}

const MOST_OBJECTS = 120;
const LARGE_BYTES = 20_000_000;

export function planOf(seed: string, run: number, options: { strace: boolean }): Plan {
  const roll = new SeededRandom(seed, run);
  return {
    seed,
    run,
    objects: objectsOf(roll),
    pageLimit: roll.oneOf([3, 10, 50, 1000]),
    chaos: { seed: `${seed} ${run}`, rules: Array.from({ length: roll.upTo(4) }, () => ruleOf(roll)) },
    deaths: Array.from({ length: roll.upTo(3) }, () => processEndOf(roll, options.strace)),
    retries: roll.upTo(2),
  };
}

/** Throws dice one after the other; the nth throw of a seed and a run is always the same. */
class SeededRandom {
  readonly #seed: string;
  readonly #run: number;
  #throws = 0;

  constructor(seed: string, run: number) {
    this.#seed = seed;
    this.#run = run;
  }

  next(): number {
    return seededRandom(this.#seed, this.#run, this.#throws++);
  }

  /** A whole number from 0 to, and including, a most one. */
  upTo(most: number): number {
    return Math.floor(this.next() * (most + 1));
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.upTo(choices.length - 1)] as T;
  }
}

function objectsOf(roll: SeededRandom): Plan["objects"] {
  const count = 1 + roll.upTo(roll.oneOf([3, 30, MOST_OBJECTS]));
  const objects: Plan["objects"] = [];
  for (let i = 0; i < count; i++) {
    const key = roll.next() < 0.15 ? roll.oneOf(oddKeys) : `folder-${roll.upTo(4)}/object-${i}`;
    const isLarge = roll.next() < 0.02;
    const size = isLarge ? roll.upTo(LARGE_BYTES) : roll.upTo(roll.oneOf([0, 10, 5_000, 1_200_000]));
    objects.push({ key, size, options: optionsOf(roll) });
  }
  // One that can be read has to be left.
  objects.push({ key: "always-there", size: 11, options: {} });
  return objects;
}

/** Every object has a digest that can be compared; without one, a flipped bit would not be detectable. */
function optionsOf(roll: SeededRandom): PutOptions {
  const at = roll.next();
  if (at < 0.7) return {};
  if (at < 0.8) return { checksum: roll.oneOf(["crc64nvme", "sha256", "crc32c", "sha1", "crc32"] as const) };
  if (at < 0.9) return { partSize: 5 * 2 ** 20 };
  if (at < 0.97) return { contentEncoding: "gzip", metadata: { camera: "north" } };
  return { storageClass: "GLACIER" };
}

/** Read faults end after some attempts; changes of the bucket are permanent. */
function ruleOf(roll: SeededRandom): ChaosRule {
  const reads: ChaosFault[] = [
    { kind: "reset" },
    { kind: "reset in body" },
    { kind: "silence", milliseconds: 300 },
    { kind: "silence in body", milliseconds: 300 },
    { kind: "head in pieces", milliseconds: 20 },
    { kind: "status", status: 500, code: "InternalError" },
    { kind: "status", status: 503, code: "SlowDown", retryAfter: 1 },
    { kind: "status", status: 403, code: "AccessDenied" },
    { kind: "flipped bit" },
    { kind: "wrong length", by: -1 },
    { kind: "wrong length", by: 7 },
    { kind: "short without length" },
    { kind: "html" },
    { kind: "error in 200" },
    { kind: "content-encoding gzip" },
    { kind: "overwritten" },
    { kind: "deleted" },
    { kind: "added" },
    { kind: "key revoked" },
  ];
  const lists: ChaosFault[] = [
    { kind: "reset" },
    { kind: "reset in body" },
    { kind: "status", status: 500, code: "InternalError" },
    { kind: "status", status: 503, code: "SlowDown" },
    { kind: "html" },
    { kind: "nothing" },
    { kind: "json" },
    { kind: "error in 200" },
    { kind: "truncated" },
    { kind: "repeated token" },
  ];
  const isList = roll.next() < 0.25;
  const fault = roll.oneOf(isList ? lists : reads);
  const isForGood = ["overwritten", "deleted", "added", "key revoked"].includes(fault.kind);
  const share = isForGood ? 0.03 : roll.oneOf([0.02, 0.05, 0.2, 0.5]);
  return {
    match: { operation: isList ? "list" : "get", first: isForGood ? 1 : 1 + roll.upTo(5) },
    share,
    fault,
  };
}

function processEndOf(roll: SeededRandom, strace: boolean): ProcessEnd {
  const at = roll.next();
  if (strace && at < 0.35) return { kind: "kill at call", number: 1 + roll.upTo(80) };
  if (strace && at < 0.5) {
    const calls = roll.oneOf([["pwrite64"], ["fsync", "fdatasync", "syncfs"], ["rename"], ["mkdir"]]);
    const error = roll.oneOf(["ENOSPC", "EIO", "EROFS", "EMFILE"]);
    return { kind: "failing calls", calls, error, when: `${1 + roll.upTo(20)}+${1 + roll.upTo(9)}`, forMs: 1_500 };
  }
  if (at < 0.6) return { kind: "terminate", afterMs: 500 + roll.upTo(4_000) };
  return { kind: "kill", afterMs: 200 + roll.upTo(5_000) };
}

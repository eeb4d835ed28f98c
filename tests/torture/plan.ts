import {
  type ChaosFault,
  type ChaosPlan,
  type ChaosRule,
  type PutOptions,
  seededRandom,
} from "../../packages/s3-test-server/src/index.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { filesOf, type PlannedFile } from "./uploads/upload-plan.ts";

/** How a process is ended. Only the last process of a run ends normally. */
export type ProcessEnd =
  /** SIGKILL after a time since its creation, so that start and recovery are interrupted too. */
  | { kind: "kill"; afterMs: number }
  | { kind: "terminate"; afterMs: number }
  /** SIGKILL at the nth call that makes data durable, counted from the moment when it listens. */
  | { kind: "kill at call"; number: number }
  /** System calls of each thread fail at regular intervals for some time; then SIGKILL. */
  | { kind: "failing calls"; calls: string[]; error: string; when: string; forMs: number };

/** A run as data. The same seed and number always give the same plan. */
export interface Plan {
  seed: string;
  run: number;
  objects: { key: string; size: number; options: PutOptions }[];
  /** Files of an upload, which is the source instead of a bucket. */
  files?: PlannedFile[];
  /** Keys per page of the listing. */
  pageLimit: number;
  chaos: ChaosPlan;
  processEnds: ProcessEnd[];
  /** Number of retries of unreadable objects before they are excluded. */
  retries: number;
}

const MOST_OBJECTS = 120;
const LARGE_BYTES = 20_000_000;

/** @param options `uploads`: the source is an upload instead of a bucket */
export function planOf(seed: string, run: number, options: { strace: boolean; uploads: boolean }): Plan {
  const random = new SeededRandom(seed, run);
  const { strace, uploads } = options;
  if (uploads) {
    const files = filesOf(random);
    const processEnds = Array.from({ length: random.upTo(4) }, () => processEndOf(random, { strace, calls: 160 }));
    return {
      ...{ seed, run, files, processEnds },
      objects: [],
      pageLimit: 1_000,
      chaos: { seed, rules: [] },
      retries: 0,
    };
  }
  return {
    seed,
    run,
    objects: objectsOf(random),
    pageLimit: random.oneOf([3, 10, 50, 1000]),
    chaos: { seed: `${seed} ${run}`, rules: Array.from({ length: random.upTo(4) }, () => ruleOf(random)) },
    processEnds: Array.from({ length: random.upTo(3) }, () => processEndOf(random, { strace, calls: 80 })),
    retries: random.upTo(2),
  };
}

/** Pseudo-random numbers. The nth number of a seed and a run is always the same. */
export class SeededRandom {
  readonly #seed: string;
  readonly #run: number;
  #count = 0;

  constructor(seed: string, run: number) {
    this.#seed = seed;
    this.#run = run;
  }

  next(): number {
    return seededRandom(this.#seed, this.#run, this.#count++);
  }

  /** A whole number from 0 to `most`, inclusive. */
  upTo(most: number): number {
    return Math.floor(this.next() * (most + 1));
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.upTo(choices.length - 1)] as T;
  }
}

function objectsOf(random: SeededRandom): Plan["objects"] {
  const count = 1 + random.upTo(random.oneOf([3, 30, MOST_OBJECTS]));
  const objects: Plan["objects"] = [];
  for (let i = 0; i < count; i++) {
    const key = random.next() < 0.15 ? random.oneOf(oddKeys) : `folder-${random.upTo(4)}/object-${i}`;
    const isLarge = random.next() < 0.02;
    const size = isLarge ? random.upTo(LARGE_BYTES) : random.upTo(random.oneOf([0, 10, 5_000, 1_200_000]));
    objects.push({ key, size, options: optionsOf(random) });
  }
  // At least one object must be readable.
  objects.push({ key: "always-there", size: 11, options: {} });
  return objects;
}

/** Every object has a digest that can be compared; without one, a flipped bit would not be detectable. */
function optionsOf(random: SeededRandom): PutOptions {
  const at = random.next();
  if (at < 0.7) return {};
  if (at < 0.8) return { checksum: random.oneOf(["crc64nvme", "sha256", "crc32c", "sha1", "crc32"] as const) };
  if (at < 0.9) return { partSize: 5 * 2 ** 20 };
  if (at < 0.97) return { contentEncoding: "gzip", metadata: { camera: "north" } };
  return { storageClass: "GLACIER" };
}

/** Read faults end after some attempts; changes of the bucket are permanent. */
function ruleOf(random: SeededRandom): ChaosRule {
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
  const isList = random.next() < 0.25;
  const fault = random.oneOf(isList ? lists : reads);
  const isPermanent = ["overwritten", "deleted", "added", "key revoked"].includes(fault.kind);
  const share = isPermanent ? 0.03 : random.oneOf([0.02, 0.05, 0.2, 0.5]);
  return {
    match: { operation: isList ? "list" : "get", first: isPermanent ? 1 : 1 + random.upTo(5) },
    share,
    fault,
  };
}

/** @param calls so many calls of a process make data durable */
function processEndOf(random: SeededRandom, { strace, calls: most }: { strace: boolean; calls: number }): ProcessEnd {
  const at = random.next();
  if (strace && at < 0.35) return { kind: "kill at call", number: 1 + random.upTo(most) };
  if (strace && at < 0.5) {
    const calls = random.oneOf([["pwrite64"], ["fsync", "fdatasync", "syncfs"], ["rename"], ["mkdir"]]);
    const error = random.oneOf(["ENOSPC", "EIO", "EROFS", "EMFILE"]);
    return { kind: "failing calls", calls, error, when: `${1 + random.upTo(20)}+${1 + random.upTo(9)}`, forMs: 1_500 };
  }
  if (at < 0.6) return { kind: "terminate", afterMs: 500 + random.upTo(4_000) };
  return { kind: "kill", afterMs: 200 + random.upTo(5_000) };
}

import { oddKeys } from "../../support/data-source/odd-keys.ts";
import type { SeededRandom } from "../plan.ts";

/** A file that is sent to the service, and what happens to it on the way. */
export interface PlannedFile {
  path: string;
  size: number;
  /** Whether the client states its SHA-512. */
  hasDigest: boolean;
  /** Sent in a batch, or by the tus protocol in requests of this many bytes. */
  by: "batch" | { requestBytes: number };
  /** Requests (by number, from 0) whose connection is cut in the middle. */
  cut: number[];
  /**
   * `damaged`: other bytes are sent first, which do not have the digest. `replaced`: a file with other bytes is sent first, and deleted when
   * it is complete. `twice`: two clients send it at the same time.
   */
  fate: "sent" | "damaged" | "replaced" | "twice";
}

const LARGE_BYTES = 12_000_000;

/** The files of a run with an upload as the source. */
export function filesOf(random: SeededRandom): PlannedFile[] {
  const count = 1 + random.upTo(random.oneOf([3, 30, 90]));
  const files = new Map<string, PlannedFile>();
  for (let i = 0; i < count; i++) {
    const path = random.next() < 0.15 ? random.oneOf(oddPaths) : `folder-${random.upTo(4)}/file-${i}`;
    files.set(path, fileOf(random, path));
  }
  return [...files.values()];
}

/** The odd keys that a file of an upload may have. */
const oddPaths = oddKeys.filter(
  (key) =>
    Buffer.byteLength(key) <= 1_024 &&
    !/\p{Cc}/u.test(key) &&
    !key.split("/").some((name) => ["", ".", ".."].includes(name)),
);

function fileOf(random: SeededRandom, path: string): PlannedFile {
  const isLarge = random.next() < 0.03;
  const size = isLarge ? random.upTo(LARGE_BYTES) : random.upTo(random.oneOf([0, 10, 5_000, 900_000]));
  const isBatched = size < 200_000 && random.next() < 0.5;
  const requestBytes = Math.max(1, Math.ceil(size / (1 + random.upTo(4))));
  const cut = [0, 1, 2].filter(() => random.next() < 0.15);
  const hasDigest = random.next() < 0.8;
  const fates = [
    "sent",
    "sent",
    "sent",
    ...(isBatched || !hasDigest || size === 0 ? [] : (["damaged", "replaced", "twice"] as const)),
  ] as const;
  return { path, size, hasDigest, by: isBatched ? "batch" : { requestBytes }, cut, fate: random.oneOf(fates) };
}

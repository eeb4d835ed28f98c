import { oddKeys } from "../../support/data-source/odd-keys.ts";
import type { SeededRandom } from "../plan.ts";

/** A file that is sent to the service, and what happens to it on the way. */
export interface PlannedFile {
  path: string;
  size: number;
  /** When the client states its SHA-512: with the file, when it has arrived, or never. */
  digest: "stated" | "later" | "none";
  /** Sent in a batch, or by the tus protocol: in requests of this many bytes, or in this many parts at the same time, which are joined. */
  by: "batch" | { requestBytes: number } | { parts: number };
  /** Requests (by number, from 0) whose connection is cut in the middle. */
  cut: number[];
  /**
   * `damaged`: other bytes are sent first, which do not have the digest. `replaced`: a file with other bytes is sent first, and deleted when
   * it is complete. `twice`: two clients send it at the same time.
   */
  fate: "sent" | "damaged" | "replaced" | "twice";
}

const LARGE_BYTES = 12_000_000;
/** The service records bytes of a request several times. */
const HUGE_BYTES = 220_000_000;

/** The files of a run with an upload as the source. */
export function filesOf(random: SeededRandom): PlannedFile[] {
  const count = 1 + random.upTo(random.oneOf([3, 30, 90]));
  const files = new Map<string, PlannedFile>();
  for (let i = 0; i < count; i++) {
    const path = random.next() < 0.15 ? random.oneOf(oddPaths) : `folder-${random.upTo(4)}/file-${i}`;
    files.set(path, fileOf(random, path));
  }
  if (random.next() < 0.07) files.set("huge", { ...fileOf(random, "huge"), ...hugeIn(random) });
  return [...files.values()];
}

/** A file that is sent in few requests. */
function hugeIn(random: SeededRandom): Partial<PlannedFile> {
  const size = random.upTo(HUGE_BYTES);
  return { size, by: { requestBytes: Math.ceil(size / (1 + random.upTo(1))) + 1 }, fate: "sent" };
}

/** The odd keys that a file of an upload may have. */
const oddPaths = oddKeys.filter(
  (key) =>
    Buffer.byteLength(key) <= 1_024 &&
    !/\p{Cc}/u.test(key) &&
    !key.split("/").some((name) => ["", ".", ".."].includes(name)),
);

function fileOf(random: SeededRandom, path: string): PlannedFile {
  const size = sizeOf(random);
  const by = methodOf(random, size);
  const cut = [0, 1, 2].filter(() => random.next() < 0.15);
  const digest = random.oneOf(["stated", "stated", "stated", "later", "none"] as const);
  const mayBeOther = typeof by === "object" && "requestBytes" in by && digest === "stated" && size > 0;
  const fates: PlannedFile["fate"][] = ["sent", "sent", "sent"];
  if (mayBeOther) fates.push("damaged", "replaced", "twice");
  return { path, size, digest, by, cut, fate: random.oneOf(fates) };
}

function sizeOf(random: SeededRandom): number {
  const kind = random.next();
  if (kind < 0.03) return random.upTo(LARGE_BYTES);
  return random.upTo(random.oneOf([0, 10, 5_000, 900_000]));
}

function methodOf(random: SeededRandom, size: number): PlannedFile["by"] {
  if (size < 200_000 && random.next() < 0.5) return "batch";
  const requests = 1 + random.upTo(4);
  return random.next() < 0.2 ? { parts: requests } : { requestBytes: Math.max(1, Math.ceil(size / requests)) };
}

import { Problem } from "../../domain/problems.ts";
import type { ArchiveStore } from "../store.ts";

/** Anyone may request probes, and an object store charges for requests. */
const AGE_MS = 2_000;
/** Probes and monitoring wait for few seconds. */
const TIMEOUT_MS = 4_000;

/**
 * Returns a function that tells what is wrong with the archive: it cannot be reached, or is not the one that was opened.
 * Undefined if nothing is wrong. The answer is at most {@link AGE_MS} old.
 */
export function archiveProblemOf(store: Pick<ArchiveStore, "proveSame">): () => Promise<Problem | undefined> {
  let latest: Promise<Problem | undefined> | undefined;
  let at = 0;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - at >= AGE_MS) {
      at = now;
      latest = check(store);
    }
    return latest;
  };
}

async function check(store: Pick<ArchiveStore, "proveSame">): Promise<Problem | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<Problem>();
  const timer = setTimeout(() => resolve(new Problem("archive_unwritable", "The archive does not answer")), TIMEOUT_MS);
  try {
    return await Promise.race([store.proveSame().then(() => undefined), late]);
  } catch (error) {
    return error instanceof Problem
      ? error
      : new Problem("archive_unwritable", "The archive cannot be read", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

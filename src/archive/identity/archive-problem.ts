import { Problem } from "../../domain/problems.ts";
import type { ArchiveStore } from "../store.ts";

/** Anyone may request probes, and an object store charges for requests. */
const AGE_MS = 2_000;
/** Probes and monitoring wait for few seconds. */
const TIMEOUT_MS = 4_000;

/**
 * Returns a function that tells what is wrong with the archive: it cannot be reached, or is not the one that was opened.
 * Undefined if nothing is wrong. The answer is at most {@link AGE_MS} old.
 *
 * There is only one proof at a time: on a file system that hangs, each one occupies a thread of Node.js until it ends, and the
 * process has four of them.
 */
export function archiveProblemOf(store: Pick<ArchiveStore, "proveSame">): () => Promise<Problem | undefined> {
  let proof: Promise<Problem | undefined> | undefined;
  let answer: Promise<Problem | undefined> | undefined;
  let at = 0;
  return () => {
    const now = performance.now();
    if (answer === undefined || now - at >= AGE_MS) {
      at = now;
      proof ??= prove(store).finally(() => {
        proof = undefined;
      });
      answer = inTime(proof);
    }
    return answer;
  };
}

async function prove(store: Pick<ArchiveStore, "proveSame">): Promise<Problem | undefined> {
  try {
    await store.proveSame();
    return undefined;
  } catch (error) {
    return error instanceof Problem
      ? error
      : new Problem("archive_unwritable", "The archive cannot be read", { cause: error });
  }
}

async function inTime(proof: Promise<Problem | undefined>): Promise<Problem | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<Problem>();
  const timer = setTimeout(() => resolve(new Problem("archive_unwritable", "The archive does not answer")), TIMEOUT_MS);
  try {
    return await Promise.race([proof, late]);
  } finally {
    clearTimeout(timer);
  }
}

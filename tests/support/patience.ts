import { vi } from "vitest";

/**
 * How long a test waits for a state, in milliseconds. It ends tests that would wait for ever, and says nothing about speed:
 * a busy machine may need most of it.
 */
const PATIENCE_MS = 180_000;

/** The files of a worker share `vi`, and each of them loads this module. */
const shared: typeof vi & { isPatient?: boolean } = vi;

// `expect.poll` has a setting for this, in vitest.config.ts; `vi.waitUntil` and `vi.waitFor` give up after a second.
if (!shared.isPatient) {
  const { waitUntil, waitFor } = vi;
  const patient = <Options extends object>(options: number | Options | undefined) =>
    typeof options === "number" ? options : { timeout: PATIENCE_MS, ...options };
  vi.waitUntil = (check, options) => waitUntil(check, patient(options));
  vi.waitFor = (check, options) => waitFor(check, patient(options));
  shared.isPatient = true;
}

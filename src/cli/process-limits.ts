import { readFileSync } from "node:fs";
import { Failure } from "./failure.ts";
import { show } from "./text.ts";

/** The embedded database has about a hundred files open, and connections to sources and callers come on top. */
const OPEN_FILES = 256;
const OWN_RIGHTS = 0o700;

/**
 * Makes sure that the process can work at all: it may open enough files, and may use the files and folders that it makes
 * itself, whatever umask it was started with.
 *
 * @throws Failure 1 that says which limit to raise
 */
export function prepareProcess(): void {
  process.umask(process.umask() & ~OWN_RIGHTS);
  const limit = openFilesLimit();
  if (limit >= OPEN_FILES) return;
  throw new Failure(
    1,
    show`The process may open only ${limit} files, and ${OPEN_FILES} are needed at least: “ulimit -n 4096” in the shell raises the limit, or LimitNOFILE=65536 in a unit of systemd.`,
  );
}

/** Infinity where the system does not say it. Node has raised the soft limit to the hard one by now. */
function openFilesLimit(): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    // Without /proc the limit is unknown; the system reports an error when it is reached.
    return Number.POSITIVE_INFINITY;
  }
}

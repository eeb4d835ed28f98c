import { rmSync } from "node:fs";
import { INTERRUPTED } from "./failure.ts";

/**
 * Works with a file or folder that is not to outlive the work: it is removed when the work is done, when it fails, and
 * when the program is interrupted meanwhile, which this then ends.
 */
export async function withTemporary<T>(path: string, work: () => Promise<T>): Promise<T> {
  const remove = () => rmSync(path, { recursive: true, force: true });
  const interrupted = () => {
    remove();
    process.exit(INTERRUPTED);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    return await work();
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    remove();
  }
}

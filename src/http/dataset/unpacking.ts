import { UnpackedNames, type Unpacking } from "../../domain/keys-and-paths/unpacking.ts";
import type { HttpContext } from "../context.ts";
import { filesOf, PAYLOAD } from "./files.ts";
import type { Version } from "./readable-version.ts";

/** The names of this number of files are examined at once. */
const QUICK = 10_000;

/** Whether all files of a version can be examined within a request for something else. */
export function isSmall({ objects }: Version): boolean {
  return objects <= QUICK;
}

/** The files of a version whose names are not possible on every system. They are examined once, and kept in memory. */
export function unpackingOf(context: HttpContext, version: Version): Promise<Unpacking> {
  return context.archived.unpacking(version.submission, isSmall(version), async () => {
    const names = new UnpackedNames();
    for await (const files of filesOf(context, version, { prefix: PAYLOAD })) {
      for (const { path } of files) names.take(path);
      if (names.isFull) break;
    }
    return names.result();
  });
}

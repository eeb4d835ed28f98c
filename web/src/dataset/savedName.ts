import { nameOf } from "./browse.ts";

/**
 * The name under which browsers save a file: they put an underscore for what a file system may not take, and leave out dots
 * and spaces at either end.
 */
export function savedName(path: string): string {
  return nameOf(path)
    .replaceAll(/[\p{Cc}\p{Cf}"*/:<>?\\|~]/gu, "_")
    .replaceAll(/^[\s.]+|[\s.]+$/g, "");
}

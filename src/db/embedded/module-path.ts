import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a module of this folder, as it runs: from its source, or built. */
export function modulePath(name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));
}

import { join } from "node:path";
import { writeDurably } from "../durable.ts";

/**
 * Writes `0=ocfl_object_1.1`, the file that makes a folder an OCFL object (OCFL 1.1, section 3.3), durably.
 * Idempotent. On stores that publish file by file it comes last but the inventory.
 */
export async function writeObjectDeclaration(objectFolder: string): Promise<void> {
  await writeDurably(join(objectFolder, "0=ocfl_object_1.1"), "ocfl_object_1.1\n");
}

import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/**
 * Writes files whose text is made from something else, by their paths in the project. With the argument `--check`
 * nothing is written: a file that is not as it would be written is named, with the command that writes it, and the exit
 * code is 1.
 */
export function writeGenerated(command: string, files: Record<string, string>): void {
  const isCheck = process.argv.includes("--check");
  for (const [path, text] of Object.entries(files)) {
    const file = new URL(path, root);
    if (!isCheck) writeFileSync(file, text);
    else if (onDisk(file) !== text) {
      console.error(`${path} is not what its source says; run “${command}”`);
      process.exitCode = 1;
    }
  }
}

function onDisk(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

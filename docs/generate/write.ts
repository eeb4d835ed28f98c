import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/**
 * Writes generated files, by their paths in the project. With the argument `--check` it writes nothing, names each file that
 * differs and the command that writes it, and sets the exit code to 1.
 */
export function writeGenerated(command: string, files: Record<string, string>): void {
  const isCheck = process.argv.includes("--check");
  for (const [path, text] of Object.entries(files)) {
    const file = new URL(path, root);
    if (!isCheck) writeFileSync(file, text);
    else if (onDisk(file) !== text) {
      console.error(`${path} is not up to date; run “${command}”`);
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

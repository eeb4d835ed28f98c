import { readFile } from "node:fs/promises";

/** Which program this is. */
export interface Build {
  /** `version` of package.json. */
  version: string;
  /** The commit from which it was built; null for the sources, and if the build did not know it. */
  commit: string | null;
}

/** Reads which program this is. `npm run build` writes the commit to `build.json`. */
export async function readBuild(): Promise<Build> {
  const { version } = JSON.parse(await readFile(new URL(import.meta.resolve("#package")), "utf8")) as Build;
  const built = await readFile(new URL("../../build.json", import.meta.url), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return `{"commit":null}`;
    },
  );
  return { version, commit: (JSON.parse(built) as Build).commit };
}

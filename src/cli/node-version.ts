/** The first version with `import.meta.main`, without which the command would do nothing and succeed. */
const NEEDED = [24, 2] as const;

/** What to do if this version of Node.js is too old; undefined if it is not. @param version such as `24.2.0` */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return undefined;
  return `accession needs Node.js ${NEEDED.join(".")} or newer, and this is ${version}. Install it from https://nodejs.org/en/download`;
}

const problem = nodeVersionProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

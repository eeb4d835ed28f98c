import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "accession-project-"));
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Packs a package of the checkout into the project. */
async function pack(...what: string[]): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", project, ...what], { cwd: root });
  return `./${stdout.trim().split("\n").at(-1)}`;
}

interface Package {
  name: string;
  /** Dependencies of the package, which the checkout has installed. */
  needs: string[];
  /** Prints {@link Package.prints}. */
  program: string;
  prints: string;
}

const packages: Package[] = [
  {
    name: "client",
    needs: ["eventsource-parser", "openapi-fetch", "openapi-typescript-helpers"],
    program: "import * as client from '@accession/client'; console.log(Object.keys(client).sort().join(' '))",
    prints:
      "AnswerTooLongError ProblemError RepeatedPageError UnexpectedAnswerError checkBucket createClient follow isOver isPathInside " +
      "isSettled isTagFileOfBag layoutOf limitedFetch listen nextCursor orThrow pages pathInCopy timeLimit timeoutError waitFor watch",
  },
  {
    name: "datacite-test-server",
    needs: [],
    program: `
      import { startDataciteServer } from '@accession/datacite-test-server';
      const server = await startDataciteServer();
      console.log((await fetch(server.url + '/heartbeat')).status, (await fetch(server.url + '/dois/10.5072/x')).status);
      await server.close();`,
    prints: "200 404",
  },
  {
    name: "rules",
    needs: [],
    program:
      "import { canonicalOrcid, isMetadataFixed } from '@accession/rules'; console.log(canonicalOrcid('0000000218250097'), isMetadataFixed('approved'))",
    prints: "0000-0002-1825-0097 true",
  },
  {
    name: "s3-test-server",
    needs: [],
    program: `
      import { fillDemoBucket, startS3Server } from '@accession/s3-test-server';
      const server = await startS3Server();
      server.createBucket('open', { public: true });
      server.put('open', 'a.txt', 'hello');
      const answer = await fetch(server.endpoint + '/open/a.txt');
      console.log(answer.status, await answer.text(), fillDemoBucket(server).bucket);
      await server.close();`,
    prints: "200 hello demo-field-trial",
  },
];

test.each(packages)(
  "$name is packed, installed in an empty project, and used there by plain Node",
  { tags: "extended" },
  async ({ name, needs, program, prints }) => {
    const tarball = await pack("--workspace", `@accession/${name}`);
    const needed = await Promise.all(needs.map((needs) => pack("--ignore-scripts", `./node_modules/${needs}`)));
    await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...needed, tarball], { cwd: project });
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: project });
    expect(stdout.trim()).toBe(prints);
    const files = await readdir(join(project, "node_modules/@accession", name));
    expect(files.toSorted()).toEqual(["LICENSE", "README.md", "dist", "package.json", "src"]);
  },
);

// Its package is the last one that was installed.
test("the S3 test server has a command", { tags: "extended" }, async () => {
  const { stdout } = await run(join(project, "node_modules/.bin/s3-test-server"), ["--help"]);
  expect(stdout).toContain("Usage: s3-test-server");
});

test("the built service contains the packages that it uses", {
  tags: "extended",
  timeout: 120_000,
}, async () => {
  const built = join(project, "built");
  await mkdir(join(built, "node_modules"), { recursive: true });
  await run(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json", "--outDir", join(built, "dist")], {
    cwd: root,
  });
  await run("npm", ["run", "--silent", "schemas", join(built, "dist")], { cwd: root });
  await copyFile(join(root, "package.json"), join(built, "package.json"));
  for (const name of await readdir(join(root, "node_modules"))) {
    if (name !== "@accession") await symlink(join(root, "node_modules", name), join(built, "node_modules", name));
  }
  const accession = (...args: string[]) =>
    run(process.execPath, [join(built, "dist/src/cli/accession.js"), ...args], {
      env: { PATH: process.env.PATH, ACCESSION_URL: "http://127.0.0.1:9", ACCESSION_DATA: join(project, "data") },
    });
  await expect(accession("list")).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining("127.0.0.1:9") });
  await expect(accession("watch", "x")).rejects.toMatchObject({ code: 3 });
  const { stdout } = await accession("demo", "--exit");
  expect(stdout).toContain("demo-field-trial");
  const validator = join(built, "dist/src/describe/formats/datacite/schema-violations.js");
  const validate = `const { schemaViolations } = await import(${JSON.stringify(validator)});
    console.log((await schemaViolations("<resource/>"))[0].message);`;
  const { stdout: violation } = await run(process.execPath, ["--input-type=module", "--eval", validate]);
  expect(violation).toContain("resource");
  // Tests and their servers are not included.
  expect(await readdir(join(built, "dist"))).toEqual(["packages", "src"]);
});

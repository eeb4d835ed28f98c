import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { placesOf } from "../../docs/generate/places.ts";
import { anchorOf } from "../../docs/generate/schemas.ts";
import { fallbackContentPath, naturalContentPath } from "../../src/archive/content-path.ts";
import type { ObjectRecord } from "../../src/db/chunks/objects.ts";
import { checkMetadata } from "../../src/describe/metadata/check.ts";
import { Author } from "../../src/describe/metadata/schema.ts";
import { isPlainKey, keyOf, markerFor, pathOf } from "../../src/domain/keys-and-paths/path.ts";
import { catalogue } from "../../src/domain/problems.ts";
import { compileGlob } from "../../src/domain/submission/glob.ts";
import { clientSettings, settings } from "../../src/platform/config/settings.ts";
import { traceSettings } from "../../src/platform/config/traces.ts";
import { CHECK_CODES } from "../../src/publication/rules/checks.ts";
import { CHUNK_BYTES, CHUNK_OBJECTS } from "../../src/steps/list/record.ts";
import { manifestLine } from "../../src/steps/seal/contents.ts";
import { lacks, skipNote, whereIs } from "../support/tools.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: read(file) }));

test.each(["docs/glossary.md", "docs/operating.md", "ARCHITECTURE.md"])("%s states the size of a chunk", (page) => {
  const { alone, shared } = CHUNK_OBJECTS;
  const sizes = [alone.toLocaleString("en"), `${shared} on PostgreSQL`, `${CHUNK_BYTES / 2 ** 20} MiB`];
  const stated = read(page)
    .replace(/\s+/g, " ")
    .match(/[\d,]+ objects[ (,]+\d+ on PostgreSQL[), ]+or \d+ MiB/g);
  expect(stated, page).toHaveLength(1);
  for (const size of sizes) expect(stated?.[0]).toContain(size);
});

test.each([
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "README.md",
  "tests/README.md",
  ...globSync("docs/**/*.md", { cwd: root }),
])("the files of the code that %s names exist", (page) => {
  const named = [...read(page).matchAll(/`((?:src|web|packages|tests|docs|bench)\/[\w./-]+)`/g)].map(
    ([, file = ""]) => file,
  );
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

describe("docs/errors.md and docs/configuration.md", () => {
  // `npm run check` does the same.
  test("match their sources; otherwise run “npm run docs”", { tags: "extended" }, () => {
    execFileSync(process.execPath, [join(root, "docs/generate.ts"), "--check"], { stdio: "pipe" });
  });

  test("contain every code and every setting once", () => {
    const rowsOf = (file: string) => [...read(file).matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name);
    expect(rowsOf("docs/errors.md")).toEqual(Object.keys(catalogue));
    const [own, clients] = [settings, clientSettings].map((table) => table.map(({ name }) => `ACCESSION_${name}`));
    const names = [...(own ?? []), ...traceSettings.map(({ name }) => name), ...(clients ?? [])];
    expect(rowsOf("docs/configuration.md")).toEqual(names);
  });
});

describe("the catalogue of errors", () => {
  test("has every code that is thrown or returned", () => {
    const unknown = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/new Problem\(\s*"([^"]+)"/g)].map(([, code = ""]) => `${file}: ${code}`),
    );
    expect(unknown.length).toBeGreaterThan(40);
    expect(unknown.filter((place) => !Object.hasOwn(catalogue, place.split(": ")[1] ?? ""))).toEqual([]);
  });

  test("has every code of remarks and members of responses", () => {
    // Codes of archive findings, and codes that the type checker already compares with the catalogue.
    const others = sources.filter(({ file }) => !/^src.(archive|cli)./.test(file));
    const named = others.flatMap(({ file, text }) =>
      [...text.matchAll(/\bcode: "([^"]+)"/g)].map(([, code = ""]) => `${file}: ${code}`),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((place) => !Object.hasOwn(catalogue, place.split(": ")[1] ?? ""))).toEqual([]);
  });

  test("has no unused code", () => {
    const all = sources.map(({ text }) => text).join("\n");
    const unused = Object.keys(catalogue).filter((code) => !new RegExp(`["'.]${code}\\b`).test(all));
    expect(unused).toEqual([]);
  });
});

describe("settings", () => {
  test("that are read or mentioned anywhere are in the table", () => {
    const known = new Set<string>([...settings, ...clientSettings].map(({ name }) => `ACCESSION_${name}`));
    const named = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/ACCESSION_[A-Z0-9_]*[A-Z0-9]/g)].map(([name]) => ({ file, name })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
  });

  test("are read from the environment only by src/platform/config and by client commands", () => {
    const readers = sources.filter(({ text }) => /process\.env\b/.test(text)).map(({ file }) => file);
    expect(readers.filter((file) => !/^src.(config|cli)./.test(file))).toEqual([]);
  });
});

/** Returns the anchor that GitHub generates for a heading. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) => anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")));
}

test("every anchor in a link exists", { tags: "extended" }, () => {
  const pages = [...globSync("*.md", { cwd: root }), ...globSync("docs/**/*.md", { cwd: root })];
  const lost = pages.flatMap((page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
    return links
      .filter(([, file, place = ""]) => !anchorsOf(file === "" ? page : join(page, "..", file ?? "")).includes(place))
      .map(([link]) => `${page}: ${link}`);
  });
  expect(pages.length).toBeGreaterThan(15);
  expect(lost).toEqual([]);
});

describe("docs/metadata.md", () => {
  const places = placesOf();
  /** Postal data, and a member that no format has a place for. */
  const nowhere = ["authors[].address", "authors[].zipCode", "authors[].city", "authors[].country", "contact.public"];

  test("every field has a location in DataCite and another format, except postal data and fields of the operator", () => {
    const formatsOf = (member: string) =>
      Object.entries(places.get(member) ?? {}).flatMap(([format, found]) => (found.length === 0 ? [] : [format]));
    for (const member of places.keys()) {
      if (nowhere.includes(member)) expect(formatsOf(member), member).toEqual([]);
      else if (member === "contact.email") {
        expect(formatsOf(member)).toEqual(["RO-Crate", "schema.org", "DCAT", "BibTeX", "RIS", "CSL-JSON"]);
      } else if (member === "fields") expect(formatsOf(member)).toEqual(["RO-Crate", "schema.org", "DCAT"]);
      else expect(formatsOf(member), member).toContain("DataCite");
    }
    expect(places.get("title")).toMatchObject({
      DataCite: ["titles.title"],
      "RO-Crate": ["Dataset.name"],
      RIS: ["TI"],
    });
  });

  /** The smallest entries that are accepted. */
  const entries: Record<string, object> = {
    authors: { role: "Creator", lastName: "Carberry" },
    titles: { title: "t" },
    subjectTerms: { subject: "s" },
    fundingReferences: { funderName: "f" },
    relatedIdentifiers: { relationType: "Cites" },
    dates: { dateType: "Created" },
    geoLocations: {},
  };

  /** Metadata in which the member at a path such as `dates[].date` has a value. */
  function metadataWith(path: string, value: string): object {
    const names = Object.hasOwn(Author.properties, path) && path !== "name" ? ["authors[]", path] : path.split(".");
    const point = { pointLatitude: 1, pointLongitude: 1 };
    const build = ([name = "", ...rest]: string[], base: object): object => {
      const member = name.replace("[]", "");
      const inner = member === "geoLocationPoint" ? point : (entries[member] ?? {});
      const content = rest.length === 0 ? value : build(rest, inner);
      return { ...base, [member]: name.endsWith("[]") ? [content] : content };
    };
    return build(names, { title: "t", authors: [entries.authors] });
  }

  test("states accepted and rejected values correctly", () => {
    const rows = [...read("docs/metadata.md").matchAll(/^\| `([\w.[\]]+)` +\| ([^|]*) \| (?:refused|kept|left)/gm)];
    const spans = rows.flatMap(([, member = "", taken = ""]) =>
      [...taken.matchAll(/`([^`]+)`/g)].map(([, value = ""]) => [member, value] as const),
    );
    const wrong = spans
      .filter(([member, value]) => member !== "authors" && !places.has(value) && !/Uri$/.test(value))
      .filter(([member, value]) => {
        const { errors, warnings } = checkMetadata(metadataWith(member, value));
        const name = member.split(".").at(-1) ?? "";
        return [...errors, ...warnings].some(({ pointer }) => pointer.endsWith(`/${name}`));
      });
    expect(spans.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test("names existing codes only", () => {
    const named = [...read("docs/metadata.md").matchAll(/(?:refused|warning):? ([^|\n]*)/g)];
    const codes = named.flatMap(([, text = ""]) => [...text.matchAll(/`([a-z]+_[a-z_]+|required)`/g)]);
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.map(([, code = ""]) => code).filter((code) => !isCode(code))).toEqual([]);
  });
});

/** Whether a code is one of a problem, or of an automatic check before publication. */
function isCode(code: string): boolean {
  return Object.hasOwn(catalogue, code) || (CHECK_CODES as readonly string[]).includes(code);
}

describe("docs/schemas.md", () => {
  test("describes every member", () => {
    const silent = [...read("docs/schemas.md").matchAll(/^\| `(\w+)` .*\| +\|$/gm)].map(([, name]) => name);
    expect(silent).toEqual([]);
  });
});

test("every page of docs/ is linked from docs/README.md, and all links between pages are valid", () => {
  const seen = new Set<string>();
  const look = (page: string): void => {
    if (seen.has(page)) return;
    seen.add(page);
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) =>
      join(page, "..", link),
    );
    expect(
      links.filter((link) => !existsSync(join(root, link))),
      page,
    ).toEqual([]);
    for (const link of links) if (/^docs.*\.md$/.test(link)) look(link);
  };
  look(join("docs", "README.md"));
  const pages = globSync("docs/**/*.md", { cwd: root });
  expect(pages.filter((page) => !seen.has(page))).toEqual([]);
});

const installed = `the command that docs/how-to/own-bucket.md installs works in any folder, and on its files ${skipNote("bash")}`;
test.skipIf(lacks("bash"))(installed, async () => {
  const [, block = ""] =
    /<!-- run by: tests\/project\/docs\.test\.ts -->\n```sh\n([\s\S]*?)```/.exec(read("docs/how-to/own-bucket.md")) ??
    [];
  const home = await mkdtemp(join(tmpdir(), "accession-home-"));
  try {
    execFileSync("bash", ["-euo", "pipefail", "-c", block], { cwd: root, env: { ...process.env, HOME: home } });
    execFileSync(join(home, ".local/bin/accession"), ["keys", "--dir", "mine"], { cwd: home, stdio: "pipe" });
    expect(existsSync(join(home, "mine/signing.key"))).toBe(true);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

describe("docs/package-format.md", () => {
  const page = read("docs/package-format.md");

  /** Returns the rows of the table with this head, as the code spans of their cells. */
  function tableOf(head: string): string[][][] {
    const start = page.search(new RegExp(`^\\| ${head.replaceAll(" | ", " +\\| ")} +\\|$`, "m"));
    if (start < 0) throw new Error(`There is no table with the head ${head}`);
    const [, , ...rows] = page.slice(start).split("\n\n", 1)[0]?.split("\n") ?? [];
    return rows.map((row) =>
      row
        .slice(1, -1)
        .split(" | ")
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)),
    );
  }

  const unquoted = (text = "") => JSON.parse(`"${text}"`) as string;

  const examples = tableOf("Key | Beside | Logical path").map(
    ([key = [], beside = [], path = []]) => [unquoted(key[0]), beside.map(unquoted), unquoted(path[0])] as const,
  );

  test("has the essential examples", () => {
    const keys = examples.map(([key]) => key);
    for (const key of ["a/b", "dir/", "a", "//two", "a//b", "../../etc/x", "./c", ".", "a%2Fb", "x\0y", "%keys/x"]) {
      expect(keys).toContain(key);
    }
  });

  test.each(examples)("%j beside %j is stored at %j", (key, beside, path) => {
    const marker = markerFor([key, ...beside]);
    const isFolder = beside.some((other) => other.startsWith(`${key}/`));
    expect(pathOf(key, { isFolder, marker })).toBe(path);
    expect(keyOf(path, marker)).toBe(key);
  });

  test("states the content paths", () => {
    const limits = { segmentBytes: 255, folding: false };
    const rows = tableOf("Key | Content path below `v1/content/`");
    expect(rows).toHaveLength(5);
    for (const [[key] = [], [place = ""] = []] of rows) {
      const long = key === undefined ? "x".repeat(300) : key;
      const folding = key === "README";
      expect(
        (naturalContentPath(long, !isPlainKey(long), { ...limits, folding }) ?? fallbackContentPath(long)).slice(
          0,
          place.length,
        ),
      ).toBe(place);
    }
  });

  test("lists exactly the members of the manifest", () => {
    const listed = { key: "k", bytes: 1, etag: '"e"', lastModified: "t", storageClass: "s", path: null };
    const responseMetadata = {
      versionId: "v",
      contentType: "t",
      contentEncoding: "e",
      userMetadata: {},
      userMetadataBytes: {},
      checksums: {},
    };
    const stored = {
      ...listed,
      state: "stored",
      responseMetadata,
      sha512: "x",
      verifiedBy: "md5",
      verifiedWith: "md5",
      stated: {},
      etagIsDigest: true,
      verifiedIn: 1,
    };
    const excluded = { ...listed, state: "excluded", exclusion: "r", error: { code: "object_gone", message: "" } };
    const lines = [stored, excluded].map(
      (row) => JSON.parse(manifestLine(row as unknown as ObjectRecord, "v1/content/k")) as object,
    );
    const members = new Set(lines.flatMap((line) => Object.keys(line)));
    expect(new Set(tableOf("Member | On | Value").map(([name = []]) => name[0]))).toEqual(members);
    const [, shown = ""] = /```jsonl\n([^`]+)```/.exec(page) ?? [];
    const examplesOfLines = shown
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(examplesOfLines).toHaveLength(2);
    for (const member of examplesOfLines.flatMap((line) => Object.keys(line))) expect(members).toContain(member);
  });

  test("describes patterns correctly", () => {
    for (const [[pattern = ""] = [], matching = [], others = []] of tableOf("Pattern | Matches | Does not match")) {
      const matches = compileGlob(pattern);
      for (const key of matching) expect(matches?.(key), `${pattern} on ${key}`).toBe(true);
      for (const key of others) expect(matches?.(key), `${pattern} on ${key}`).toBe(false);
    }
  });
});

describe("docs/adverse-cases.md", () => {
  const page = read("docs/adverse-cases.md");
  const named = [...page.matchAll(/`((?:src|tests|packages)\/[^`]+\.ts)`: ((?:`[^`]+`(?:, )?)+)/g)].flatMap(
    ([, file = "", names = ""]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => ({ file, name })),
  );

  test("names existing tests", () => {
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter(({ file, name }) => !read(file).includes(name))).toEqual([]);
  });

  test("states for every case the test that covers it, or why there is none", () => {
    const cases = page.split("\n").filter((line) => line.startsWith("- **"));
    expect(cases.length).toBeGreaterThan(70);
    expect(cases.filter((line) => (line.split(".** ")[1] ?? "").length < 8)).toEqual([]);
  });
});

test("all links in docs/ are valid", () => {
  for (const name of globSync("docs/*.md", { cwd: root })) {
    for (const [, target = ""] of read(name).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      expect(globSync(join("docs", target), { cwd: root }), `${name}: ${target}`).toHaveLength(1);
    }
  }
});

describe("deploy/", () => {
  const known = new Set([...settings, ...clientSettings].map(({ name }) => `ACCESSION_${name}`));

  test("names existing settings only", () => {
    const files = globSync("deploy/**/*", { cwd: root }).filter((file) => /\.[a-z]+$|Dockerfile$/.test(file));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const named = [...read(file).matchAll(/\bACCESSION_[A-Z_0-9]+\b/g)].map(([name]) => name);
      expect(
        named.filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
  });

  test("has valid systemd units", ({ skip }) => {
    const units = globSync("deploy/systemd/*.service", { cwd: root });
    try {
      execFileSync("systemd-analyze", ["--version"], { stdio: "ignore" });
    } catch {
      skip("systemd-analyze is missing: apt-get install -y systemd");
    }
    for (const unit of units) {
      const said = spawnSync("systemd-analyze", ["verify", unit], { cwd: root, encoding: "utf8" });
      expect([said.status, said.stderr.replaceAll(/^.*not (?:found|executable).*\n/gm, "")], unit).toEqual([0, ""]);
    }
  });

  test("has a Compose file with the documented services", () => {
    const compose = parseYaml(read("deploy/compose.yaml"), { merge: true }) as Compose;
    expect(Object.keys(compose.services)).toEqual(["database", "api", "worker"]);
    const { api, worker } = compose.services;
    expect(api?.environment).toMatchObject({ ACCESSION_ROLE: "api", ACCESSION_ARCHIVE: "/archive" });
    expect(worker).toMatchObject({ command: ["worker"], environment: { ACCESSION_ARCHIVE: "/archive" } });
    const port = (worker?.environment as Record<string, unknown> | undefined)?.ACCESSION_METRICS_PORT;
    expect(worker?.healthcheck?.test.join(" ")).toContain(`:${port}/health/ready`);
    const mounted = [api, worker].flatMap((service) => service?.volumes ?? []).map((text) => text.split(":")[0] ?? "");
    const named = mounted.filter((volume) => !volume.startsWith("./"));
    for (const volume of named) expect(Object.keys(compose.volumes)).toContain(volume);
  });

  test("has an image that is built from all workspaces, from base images with a digest", () => {
    const file = read("deploy/Dockerfile");
    const bases = [...file.matchAll(/^FROM (\S+)/gm), ...read("deploy/compose.yaml").matchAll(/image: (postgres\S+)/g)];
    expect(bases).toHaveLength(3);
    for (const [, base] of bases) expect(base).toMatch(/@sha256:[0-9a-f]{64}$/);
    const workspaces = globSync(["packages/*/package.json", "web/package.json"], { cwd: root });
    for (const path of workspaces) expect(file).toContain(`COPY ${path} ${dirname(path)}/\n`);
  });

  test("NOTICE names the dependencies whose licences require it", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { license?: string; dev?: boolean }>;
    };
    const silent =
      /^\(?(Apache-2\.0|MIT|MIT-0|ISC|BSD-[23]-Clause|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|0BSD|MIT OR CC0-1\.0)\)?$/;
    const others = Object.entries(packages).flatMap(([path, { license, dev }]) => {
      const name = path.split("node_modules/").at(-1);
      return name === undefined || license === undefined || dev === true || silent.test(license) ? [] : [name];
    });
    expect([...new Set(others)].toSorted()).toEqual(["argparse", "spdx-exceptions"]);
    for (const name of others) expect(read("NOTICE")).toContain(`- ${name} `);
  });

  const proxyTools = ["nginx", "openssl"] as const;
  test.skipIf(lacks(...proxyTools))(`has a valid nginx configuration ${skipNote(...proxyTools)}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "accession-nginx-"));
    try {
      const keys = ["-keyout", join(folder, "key"), "-out", join(folder, "pem"), "-subj", "/CN=x"];
      execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...keys], { stdio: "ignore" });
      const proxy = read("deploy/nginx.conf")
        .replace(/ssl_certificate .*/, `ssl_certificate ${folder}/pem;`)
        .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${folder}/key;`);
      await writeFile(join(folder, "nginx.conf"), `pid ${folder}/pid;\nevents {}\nhttp {\n${proxy}}\n`);
      execFileSync(whereIs("nginx") ?? "", [
        "-t",
        "-q",
        "-p",
        folder,
        "-e",
        join(folder, "log"),
        "-c",
        join(folder, "nginx.conf"),
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

interface Compose {
  services: Record<
    string,
    { environment?: object; volumes?: string[]; command?: string[]; healthcheck?: { test: string[] } }
  >;
  volumes: Record<string, unknown>;
}

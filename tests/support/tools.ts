import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Reporter } from "vitest/node";
import { postgresPrograms } from "./database/postgres.ts";

interface Tool {
  isInstalled: () => boolean;
  /** Debian packages. */
  packages: readonly string[];
}

/** Chromium without the user interface of a browser, which needs two thirds of the time; otherwise the browser. */
export const chromiumPath = whereIs("chromium-headless-shell") ?? whereIs("chromium") ?? "";

/** Programs that only some tests need. */
const tools = {
  Ceph: {
    isInstalled: () => ["radosgw", "ceph-mon", "ceph-osd", "ceph"].every(isOnPath),
    packages: ["ceph-mon", "ceph-osd", "ceph-base", "ceph-common", "radosgw"],
  },
  Chromium: { isInstalled: () => chromiumPath !== "", packages: ["chromium-headless-shell"] },
  "HTTP::OAI": {
    isInstalled: () => existsSync("/usr/share/perl5/HTTP/OAI.pm") && isOnPath("perl"),
    packages: ["libhttp-oai-perl"],
  },
  Java: { isInstalled: () => isOnPath("javac"), packages: ["default-jdk-headless"] },
  PostgreSQL: { isInstalled: () => postgresPrograms() !== undefined, packages: ["postgresql"] },
  WebDAV: {
    isInstalled: () => existsSync("/usr/lib/nginx/modules/ngx_http_dav_ext_module.so"),
    packages: ["libnginx-mod-http-dav-ext"],
  },
  bash: { isInstalled: () => isOnPath("bash"), packages: ["bash"] },
  curl: { isInstalled: () => isOnPath("curl"), packages: ["curl"] },
  ip: { isInstalled: () => isOnPath("ip"), packages: ["iproute2"] },
  jq: { isInstalled: () => isOnPath("jq"), packages: ["jq"] },
  nginx: { isInstalled: () => isOnPath("nginx"), packages: ["nginx"] },
  openssl: { isInstalled: () => isOnPath("openssl"), packages: ["openssl"] },
  prlimit: { isInstalled: () => isOnPath("prlimit"), packages: ["util-linux"] },
  python3: { isInstalled: () => isOnPath("python3"), packages: ["python3"] },
  rclone: { isInstalled: () => isOnPath("rclone"), packages: ["rclone"] },
  strace: { isInstalled: () => isOnPath("strace"), packages: ["strace"] },
  unzip: { isInstalled: () => isOnPath("unzip"), packages: ["unzip"] },
  xmllint: { isInstalled: () => isOnPath("xmllint"), packages: ["libxml2-utils"] },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

/**
 * Whether a test must be skipped because one of these tools is not installed: `test.skipIf(lacks("nginx"))`. In CI no test
 * is skipped: a test that needs a missing tool fails. CI does not install the tools of tests that it does not run.
 */
export function lacks(...names: ToolName[]): boolean {
  return process.env.CI === undefined && names.some((name) => !tools[name].isInstalled());
}

/** The end of the name of a test that is skipped without these tools. */
export function skipNote(...names: ToolName[]): string {
  return `(needs ${names.join(" and ")}: ${install(names)})`;
}

/** The command that installs these tools. */
export function install(names: readonly ToolName[]): string {
  const packages = new Set(names.flatMap((name): readonly string[] => tools[name].packages));
  return `apt-get install -y --no-install-recommends ${[...packages].join(" ")}`;
}

/** Prints, after the test results, which tools are not installed and how to install all of them. */
export class ReportMissingTools implements Reporter {
  onTestRunEnd(): void {
    const missing = (Object.keys(tools) as ToolName[]).filter((name) => !tools[name].isInstalled());
    if (missing.length === 0) return;
    const outcome = process.env.CI === undefined ? "were skipped" : "fail";
    console.log(`Tests that need these tools ${outcome}, because they are not installed: ${missing.join(", ")}`);
    console.log(`  ${install(missing)}\n`);
  }
}

/** The path of a program, also of one in a folder that is not in an ordinary user's PATH on Debian. */
export function whereIs(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function isOnPath(program: string): boolean {
  return whereIs(program) !== undefined;
}

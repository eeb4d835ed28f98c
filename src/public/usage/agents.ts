import { isbot } from "isbot";

/** How a client uses datasets: not counted, as a program, or as a person with a browser. */
export type AgentKind = "robot" | "machine" | "regular";

/** Longest part of a user agent that is compared, because a client can send any length. */
const COMPARED = 512;
const REMEMBERED = 2_000;

/**
 * Beginnings of the user agents of programs with which people fetch datasets: command-line tools, HTTP libraries, and
 * download managers. The Code of Practice for Research Data counts them separately, not as robots.
 */
const MACHINES = new RegExp(
  `^(?:${[
    ...["accession", "aria2", "curl", "wget", "wget2", "libcurl", "lftp", "axel", "rclone", "httpie", "xh", "fetch"],
    ...["python", "python-requests", "python-urllib", "python-httpx", "httpx", "aiohttp", "urllib3", "pooch", "fsspec"],
    ...["r", "rcurl", "libcurl-agent", "httr", "httr2", "julia", "matlab", "java", "apache-httpclient", "okhttp"],
    ...["go-http-client", "node", "node-fetch", "undici", "axios", "got", "deno", "bun", "ruby", "faraday", "zsync"],
    ...["guzzlehttp", "php", "perl", "libwww-perl", "lwp", "rust", "reqwest", "ureq", "dart", "powershell"],
    "postmanruntime",
  ]
    .map((name) => name.replaceAll(/[.+-]/g, "\\$&"))
    .join("|")})(?:[/ ;(]|$)`,
  "i",
);
/** Windows PowerShell sends the user agent of a browser, and its name at the end. */
const POWERSHELL = /\bWindowsPowerShell\//;

/**
 * Classifies clients by their user agent. Robots are recognised by the list of the package `isbot`, or by the operator's
 * list instead. A client without a user agent is a robot, as in the list of COUNTER.
 */
export class Agents {
  readonly #robots: RegExp | undefined;
  readonly #known = new Map<string, AgentKind>();

  /** @param robots the operator's list */
  constructor(robots?: RegExp) {
    this.#robots = robots;
  }

  kindOf(agent: string): AgentKind {
    const compared = agent.slice(0, COMPARED);
    const known = this.#known.get(compared);
    if (known !== undefined) return known;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    const kind = this.#classify(compared);
    this.#known.set(compared, kind);
    return kind;
  }

  #classify(agent: string): AgentKind {
    if (agent.trim().length < 2) return "robot";
    if (MACHINES.test(agent) || POWERSHELL.test(agent)) return "machine";
    const isRobot = this.#robots?.test(agent) ?? isbot(agent);
    return isRobot ? "robot" : "regular";
  }
}

/**
 * Reads a list of robots in the form of COUNTER’s `COUNTER_Robots_list.json`: an array of objects with a regular expression
 * in `pattern`. Case is ignored.
 *
 * @throws Error that states what is wrong
 */
export function parseRobots(text: string): RegExp {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new Error("is not JSON");
  }
  if (!Array.isArray(list) || list.length === 0) throw new Error("is not an array of patterns");
  const patterns = list.map((entry: unknown, index) => {
    const pattern = (entry as { pattern?: unknown } | null)?.pattern;
    if (typeof pattern !== "string" || pattern === "") throw new Error(`has no pattern in entry ${index + 1}`);
    try {
      new RegExp(pattern);
    } catch {
      throw new Error(`has an invalid pattern in entry ${index + 1}`);
    }
    return `(?:${pattern})`;
  });
  return new RegExp(patterns.join("|"), "i");
}

import { join, resolve } from "node:path";
import type { FieldGroup } from "../../describe/metadata/fields/field.ts";
import { type ArchiveSetting, archiveOf, archiveProblems, dataFolderProblems } from "./archive.ts";
import { parseFieldGroups } from "./field-groups.ts";
import { type MailSettings, mailOf, mailProblems } from "./mail.ts";
import {
  parseBasePath,
  parseChoice,
  parseCidr,
  parseCount,
  parseDuration,
  parseInterval,
  parseIssuer,
  parseList,
  parseListingTimeout,
  parseOrigin,
  parsePort,
  parseReserve,
  parseShare,
  parseSize,
  SettingError,
} from "./parse.ts";
import { type PublicationSettings, publicationOf, publicationProblems } from "./publication.ts";
import { type PublisherSettings, publisherOf } from "./publisher.ts";
import { PREFIX, type Read, type Setting, type SettingName, settings } from "./settings.ts";
import { type SiteSettings, siteOf } from "./site.ts";
import { type Traces, traceSettings, tracesOf } from "./traces.ts";
import { unknownSettings } from "./unknown-settings.ts";
import { type UsageSettings, usageOf } from "./usage.ts";

export interface Config {
  host: string;
  port: number;
  /** Port for a worker's health checks and metrics; undefined for none. */
  metricsPort: number | undefined;
  basePath: string;
  /** Undefined: derived from host and port once the service listens. */
  publicUrl: string | undefined;
  trustedProxies: string[];
  data: string;
  databaseUrl: string | undefined;
  archive: ArchiveSetting;
  /** What this process does: answer requests, do the work, or both. */
  role: "all" | "api" | "worker";
  auth: "none" | "tokens" | "oidc";
  /** Set with `auth: "oidc"`. */
  oidc:
    | { issuer: string; audience: string; rolesClaim: string; clientId: string | undefined; scope: string }
    | undefined;
  /** The limits of one owner; undefined means no limit. */
  quota: { submissions: number | undefined; bytes: number | undefined; objects: number | undefined };
  /** Maximum number of metadata revisions of a dataset. */
  mostRevisions: number;
  /** The mail server; undefined if the service sends no mail. */
  mail: MailSettings | undefined;
  /** Requests per minute; 0 means no limit. */
  rateLimits: { requests: number; checks: number; signIn: number };
  secretKeyFile: string;
  signingKeyFile: string;
  /** True if missing key files may be created. */
  makeKeys: boolean;
  /** True while the service listens on loopback only. */
  loopback: boolean;
  /** True if data sources may be in loopback and private networks, because only this machine can use the service. */
  privateEndpoints: boolean;
  allowNetworks: string[];
  sourceCaFile: string | undefined;
  sourceConnections: number;
  /** Milliseconds that a server may take for a page of a listing. */
  sourceListingTimeoutMs: number;
  egressProxy: string | undefined;
  corsOrigins: string[];
  publisher: PublisherSettings;
  /** Fields of the metadata that the operator has defined. */
  fieldGroups: FieldGroup[];
  publication: PublicationSettings;
  site: SiteSettings;
  usage: UsageSettings;
  diskReserve: { share: number; bytes: number };
  failedRetentionMs: number;
  /** The interval between audit runs (undefined: no audits), and the part of the archive that a run reads. */
  audit: { intervalMs: number | undefined; share: number };
  logLevel: string;
  traces: Traces;
}

/** All problems of the settings, one per line. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** The purpose for which the settings are read. */
export interface Needs {
  /** False for commands that open the database, but neither encrypt nor sign. */
  keys: boolean;
}

/**
 * Reads the settings once from an environment. An empty value means "not given".
 *
 * @throws ConfigError with all problems
 */
export function readConfig(environment: NodeJS.ProcessEnv, needs: Needs = { keys: true }): Config {
  const problems: string[] = unknownSettings(environment);
  const read: Read = (name, fallback, parse) => {
    const text = environment[PREFIX + name]?.trim();
    if (text === undefined || text === "") return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(`${PREFIX}${name} ${error.message}`);
      return fallback;
    }
  };
  const text = (value: string) => value;
  const data = resolve(read("DATA", "./data", text));
  const host = read("HOST", "127.0.0.1", text);
  const databaseUrl = read<string | undefined>("DATABASE_URL", undefined, parseDatabaseUrl);
  const role = read<Config["role"]>("ROLE", "all", (choice) => parseChoice(choice, ["all", "api", "worker"]));
  const publicUrl = read<string | undefined>("PUBLIC_URL", undefined, parseOrigin);
  const auth = read<Config["auth"]>("AUTH", "none", (choice) => parseChoice(choice, ["none", "tokens", "oidc"]));
  const config: Config = {
    host,
    port: read("PORT", 8080, parsePort),
    metricsPort: read<number | undefined>("METRICS_PORT", undefined, parsePort),
    basePath: read("BASE_PATH", "", parseBasePath),
    publicUrl,
    trustedProxies: read("TRUSTED_PROXIES", [], (list) => parseList(list, parseCidr)),
    data,
    databaseUrl,
    archive: archiveOf(read, join(data, "archive")),
    role,
    auth,
    oidc: oidcOf(read),
    quota: {
      submissions: read<number | undefined>("QUOTA_SUBMISSIONS", undefined, parseCount),
      bytes: read<number | undefined>("QUOTA_BYTES", undefined, parseSize),
      objects: read<number | undefined>("QUOTA_OBJECTS", undefined, parseCount),
    },
    mostRevisions: read("MOST_REVISIONS", 100, parseCount),
    rateLimits: {
      // Without authentication, all requests have the same caller, on this machine.
      requests: read("RATE_LIMIT", auth === "none" ? 0 : 6_000, parseCount),
      checks: read("RATE_LIMIT_CHECKS", auth === "none" ? 1_200 : 120, parseCount),
      signIn: read("RATE_LIMIT_SIGN_IN", 60, parseCount),
    },
    mail: mailOf(read),
    secretKeyFile: resolve(read("SECRET_KEY_FILE", join(data, "secret.key"), text)),
    signingKeyFile: resolve(read("SIGNING_KEY_FILE", join(data, "signing.key"), text)),
    makeKeys: databaseUrl === undefined,
    loopback: isLoopback(host),
    privateEndpoints:
      role === "all" && isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)),
    allowNetworks: read("ALLOW_NETWORKS", [], (list) => parseList(list, parseCidr)),
    sourceCaFile: read<string | undefined>("SOURCE_CA_FILE", undefined, (file) => resolve(file)),
    sourceConnections: read("SOURCE_CONNECTIONS", 128, parseConnections),
    sourceListingTimeoutMs: read("SOURCE_LISTING_TIMEOUT", 120_000, parseListingTimeout),
    egressProxy: read<string | undefined>("EGRESS_PROXY", undefined, parseProxy),
    corsOrigins: read("CORS_ORIGINS", [], (list) => parseList(list, parseOrigin)),
    publisher: publisherOf(read),
    fieldGroups: read<FieldGroup[]>("METADATA_SCHEMAS", [], parseFieldGroups),
    publication: publicationOf(read),
    site: siteOf(read),
    usage: usageOf(read),
    diskReserve: read("DISK_RESERVE", parseReserve("5%"), parseReserve),
    failedRetentionMs: read("FAILED_RETENTION", parseDuration("30 days"), parseDuration),
    audit: {
      intervalMs: read("AUDIT_INTERVAL", parseInterval("1 day"), parseInterval),
      share: read("AUDIT_SHARE", parseShare("3.4%"), parseShare),
    },
    logLevel: read("LOG_LEVEL", "info", (choice) => parseChoice(choice, LEVELS)),
    traces: tracesOf(environment, problems),
  };
  problems.push(...contradictions(config, environment, needs), ...signInProblems(config, environment));
  problems.push(...archiveProblems(config.archive, environment), ...mailProblems(environment));
  problems.push(...publicationProblems(config.publication, environment, isLocal(config)));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function oidcOf(read: Read): Config["oidc"] {
  const text = (value: string) => value;
  const issuer = read<string | undefined>("OIDC_ISSUER", undefined, parseIssuer);
  const audience = read<string | undefined>("OIDC_AUDIENCE", undefined, text);
  const rolesClaim = read("OIDC_ROLES_CLAIM", "roles", text);
  const clientId = read<string | undefined>("OIDC_CLIENT_ID", undefined, text);
  const scope = read("OIDC_SCOPE", "openid profile email", text);
  if (issuer === undefined || audience === undefined) return undefined;
  return { issuer, audience, rolesClaim, clientId, scope };
}

/** The current settings with masked secrets. */
export function describeConfig(environment: NodeJS.ProcessEnv): Record<string, string> {
  const own = settings.map((setting: Setting) => ({ ...setting, name: PREFIX + setting.name }));
  return Object.fromEntries(
    [...own, ...(traceSettings as readonly Setting[])].map((setting) => {
      const value = environment[setting.name]?.trim();
      const shown = value && setting.secret ? "********" : value;
      return [setting.name, shown || `(${setting.default})`];
    }),
  );
}

function contradictions(config: Config, environment: NodeJS.ProcessEnv, needs: Needs): string[] {
  const problems: string[] = [];
  if (config.role !== "all" && config.databaseUrl === undefined) {
    problems.push(
      `ACCESSION_ROLE=${config.role} requires ACCESSION_DATABASE_URL, because the embedded database supports only one process`,
    );
  }
  if (config.role === "worker" && config.publicUrl === undefined) {
    problems.push("ACCESSION_PUBLIC_URL is mandatory for a worker, because receipts contain the URL of the service");
  }
  problems.push(...dataFolderProblems(config.data, config.archive));
  const isSilent = config.role === "worker" && config.metricsPort === undefined;
  if (isSilent) return [...problems, ...keyProblems(config, environment, needs)];
  if (config.auth === "none" && !config.loopback) {
    problems.push(
      "ACCESSION_HOST is not loopback: with ACCESSION_AUTH=none, anyone on the network could use the service",
    );
  }
  if (config.loopback && config.role !== "worker") problems.push(...openDoorProblems(config));
  if (!config.loopback && config.publicUrl === undefined) {
    problems.push("ACCESSION_PUBLIC_URL is mandatory when the service does not listen on loopback");
  }
  return [...problems, ...keyProblems(config, environment, needs)];
}

/** Without sign-in, a proxy that forwards to the loopback address would let everyone in as an admin. */
function openDoorProblems({ auth, publicUrl, trustedProxies }: Config): string[] {
  if (auth !== "none") return [];
  const why =
    "with ACCESSION_AUTH=none (the default), everyone who reaches the service through a proxy would be an admin. Set ACCESSION_AUTH=tokens or oidc";
  const problems: string[] = [];
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) {
    problems.push(`ACCESSION_PUBLIC_URL is not loopback: ${why}`);
  }
  if (trustedProxies.length > 0) problems.push(`ACCESSION_TRUSTED_PROXIES names proxies: ${why}`);
  return problems;
}

/** Processes with a shared database must have the same keys, so no process may create its own. */
function keyProblems(config: Config, environment: NodeJS.ProcessEnv, needs: Needs): string[] {
  if (config.databaseUrl === undefined || !needs.keys) return [];
  return (["SECRET_KEY_FILE", "SIGNING_KEY_FILE"] as const)
    .filter((name) => !environment[PREFIX + name]?.trim())
    .map((name) => `${PREFIX}${name} is mandatory with ACCESSION_DATABASE_URL`);
}

/** Settings of OpenID Connect must be complete, and must not be set if they are not used. */
function signInProblems(config: Config, environment: NodeJS.ProcessEnv): string[] {
  const isSet = (name: SettingName) => (environment[PREFIX + name]?.trim() ?? "") !== "";
  if (config.auth === "oidc") {
    return (["OIDC_ISSUER", "OIDC_AUDIENCE"] as const)
      .filter((name) => !isSet(name))
      .map((name) => `${PREFIX}${name} is mandatory with ACCESSION_AUTH=oidc`);
  }
  return (["OIDC_ISSUER", "OIDC_AUDIENCE", "OIDC_ROLES_CLAIM", "OIDC_CLIENT_ID", "OIDC_SCOPE"] as const)
    .filter(isSet)
    .map((name) => `${PREFIX}${name} is only used with ACCESSION_AUTH=oidc`);
}

/** Whether the addresses of datasets only work on this machine. */
function isLocal({ loopback, publicUrl }: Config): boolean {
  return publicUrl === undefined ? loopback : isLoopback(new URL(publicUrl).hostname);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new SettingError("is not a URL such as postgres://user@host/database");
  return text;
}

function parseConnections(text: string): number {
  const connections = parseCount(text);
  if (connections < 2 || connections > 10_000) throw new SettingError("is not a number from 2 to 10000");
  return connections;
}

function parseProxy(text: string): string {
  // A user name or password must be escaped correctly, or it could not be sent.
  const sound = URL.canParse(text) && !/%(?![0-9A-Fa-f]{2})/.test(text);
  if (!sound || !/^https?:\/\//.test(text)) throw new SettingError("is not a URL such as http://proxy:3128");
  return text;
}

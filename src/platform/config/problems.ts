import { distance } from "fastest-levenshtein";
import { dataFolderProblems } from "./archive.ts";
import type { Config } from "./compose.ts";
import { isLoopbackUrl } from "./parse.ts";
import { PREFIX } from "./setting.ts";
import { clientSettings, type SettingName, settings } from "./settings.ts";

/** The purpose for which the settings are read. */
export interface Needs {
  /** False for commands that open the database, but neither encrypt nor sign. */
  keys: boolean;
}

/** Maximum mistakes in the name of a setting that is suggested. */
const MOST_MISTAKES = 2;

/** Reports unknown settings, because a misspelt setting would have no effect. */
export function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>([...settings, ...clientSettings].map(({ name }) => PREFIX + name));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .map((name) => {
      const meant = nearest([...known], name);
      return `${name} is not a setting of this version${meant === undefined ? "" : `. Did you mean ${meant}?`}`;
    });
}

/** The name that was probably meant: one with few mistakes, or of which this is the beginning. */
function nearest(names: readonly string[], name: string): string | undefined {
  const closest = names.toSorted((one, other) => distance(one, name) - distance(other, name))[0] ?? "";
  if (distance(closest, name) <= MOST_MISTAKES) return closest;
  return names.find((one) => one.startsWith(`${name}_`));
}

/** Which settings of a group are given. Incomplete groups, and settings without effect, would mislead operators. */
class Given {
  readonly #environment: NodeJS.ProcessEnv;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  has = (name: SettingName): boolean => (this.#environment[PREFIX + name]?.trim() ?? "") !== "";

  /** The settings that are missing although a condition requires them. */
  missing(names: readonly SettingName[], condition: string): string[] {
    const absent = names.filter((name) => !this.has(name));
    return absent.map((name) => `${PREFIX}${name} is mandatory with ${condition}`);
  }

  /** The settings that are given although they have no effect without a condition. */
  unused(names: readonly SettingName[], condition: string): string[] {
    return names.filter(this.has).map((name) => `${PREFIX}${name} is only used with ${condition}`);
  }
}

/** What is wrong with settings that are valid one by one. */
export function findContradictions(config: Config, environment: NodeJS.ProcessEnv, needs: Needs): string[] {
  const given = new Given(environment);
  return [
    ...processProblems(config),
    ...dataFolderProblems(config.data, config.archive),
    ...networkProblems(config),
    // Processes with a shared database must have the same keys, so no process may create its own.
    ...(config.databaseUrl === undefined || !needs.keys
      ? []
      : given.missing(["SECRET_KEY_FILE", "SIGNING_KEY_FILE"], "ACCESSION_DATABASE_URL")),
    ...signInProblems(config, given),
    ...archiveProblems(config, given),
    ...roleProblems(config, given),
    ...mailProblems(given),
    ...publicationProblems(config, given),
  ];
}

function processProblems({ role, databaseUrl, publicUrl }: Config): string[] {
  const problems: string[] = [];
  if (role !== "all" && databaseUrl === undefined) {
    problems.push(
      `ACCESSION_ROLE=${role} requires ACCESSION_DATABASE_URL, because the embedded database supports only one process`,
    );
  }
  if (role === "worker" && publicUrl === undefined) {
    problems.push("ACCESSION_PUBLIC_URL is mandatory for a worker, because receipts contain the URL of the service");
  }
  return problems;
}

/** Without sign-in, a proxy that forwards to the loopback address would let everyone in as an admin. */
function networkProblems({ role, metricsPort, auth, loopback, publicUrl, trustedProxies }: Config): string[] {
  // A worker without this port does not listen.
  if (role === "worker" && metricsPort === undefined) return [];
  const problems: string[] = [];
  if (auth === "none" && !loopback) {
    problems.push(
      "ACCESSION_HOST is not loopback: with ACCESSION_AUTH=none, anyone on the network could use the service",
    );
  }
  if (auth === "none" && loopback && role !== "worker") {
    const why =
      "with ACCESSION_AUTH=none (the default), everyone who reaches the service through a proxy would be an admin. Set ACCESSION_AUTH=tokens or oidc";
    if (publicUrl !== undefined && !isLoopbackUrl(publicUrl)) {
      problems.push(`ACCESSION_PUBLIC_URL is not loopback: ${why}`);
    }
    if (trustedProxies.length > 0) problems.push(`ACCESSION_TRUSTED_PROXIES names proxies: ${why}`);
  }
  if (!loopback && publicUrl === undefined) {
    problems.push("ACCESSION_PUBLIC_URL is mandatory when the service does not listen on loopback");
  }
  return problems;
}

function signInProblems({ auth }: Config, given: Given): string[] {
  if (auth === "oidc") return given.missing(["OIDC_ISSUER", "OIDC_AUDIENCE"], "ACCESSION_AUTH=oidc");
  const names = ["OIDC_ISSUER", "OIDC_AUDIENCE", "OIDC_ROLES_CLAIM", "OIDC_CLIENT_ID", "OIDC_SCOPE"] as const;
  return given.unused(names, "ACCESSION_AUTH=oidc");
}

function archiveProblems({ archive }: Config, given: Given): string[] {
  const keys = ["ARCHIVE_S3_ACCESS_KEY", "ARCHIVE_S3_SECRET_KEY"] as const;
  if (archive.kind === "s3") return given.missing(keys, "ACCESSION_ARCHIVE=s3://…");
  const names = ["ARCHIVE_S3_ENDPOINT", "ARCHIVE_S3_REGION", ...keys, "ARCHIVE_S3_CA_FILE"] as const;
  return given.unused(names, "ACCESSION_ARCHIVE=s3://…");
}

/** Responses of STS contain the keys of roles. */
function roleProblems({ sts }: Config, given: Given): string[] {
  const [first, ...others] = ["STS_ACCESS_KEY", "STS_SECRET_KEY", "STS_PRINCIPAL"] as const;
  if (!given.has(first)) return given.unused([...others, "STS_REGION", "STS_ENDPOINT"], PREFIX + first);
  const isExposed = sts !== undefined && new URL(sts.endpoint).protocol === "http:" && !isLoopbackUrl(sts.endpoint);
  return [
    ...given.missing(others, PREFIX + first),
    ...(isExposed ? [`${PREFIX}STS_ENDPOINT must begin with https://, because its responses contain keys`] : []),
  ];
}

function mailProblems(given: Given): string[] {
  const [server, sender] = ["SMTP_URL", "MAIL_FROM"] as const;
  if (given.has(server)) return given.missing([sender], PREFIX + server);
  if (given.has(sender)) return given.missing([server], PREFIX + sender);
  return given.unused(["MAIL_LANGUAGE", "CURATOR_MAIL", "OPERATOR_MAIL"], PREFIX + server);
}

function publicationProblems({ publication, publicUrl, loopback }: Config, given: Given): string[] {
  const { mode, datacite, conceptDois } = publication;
  const required = ["DATACITE_REPOSITORY", "DATACITE_PASSWORD_FILE", "DATACITE_PREFIX"] as const;
  const named = [...required, "DATACITE_URL" as const].find(given.has);
  const problems = named === undefined ? [] : given.missing(required, PREFIX + named);
  // The DataCite account stays necessary for what is published already.
  if (mode === "off") {
    problems.push(...given.unused(["DEPOSIT_AGREEMENT", "REPLY_TEMPLATES"], `${PREFIX}PUBLICATION=review or direct`));
  }
  if (conceptDois && named === undefined) {
    problems.push(`${PREFIX}CONCEPT_DOI requires ${PREFIX}DATACITE_REPOSITORY`);
  }
  const isLocal = publicUrl === undefined ? loopback : isLoopbackUrl(publicUrl);
  if (datacite !== undefined && isLocal && !isLoopbackUrl(datacite.url)) {
    problems.push(
      `${PREFIX}PUBLIC_URL is mandatory with ${PREFIX}DATACITE_REPOSITORY and must not be an address of this machine, because DOIs lead to it`,
    );
  }
  return problems;
}

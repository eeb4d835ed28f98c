import { MAIL_LANGUAGES } from "../../domain/submission/mail-preference.ts";
import { parseArchive, parseEndpoint } from "./archive.ts";
import { readFieldGroups } from "./field-groups.ts";
import { parseAddress, parseMailServer, parseSender } from "./mail.ts";
import {
  oneOf,
  parseBasePath,
  parseCidr,
  parseConnections,
  parseCount,
  parseDatabaseUrl,
  parseDuration,
  parseInterval,
  parseIssuer,
  parseListingTimeout,
  parseOrigin,
  parsePath,
  parsePathOrOff,
  parsePort,
  parseProxy,
  parseReserve,
  parseShare,
  parseSize,
  parseSwitch,
  parseText,
} from "./parse.ts";
import {
  parseDataciteUrl,
  parsePrefix,
  parseReminderDays,
  parseRepository,
  readAgreements,
  readPassword,
  readReplyTemplates,
} from "./publication.ts";
import { roleSettings } from "./role-settings.ts";
import { list, optional, PREFIX, readValue, type Setting, setting } from "./setting.ts";
import { parseContact, parsePage, parseRor } from "./site.ts";
import { siteSettings } from "./site-settings.ts";
import { readRobots } from "./text-files.ts";

const table = {
  HOST: setting(parseText, "127.0.0.1", "Address to listen on."),
  PORT: setting(parsePort, "8080", "Port to listen on; 0 selects a free port."),
  METRICS_PORT: optional(
    parsePort,
    "none",
    "Port on which a worker offers health checks and metrics; 0 selects a free port.",
  ),
  BASE_PATH: setting(parseBasePath, "", "Path prefix of all URLs, such as `/accession`.", { shown: "empty" }),
  PUBLIC_URL: optional(
    parseOrigin,
    "`http://HOST:PORT` on loopback, otherwise required",
    "Origin that users see, such as `https://data.example.org`.",
  ),
  TRUSTED_PROXIES: list(
    parseCidr,
    "Networks (CIDR, separated by commas) of proxies whose `X-Forwarded-*` headers are trusted.",
  ),
  CORS_ORIGINS: list(parseOrigin, "Origins (separated by commas) whose web pages may call the API."),
  DATA: setting(parsePath, "./data", "Folder of the embedded database, the keys and temporary files."),
  DATABASE_URL: optional(
    parseDatabaseUrl,
    "embedded database",
    "PostgreSQL 15 or newer, as `postgres://user:password@host/database`.",
    { secret: true },
  ),
  ARCHIVE: optional(
    parseArchive,
    "`$ACCESSION_DATA/archive`",
    "Archive: a folder, or `s3://bucket/prefix` in an object store.",
  ),
  ARCHIVE_S3_ENDPOINT: optional(
    parseEndpoint,
    "Amazon S3 in the region",
    "URL of the object store, such as `https://s3.example.org`.",
  ),
  ARCHIVE_S3_REGION: setting(parseText, "us-east-1", "Region of the archive’s bucket."),
  ARCHIVE_S3_ACCESS_KEY: setting(parseText, "", "Access key for the archive’s bucket.", {
    shown: "required with `s3://`",
    secret: true,
  }),
  ARCHIVE_S3_SECRET_KEY: setting(parseText, "", "Its secret key.", { shown: "required with `s3://`", secret: true }),
  ARCHIVE_S3_CA_FILE: optional(
    parsePath,
    "none",
    "PEM file with additional certificate authorities for the object store.",
  ),
  UPLOADS: optional(
    parsePathOrOff,
    "`$ACCESSION_DATA/uploads`, or none with `ACCESSION_DATABASE_URL`",
    "Folder of uploaded files until they are archived, or `off`. Without it, the service accepts no uploads.",
  ),
  DISK_RESERVE: setting(
    parseReserve,
    "5%",
    "Space to keep free on the disks of the archive and of uploads: a percentage or a size such as `50GiB`.",
    { shown: "5%, at least 2GiB" },
  ),
  ROLE: setting(
    oneOf("all", "api", "worker"),
    "all",
    "`api` answers requests, `worker` processes submissions, `all` does both.",
  ),
  AUTH: setting(oneOf("none", "tokens", "oidc"), "none", "Sign-in: `none`, `tokens` or `oidc`."),
  OIDC_ISSUER: optional(
    parseIssuer,
    "required with `oidc`",
    "Issuer of the OpenID provider, exactly as in its tokens.",
  ),
  OIDC_AUDIENCE: optional(parseText, "required with `oidc`", "Audience (`aud`) that access tokens must contain."),
  OIDC_ROLES_CLAIM: setting(parseText, "roles", "Claim that contains the role; dots select nested members."),
  OIDC_CLIENT_ID: optional(
    parseText,
    "none: no sign-in in the web interface",
    "Public client with which the web interface signs users in.",
  ),
  OIDC_SCOPE: setting(parseText, "openid profile email", "Scope that the web interface requests."),
  QUOTA_SUBMISSIONS: optional(parseCount, "none", "Maximum number of open submissions per owner."),
  QUOTA_BYTES: optional(parseSize, "none", "Maximum storage per owner, such as `5TiB`."),
  QUOTA_OBJECTS: optional(parseCount, "none", "Maximum number of objects per owner."),
  MOST_REVISIONS: setting(parseCount, "100", "Maximum number of metadata revisions per dataset."),
  RATE_LIMIT: optional(
    parseCount,
    "6000; 0 with `ACCESSION_AUTH=none`",
    "Maximum number of requests per minute, for each caller; 0 for no limit.",
  ),
  RATE_LIMIT_CHECKS: optional(
    parseCount,
    "120; 1200 with `ACCESSION_AUTH=none`",
    "Maximum number of requests that contact a source, per minute, for each caller and source host; 0 for no limit.",
  ),
  RATE_LIMIT_SIGN_IN: setting(
    parseCount,
    "60",
    "Maximum number of requests with an invalid token, and of requests for access to files, per minute, for each client address; 0 for no limit.",
  ),
  SMTP_URL: optional(
    parseMailServer,
    "none: no e-mail",
    "Mail server, as `smtps://user:password@host` or `smtp://…`.",
    { secret: true },
  ),
  MAIL_FROM: optional(
    parseSender,
    "required with `ACCESSION_SMTP_URL`",
    "Sender of all e-mail, such as `Accession <accession@example.org>`.",
  ),
  MAIL_LANGUAGE: setting(oneOf(...MAIL_LANGUAGES), "en", "Language of e-mail: `en` or `de`."),
  CURATOR_MAIL: list(
    parseAddress,
    "Addresses (separated by commas) of curators, for requests that no curator has taken, such as a shared mailbox.",
  ),
  OPERATOR_MAIL: list(
    parseAddress,
    "Addresses (separated by commas) that are told if a registration needs the operator.",
  ),
  SECRET_KEY_FILE: optional(
    parsePath,
    "`$ACCESSION_DATA/secret.key`",
    "Encryption key for bucket credentials, webhook keys and e-mail addresses (32 bytes, base64).",
  ),
  SIGNING_KEY_FILE: optional(
    parsePath,
    "`$ACCESSION_DATA/signing.key`",
    "Private key that signs receipts (JWK, Ed25519).",
  ),
  ALLOW_NETWORKS: list(parseCidr, "Private networks (CIDR, separated by commas) in which endpoints are allowed."),
  SOURCE_CA_FILE: optional(parsePath, "none", "PEM file with additional certificate authorities for sources."),
  SOURCE_CONNECTIONS: setting(parseConnections, "128", "Maximum connections of a process to one endpoint."),
  SOURCE_LISTING_TIMEOUT: setting(
    parseListingTimeout,
    "2 minutes",
    "How long the service waits for a page of a bucket’s listing (1 second to 1 hour).",
    { shown: "`2 minutes`" },
  ),
  EGRESS_PROXY: optional(parseProxy, "none", "URL of a proxy for connections to sources and webhooks.", {
    secret: true,
  }),
  ...roleSettings,
  PUBLISHER: setting(parseText, "Accession", "Publisher in DataCite, RO-Crate and receipts."),
  PUBLISHER_URL: optional(parsePage, "none", "Web page of the publisher."),
  PUBLISHER_EMAIL: optional(parseContact, "none", "Public contact address of the publisher."),
  PUBLISHER_ROR: optional(parseRor, "none", "ROR id of the publisher, such as `https://ror.org/02skbsp27`."),
  ...siteSettings,
  METADATA_SCHEMAS: setting(
    readFieldGroups,
    "",
    "JSON Schema files (separated by commas) with additional fields of the metadata.",
    { shown: "none" },
  ),
  PUBLICATION: setting(
    oneOf("off", "review", "direct"),
    "off",
    "`review`: curators review datasets before publication; `direct`: owners publish; `off`: archive only.",
  ),
  DEPOSIT_AGREEMENT: optional(
    readAgreements,
    "a short text in English and German",
    "Markdown files (separated by commas) with the agreement that owners accept, such as `agreement.en.md`.",
  ),
  REPLY_TEMPLATES: optional(readReplyTemplates, "none", "Markdown files of reply templates, separated by commas."),
  SELF_APPROVAL: setting(
    parseSwitch,
    "off",
    "`on`: curators and admins may approve their own datasets, and metadata that they have changed themselves.",
  ),
  REVIEW_REMINDER_DAYS: setting(
    parseReminderDays,
    "7",
    "Days after which the owner or curator who must act is reminded, at most three times; 0 for no reminders.",
  ),
  DATACITE_REPOSITORY: optional(
    parseRepository,
    "none: publication without DOIs",
    "Repository account at DataCite that registers DOIs, such as `TIB.IPK`.",
  ),
  DATACITE_PASSWORD_FILE: optional(
    readPassword,
    "required with `ACCESSION_DATACITE_REPOSITORY`",
    "File with the password of the account.",
  ),
  DATACITE_PREFIX: optional(
    parsePrefix,
    "required with `ACCESSION_DATACITE_REPOSITORY`",
    "Prefix of the DOIs, such as `10.5072`.",
  ),
  DATACITE_URL: setting(
    parseDataciteUrl,
    "https://api.datacite.org",
    "URL of DataCite’s REST API; `https://api.test.datacite.org` is the test system.",
  ),
  CONCEPT_DOI: setting(
    parseSwitch,
    "off",
    "`on`: each dataset also has a DOI that stands for all its versions and leads to the newest one.",
  ),
  USAGE_STATISTICS: setting(
    parseSwitch,
    "on",
    "`off`: uses of published datasets are not counted, and the counts are not shown.",
  ),
  USAGE_ROBOTS: optional(
    readRobots,
    "a list that is part of the service",
    "File with a list of robots that are not counted, such as COUNTER’s `COUNTER_Robots_list.json`.",
  ),
  FAILED_RETENTION: setting(
    parseDuration,
    "30 days",
    "How long a failed submission keeps its stored content for a retry, such as `12 hours`.",
  ),
  AUDIT_INTERVAL: setting(parseInterval, "1 day", "Time between audits, such as `12 hours`; `off` for no audits."),
  AUDIT_SHARE: setting(parseShare, "3.4%", "Part of the archive that one audit reads."),
  LOG_LEVEL: setting(
    oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    "info",
    "`fatal`, `error`, `warn`, `info`, `debug` or `trace`.",
  ),
};

export type SettingName = keyof typeof table;

/** All settings of the service, in the order of the documentation. */
export const settings = Object.entries(table).map(([name, { parse: _, unset: __, ...shown }]) => ({
  name: name as SettingName,
  ...shown,
}));

type Value<Name extends SettingName> = ReturnType<(typeof table)[Name]["unset"]>;

/**
 * Returns a function that reads one setting of this environment. An empty value means “not given”. An invalid one is added to
 * `problems`, and counts as not given.
 */
export function settingsReader(environment: NodeJS.ProcessEnv, problems: string[]) {
  return <Name extends SettingName>(name: Name): Value<Name> => {
    return readValue<unknown>(environment, PREFIX + name, table[name], problems) as Value<Name>;
  };
}

/** Settings of the commands that use the API. The service does not read them. */
export const clientSettings = [
  { name: "URL", default: "http://127.0.0.1:8080", meaning: "URL of the service." },
  { name: "TOKEN", default: "none", meaning: "Token for the service.", secret: true },
  {
    name: "TOKEN_FILE",
    default: "none",
    meaning: "File that contains the token, if `ACCESSION_TOKEN` is not set.",
  },
  { name: "ACCESS_KEY", default: "prompt", meaning: "Access key of the bucket.", secret: true },
  { name: "SECRET_KEY", default: "prompt", meaning: "Secret key of the bucket.", secret: true },
  { name: "SESSION_TOKEN", default: "none", meaning: "Session token of temporary credentials.", secret: true },
] as const satisfies readonly Setting[];

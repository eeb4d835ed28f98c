/** A setting: its name, its default and a short description. `docs/configuration.md` is generated from these tables. */
export interface Setting {
  /** Without the prefix `ACCESSION_`, except for the variables of OpenTelemetry. */
  name: string;
  /** As shown to the operator; the value itself is set in `config.ts`. */
  default: string;
  meaning: string;
  /** Always masked. */
  secret?: true;
}

/** Prefix of all environment variables of Accession. */
export const PREFIX = "ACCESSION_";

export const settings = [
  { name: "HOST", default: "127.0.0.1", meaning: "Address to listen on." },
  { name: "PORT", default: "8080", meaning: "Port to listen on; 0 selects a free port." },
  {
    name: "METRICS_PORT",
    default: "none",
    meaning: "Port on which a worker offers health checks and metrics; 0 selects a free port.",
  },
  { name: "BASE_PATH", default: "empty", meaning: "Path prefix of all URLs, such as `/accession`." },
  {
    name: "PUBLIC_URL",
    default: "`http://HOST:PORT` on loopback, otherwise required",
    meaning: "Origin that users see, such as `https://data.example.org`.",
  },
  {
    name: "TRUSTED_PROXIES",
    default: "none",
    meaning: "Networks (CIDR, separated by commas) of proxies whose `X-Forwarded-*` headers are trusted.",
  },
  { name: "CORS_ORIGINS", default: "none", meaning: "Origins (separated by commas) whose web pages may call the API." },
  { name: "DATA", default: "./data", meaning: "Folder of the embedded database, the keys and temporary files." },
  {
    name: "DATABASE_URL",
    default: "embedded database",
    meaning: "PostgreSQL 15 or newer, as `postgres://user:password@host/database`.",
    secret: true,
  },
  {
    name: "ARCHIVE",
    default: "`$ACCESSION_DATA/archive`",
    meaning: "Archive: a folder, or `s3://bucket/prefix` in an object store.",
  },
  {
    name: "ARCHIVE_S3_ENDPOINT",
    default: "Amazon S3 in the region",
    meaning: "URL of the object store, such as `https://s3.example.org`.",
  },
  { name: "ARCHIVE_S3_REGION", default: "us-east-1", meaning: "Region of the archive’s bucket." },
  {
    name: "ARCHIVE_S3_ACCESS_KEY",
    default: "required with `s3://`",
    meaning: "Access key for the archive’s bucket.",
    secret: true,
  },
  { name: "ARCHIVE_S3_SECRET_KEY", default: "required with `s3://`", meaning: "Its secret key.", secret: true },
  {
    name: "ARCHIVE_S3_CA_FILE",
    default: "none",
    meaning: "PEM file with additional certificate authorities for the object store.",
  },
  {
    name: "DISK_RESERVE",
    default: "5%, at least 2GiB",
    meaning: "Space on the archive’s disk to keep free: a percentage or a size such as `50GiB`.",
  },
  { name: "ROLE", default: "all", meaning: "`api` answers requests, `worker` processes submissions, `all` does both." },
  { name: "AUTH", default: "none", meaning: "Sign-in: `none`, `tokens` or `oidc`." },
  {
    name: "OIDC_ISSUER",
    default: "required with `oidc`",
    meaning: "Issuer of the OpenID provider, exactly as in its tokens.",
  },
  {
    name: "OIDC_AUDIENCE",
    default: "required with `oidc`",
    meaning: "Audience (`aud`) that access tokens must contain.",
  },
  { name: "OIDC_ROLES_CLAIM", default: "roles", meaning: "Claim that contains the role; dots select nested members." },
  {
    name: "OIDC_CLIENT_ID",
    default: "none: no sign-in in the web interface",
    meaning: "Public client with which the web interface signs users in.",
  },
  { name: "OIDC_SCOPE", default: "openid profile email", meaning: "Scope that the web interface requests." },
  { name: "QUOTA_SUBMISSIONS", default: "none", meaning: "Maximum number of open submissions per owner." },
  { name: "QUOTA_BYTES", default: "none", meaning: "Maximum storage per owner, such as `5TiB`." },
  { name: "QUOTA_OBJECTS", default: "none", meaning: "Maximum number of objects per owner." },
  { name: "MOST_REVISIONS", default: "100", meaning: "Maximum number of metadata revisions per dataset." },
  {
    name: "RATE_LIMIT",
    default: "6000; 0 with `ACCESSION_AUTH=none`",
    meaning: "Maximum number of requests per minute, for each caller; 0 for no limit.",
  },
  {
    name: "RATE_LIMIT_CHECKS",
    default: "120; 1200 with `ACCESSION_AUTH=none`",
    meaning:
      "Maximum number of requests that contact a source, per minute, for each caller and source host; 0 for no limit.",
  },
  {
    name: "RATE_LIMIT_SIGN_IN",
    default: "60",
    meaning:
      "Maximum number of requests with an invalid token, and of requests for access to files, per minute, for each client address; 0 for no limit.",
  },
  {
    name: "SMTP_URL",
    default: "none: no e-mail",
    meaning: "Mail server, as `smtps://user:password@host` or `smtp://…`.",
    secret: true,
  },
  {
    name: "MAIL_FROM",
    default: "required with `ACCESSION_SMTP_URL`",
    meaning: "Sender of all e-mail, such as `Accession <accession@example.org>`.",
  },
  {
    name: "CURATOR_MAIL",
    default: "none",
    meaning:
      "Addresses (separated by commas) of curators, for requests that no curator has taken, such as a shared mailbox.",
  },
  {
    name: "OPERATOR_MAIL",
    default: "none",
    meaning: "Addresses (separated by commas) that are told if a registration needs the operator.",
  },
  {
    name: "SECRET_KEY_FILE",
    default: "`$ACCESSION_DATA/secret.key`",
    meaning: "Encryption key for bucket credentials, webhook keys and e-mail addresses (32 bytes, base64).",
  },
  {
    name: "SIGNING_KEY_FILE",
    default: "`$ACCESSION_DATA/signing.key`",
    meaning: "Private key that signs receipts (JWK, Ed25519).",
  },
  {
    name: "ALLOW_NETWORKS",
    default: "none",
    meaning: "Private networks (CIDR, separated by commas) in which endpoints are allowed.",
  },
  { name: "SOURCE_CA_FILE", default: "none", meaning: "PEM file with additional certificate authorities for sources." },
  { name: "SOURCE_CONNECTIONS", default: "128", meaning: "Maximum connections of a process to one endpoint." },
  {
    name: "SOURCE_LISTING_TIMEOUT",
    default: "`2 minutes`",
    meaning: "How long the service waits for a page of a bucket’s listing (1 second to 1 hour).",
  },
  {
    name: "EGRESS_PROXY",
    default: "none",
    meaning: "URL of a proxy for connections to sources and webhooks.",
    secret: true,
  },
  { name: "PUBLISHER", default: "Accession", meaning: "Publisher in DataCite, RO-Crate and receipts." },
  { name: "PUBLISHER_URL", default: "none", meaning: "Web page of the publisher." },
  { name: "PUBLISHER_EMAIL", default: "none", meaning: "Public contact address of the publisher." },
  { name: "PUBLISHER_ROR", default: "none", meaning: "ROR id of the publisher, such as `https://ror.org/02skbsp27`." },
  { name: "SITE_NAME", default: "`ACCESSION_PUBLISHER`", meaning: "Name of the repository on its public pages." },
  { name: "SITE_LOGO", default: "none", meaning: "SVG or PNG file with the logo of the public pages." },
  {
    name: "SITE_COLOUR",
    default: "dark green",
    meaning: "Colour of links and buttons on the public pages, such as `#1d6653`.",
  },
  { name: "SITE_IMPRINT_URL", default: "none", meaning: "Imprint, to which all public pages link." },
  { name: "SITE_PRIVACY_URL", default: "none", meaning: "Privacy notice, to which all public pages link." },
  {
    name: "SITE_ABOUT",
    default: "none",
    meaning: "Markdown files (separated by commas) about the repository, such as `about.en.md`, shown at `/about`.",
  },
  {
    name: "METADATA_SCHEMAS",
    default: "none",
    meaning: "JSON Schema files (separated by commas) with additional fields of the metadata.",
  },
  {
    name: "PUBLICATION",
    default: "off",
    meaning: "`review`: curators review datasets before publication; `direct`: owners publish; `off`: archive only.",
  },
  {
    name: "DEPOSIT_AGREEMENT",
    default: "a short text in English and German",
    meaning: "Markdown files (separated by commas) with the agreement that owners accept, such as `agreement.en.md`.",
  },
  {
    name: "SELF_APPROVAL",
    default: "off",
    meaning:
      "`on`: curators and admins may approve their own datasets, and metadata that they have changed themselves.",
  },
  {
    name: "REVIEW_REMINDER_DAYS",
    default: "7",
    meaning: "Days after which the owner or curator who must act is reminded, at most three times; 0 for no reminders.",
  },
  {
    name: "DATACITE_REPOSITORY",
    default: "none: publication without DOIs",
    meaning: "Repository account at DataCite that registers DOIs, such as `TIB.IPK`.",
  },
  {
    name: "DATACITE_PASSWORD_FILE",
    default: "required with `ACCESSION_DATACITE_REPOSITORY`",
    meaning: "File with the password of the account.",
  },
  {
    name: "DATACITE_PREFIX",
    default: "required with `ACCESSION_DATACITE_REPOSITORY`",
    meaning: "Prefix of the DOIs, such as `10.5072`.",
  },
  {
    name: "DATACITE_URL",
    default: "https://api.datacite.org",
    meaning: "URL of DataCite’s REST API; `https://api.test.datacite.org` is the test system.",
  },
  {
    name: "CONCEPT_DOI",
    default: "off",
    meaning: "`on`: each dataset also has a DOI that stands for all its versions and leads to the newest one.",
  },
  {
    name: "USAGE_STATISTICS",
    default: "on",
    meaning: "`off`: uses of published datasets are not counted, and the counts are not shown.",
  },
  {
    name: "USAGE_ROBOTS",
    default: "a list that is part of the service",
    meaning: "File with a list of robots that are not counted, such as COUNTER’s `COUNTER_Robots_list.json`.",
  },
  {
    name: "FAILED_RETENTION",
    default: "30 days",
    meaning: "How long a failed submission keeps its stored content for a retry, such as `12 hours`.",
  },
  {
    name: "AUDIT_INTERVAL",
    default: "1 day",
    meaning: "Time between audits, such as `12 hours`; `off` for no audits.",
  },
  { name: "AUDIT_SHARE", default: "3.4%", meaning: "Part of the archive that one audit reads." },
  { name: "LOG_LEVEL", default: "info", meaning: "`fatal`, `error`, `warn`, `info`, `debug` or `trace`." },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]["name"];

/** Reads one setting. Returns the fallback if the setting is missing or invalid. */
export type Read = <T>(name: SettingName, fallback: T, parse: (text: string) => T) => T;

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

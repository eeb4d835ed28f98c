/**
 * Every setting, said once: how it is read, what it is unless set, and what it means. `docs/configuration.md` is
 * generated from this table and a test keeps the two equal.
 */
export interface Setting {
  /** Without the prefix `ACCESSION_`. */
  name: string;
  /** As documented. */
  default: string;
  meaning: string;
  /** Never printed. */
  secret?: true;
}

/** Every variable's name begins with it. */
export const PREFIX = "ACCESSION_";

export const settings = [
  {
    name: "HOST",
    default: "127.0.0.1",
    meaning: "Address to listen on. Anything but loopback needs `ACCESSION_AUTH`.",
  },
  { name: "PORT", default: "8080", meaning: "Port to listen on; 0 takes any free one." },
  {
    name: "METRICS_PORT",
    default: "none: a worker listens nowhere",
    meaning:
      "Port on which a worker answers `/health/live`, `/health/ready` and `/metrics`, on `ACCESSION_HOST` and with the sign-in of the API; 0 takes any free one. Others answer them on `ACCESSION_PORT`.",
  },
  { name: "BASE_PATH", default: "empty", meaning: "Prefix of every path, such as `/accession`." },
  {
    name: "PUBLIC_URL",
    default: "from host and port on loopback, else mandatory",
    meaning:
      "The service’s own origin as its users see it, such as `https://data.example.org`. Mandatory for a worker: receipts name it.",
  },
  {
    name: "TRUSTED_PROXIES",
    default: "none",
    meaning: "CIDRs, separated by commas, whose `X-Forwarded-*` headers count.",
  },
  {
    name: "DATA",
    default: "./data",
    meaning: "Folder of everything embedded. Locked, unless there is a `DATABASE_URL`: a second process is refused.",
  },
  {
    name: "DATABASE_URL",
    default: "unset: the embedded database in the data folder",
    meaning: "PostgreSQL 15 or newer, as `postgres://user:password@host/database`.",
    secret: true,
  },
  {
    name: "ARCHIVE",
    default: "<data>/archive",
    meaning:
      "Folder that holds `ocfl/` (the storage root) and `staging/`, both on one device; or `s3://bucket` or `s3://bucket/prefix`, a place in an object store.",
  },
  {
    name: "ARCHIVE_S3_ENDPOINT",
    default: "Amazon’s of the region",
    meaning: "URL of the object store, such as `https://s3.example.org`. With it the bucket is named in the path.",
  },
  { name: "ARCHIVE_S3_REGION", default: "us-east-1", meaning: "Region of the archive’s bucket." },
  {
    name: "ARCHIVE_S3_ACCESS_KEY",
    default: "mandatory with `s3://`",
    meaning: "Access key of the archive’s bucket. It may list, read, write and delete there.",
    secret: true,
  },
  {
    name: "ARCHIVE_S3_SECRET_KEY",
    default: "mandatory with `s3://`",
    meaning: "Secret key of the archive’s bucket.",
    secret: true,
  },
  {
    name: "ARCHIVE_S3_CA_FILE",
    default: "none",
    meaning: "PEM file of certificate authorities trusted for the archive’s endpoint besides the usual ones.",
  },
  {
    name: "ROLE",
    default: "all",
    meaning:
      "`api`: answers requests. `worker`: does the work and listens nowhere but on a `METRICS_PORT`. `all`: both. The first two need a `DATABASE_URL`, and any number of processes may share one.",
  },
  {
    name: "AUTH",
    default: "none",
    meaning:
      "`none`: everybody who reaches the service may use it. `tokens`: whoever has a token that `accession token create` made. `oidc`: whoever has an access token of the `OIDC_ISSUER`.",
  },
  {
    name: "OIDC_ISSUER",
    default: "mandatory with `oidc`",
    meaning: "The OpenID provider, exactly as it names itself; its keys are found by discovery.",
  },
  {
    name: "OIDC_AUDIENCE",
    default: "mandatory with `oidc`",
    meaning: "What access tokens must name as their audience (`aud`).",
  },
  {
    name: "OIDC_ROLES_CLAIM",
    default: "roles",
    meaning:
      "The claim that names `submitter`, `curator` or `admin`, as a list or as a text of exactly one role (`scope` and `scp`: words separated by spaces); dots lead into objects, such as `realm_access.roles`.",
  },
  {
    name: "OIDC_CLIENT_ID",
    default: "none: nobody signs in on the page",
    meaning:
      "As which client the page signs people in: a public one (authorization code with PKCE) at the `OIDC_ISSUER`, with the redirect URI `<public URL><base path>/app/signed-in`.",
  },
  {
    name: "OIDC_SCOPE",
    default: "openid profile email",
    meaning:
      "What the page asks the provider for. An `OIDC_AUDIENCE` that is a URI is named as the resource (RFC 8707), unless it stands in the scope.",
  },
  {
    name: "QUOTA_SUBMISSIONS",
    default: "none",
    meaning: "Most submissions that one owner may have open at the same time.",
  },
  {
    name: "QUOTA_BYTES",
    default: "none",
    meaning:
      "Most bytes of one owner, such as `5TiB`: archived data that are not withdrawn, open submissions, and all metadata.",
  },
  { name: "QUOTA_OBJECTS", default: "none", meaning: "Most objects of one owner, counted like the bytes." },
  {
    name: "RATE_LIMIT",
    default: "6000; with `ACCESSION_AUTH=none` 0",
    meaning: "Most requests a minute of one caller. 0 for no limit.",
  },
  {
    name: "RATE_LIMIT_CHECKS",
    default: "120; with `ACCESSION_AUTH=none` 1200",
    meaning:
      "Most checks, previews, submissions and new credentials a minute of one caller for one host, and four times as many for all hosts together. 0 for no limit.",
  },
  {
    name: "RATE_LIMIT_SIGN_IN",
    default: "60",
    meaning: "Most requests a minute of one address with a token that is not valid. 0 for no limit.",
  },
  {
    name: "SMTP_URL",
    default: "none: no mail is sent",
    meaning:
      "Where mail is handed in: `smtps://user:password@host` (TLS, port 465), or `smtp://…` (port 587), where STARTTLS is demanded unless the host is loopback. For every process alike.",
    secret: true,
  },
  {
    name: "MAIL_FROM",
    default: "mandatory with `SMTP_URL`",
    meaning: "Sender of all mail, such as `Accession <accession@example.org>`.",
  },
  {
    name: "SECRET_KEY_FILE",
    default: "<data>/secret.key",
    meaning:
      "File of 32 random bytes (base64) that encrypts bucket credentials, keys of webhooks and e-mail addresses. Made when absent; mandatory with a `DATABASE_URL`.",
  },
  {
    name: "SIGNING_KEY_FILE",
    default: "<data>/signing.key",
    meaning:
      "File of the private key (JWK, Ed25519) that signs receipts. Made when absent; mandatory with a `DATABASE_URL`.",
  },
  {
    name: "ALLOW_NETWORKS",
    default: "loopback and private networks while only this machine can ask, else none",
    meaning:
      "CIDRs, separated by commas, of non-public networks that callers’ endpoints may lie in. Unless set: loopback and private ones with `ACCESSION_ROLE=all` on a loopback `HOST` whose `PUBLIC_URL`, where set, is loopback too. Link-local and cloud-metadata addresses are refused always.",
  },
  {
    name: "SOURCE_CA_FILE",
    default: "none",
    meaning: "PEM file of certificate authorities trusted for callers’ endpoints besides the usual ones.",
  },
  {
    name: "SOURCE_CONNECTIONS",
    default: "64",
    meaning:
      "Most connections of one process to callers’ endpoints at a time; how many are used is found out for each endpoint.",
  },
  {
    name: "EGRESS_PROXY",
    default: "none",
    meaning:
      "URL of the proxy through which callers’ endpoints are reached. The environment’s proxy settings are never used.",
    secret: true,
  },
  {
    name: "CORS_ORIGINS",
    default: "none",
    meaning: "Origins, separated by commas, whose pages may call the API, such as `https://edal.example.org`.",
  },
  { name: "PUBLISHER", default: "Accession", meaning: "Publisher in DataCite, RO-Crate and receipts." },
  {
    name: "PUBLISHER_URL",
    default: "none",
    meaning:
      "The publisher’s web page, such as `https://archive.example.org`. It is named in RO-Crate, schema.org and DCAT.",
  },
  {
    name: "PUBLISHER_EMAIL",
    default: "none",
    meaning:
      "Address at which the publisher answers questions about datasets. It is public in RO-Crate, schema.org and DCAT.",
  },
  {
    name: "PUBLISHER_ROR",
    default: "none",
    meaning: "The publisher’s ROR id, such as `https://ror.org/02skbsp27`. DataCite calls it `publisherIdentifier`.",
  },
  {
    name: "DISK_RESERVE",
    default: "5%, at least 2GiB",
    meaning:
      "Space on the archive’s disk that content never fills: a percentage (then at least 2 GiB) or a size such as `50GiB`.",
  },
  {
    name: "FAILED_RETENTION",
    default: "30 days",
    meaning: "How long the staged content of a failed submission is kept for a retry, such as `12 hours` or `30 days`.",
  },
  {
    name: "AUDIT_INTERVAL",
    default: "1 day",
    meaning: "How often the service begins to read archived datasets again, such as `12 hours`; `off` for never.",
  },
  {
    name: "AUDIT_SHARE",
    default: "3.4%",
    meaning:
      "Part of the archive that one run of the audit reads. With both defaults every byte is read again about once in 30 days.",
  },
  {
    name: "LOG_LEVEL",
    default: "info",
    meaning: "`fatal`, `error`, `warn`, `info`, `debug` or `trace`. Secrets are in none of them.",
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]["name"];

/** Reads one setting: its value, or the fallback where it is not set or cannot be used. */
export type Read = <T>(name: SettingName, fallback: T, parse: (text: string) => T) => T;

/** What client verbs of the command line read; the service does not. */
export const clientSettings = [
  { name: "URL", default: "http://127.0.0.1:8080", meaning: "Address of the service that client verbs speak to." },
  { name: "TOKEN", default: "none", meaning: "Token that is sent to the service.", secret: true },
  {
    name: "TOKEN_FILE",
    default: "none",
    meaning: "File that holds the token; read when `ACCESSION_TOKEN` is not set.",
  },
  { name: "ACCESS_KEY", default: "asked for", meaning: "Access key of the bucket.", secret: true },
  { name: "SECRET_KEY", default: "asked for", meaning: "Secret key of the bucket.", secret: true },
  { name: "SESSION_TOKEN", default: "none", meaning: "Session token of temporary credentials.", secret: true },
] as const satisfies readonly Setting[];

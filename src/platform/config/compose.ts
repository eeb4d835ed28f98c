import { join } from "node:path";
import { DEFAULT_AGREEMENTS } from "../../publication/rules/deposit-agreement.ts";
import type { ArchiveSetting } from "./archive.ts";
import { isLoopback, isLoopbackUrl } from "./parse.ts";
import { settingsReader } from "./settings.ts";
import { addressesByLanguage, parsePageOrMailbox } from "./site.ts";
import { tracesOf } from "./traces.ts";

/** The settings of the service. */
export type Config = ReturnType<typeof composeConfig>;

type Read = ReturnType<typeof settingsReader>;

/** Reads all settings. @param problems receives what is wrong with one of them */
export function composeConfig(environment: NodeJS.ProcessEnv, problems: string[]) {
  const read = settingsReader(environment, problems);
  const data = read("DATA");
  const host = read("HOST");
  const databaseUrl = read("DATABASE_URL");
  const archive = archiveOf(read, join(data, "archive"));
  const role = read("ROLE");
  const publicUrl = read("PUBLIC_URL");
  const auth = read("AUTH");
  const publisher = publisherOf(read);
  return {
    host,
    port: read("PORT"),
    /** Port for a worker's health checks and metrics; undefined for none. */
    metricsPort: read("METRICS_PORT"),
    basePath: read("BASE_PATH"),
    /** Undefined: derived from host and port once the service listens. */
    publicUrl,
    trustedProxies: read("TRUSTED_PROXIES"),
    data,
    databaseUrl,
    archive,
    /** Folder of uploaded files; undefined if the service accepts none. */
    uploads: uploadsOf(read, { data, databaseUrl }),
    /** What this process does: answer requests, do the work, or both. */
    role,
    auth,
    /** Set with `auth: "oidc"`. */
    oidc: oidcOf(read),
    /** The limits of one owner; undefined means no limit. */
    quota: { submissions: read("QUOTA_SUBMISSIONS"), bytes: read("QUOTA_BYTES"), objects: read("QUOTA_OBJECTS") },
    /** Maximum number of metadata revisions of a dataset. */
    mostRevisions: read("MOST_REVISIONS"),
    /** Requests per minute; 0 means no limit. Without authentication, all requests have the same caller, on this machine. */
    rateLimits: {
      requests: read("RATE_LIMIT") ?? (auth === "none" ? 0 : 6_000),
      checks: read("RATE_LIMIT_CHECKS") ?? (auth === "none" ? 1_200 : 120),
      signIn: read("RATE_LIMIT_SIGN_IN"),
    },
    /** The mail server; undefined if the service sends no mail. */
    mail: mailOf(read),
    secretKeyFile: read("SECRET_KEY_FILE") ?? join(data, "secret.key"),
    signingKeyFile: read("SIGNING_KEY_FILE") ?? join(data, "signing.key"),
    /** True if missing key files may be created. */
    makeKeys: databaseUrl === undefined,
    /** True while the service listens on loopback only. */
    loopback: isLoopback(host),
    /** True if data sources may be in loopback and private networks, because only this machine can use the service. */
    privateEndpoints: role === "all" && isLoopback(host) && (publicUrl === undefined || isLoopbackUrl(publicUrl)),
    allowNetworks: read("ALLOW_NETWORKS"),
    sourceCaFile: read("SOURCE_CA_FILE"),
    sourceConnections: read("SOURCE_CONNECTIONS"),
    /** Milliseconds that a server may take for a page of a listing. */
    sourceListingTimeoutMs: read("SOURCE_LISTING_TIMEOUT"),
    egressProxy: read("EGRESS_PROXY"),
    /** The identity with which roles of submitters are assumed; undefined if none are. */
    sts: stsOf(read),
    corsOrigins: read("CORS_ORIGINS"),
    publisher,
    /** Fields of the metadata that the operator has defined. */
    fieldGroups: read("METADATA_SCHEMAS"),
    publication: {
      /** `off`: datasets are only archived. `direct`: owners publish without review. */
      mode: read("PUBLICATION"),
      /** At least one text. The first is the default. */
      agreements: read("DEPOSIT_AGREEMENT") ?? DEFAULT_AGREEMENTS,
      /** Prepared texts for the comments of curators. */
      replyTemplates: read("REPLY_TEMPLATES") ?? [],
      /** The account that registers DOIs; undefined if the service registers none. */
      datacite: dataciteOf(read),
      /** Whether datasets get a DOI that stands for all versions. */
      conceptDois: read("CONCEPT_DOI"),
      /** Whether curators may approve their own datasets and edits. */
      selfApproval: read("SELF_APPROVAL"),
      /** Days after which the party that must act is reminded; 0 for no reminders. */
      reminderDays: read("REVIEW_REMINDER_DAYS"),
    },
    /** How the operator wants the public pages to look. */
    site: {
      /** Name of the repository; undefined for that of the publisher. */
      name: read("SITE_NAME"),
      logo: read("SITE_LOGO"),
      /** Of links and buttons. White text on it, and it on the page, have enough contrast. */
      colour: read("SITE_COLOUR"),
      headerColour: read("SITE_HEADER_COLOUR"),
      /** Of web pages. */
      imprint: read("SITE_IMPRINT_URL"),
      privacy: read("SITE_PRIVACY_URL"),
      /** Of a web page or a mailbox. */
      contact: read("SITE_CONTACT_URL") ?? mailboxOf(publisher),
      /** Texts about the repository, in Markdown. */
      about: read("SITE_ABOUT"),
    },
    usage: {
      enabled: read("USAGE_STATISTICS"),
      /** The operator's list of robots; undefined for the list that is part of the service. */
      robots: read("USAGE_ROBOTS"),
    },
    diskReserve: read("DISK_RESERVE"),
    failedRetentionMs: read("FAILED_RETENTION"),
    /** The interval between audit runs (undefined: no audits), and the part of the archive that a run reads. */
    audit: { intervalMs: read("AUDIT_INTERVAL"), share: read("AUDIT_SHARE") },
    logLevel: read("LOG_LEVEL"),
    traces: tracesOf(environment, problems),
  };
}

function archiveOf(read: Read, folder: string): ArchiveSetting {
  const place = read("ARCHIVE") ?? ({ kind: "folder", folder } as const);
  const s3 = {
    endpoint: read("ARCHIVE_S3_ENDPOINT"),
    region: read("ARCHIVE_S3_REGION"),
    credentials: { accessKey: read("ARCHIVE_S3_ACCESS_KEY"), secretKey: read("ARCHIVE_S3_SECRET_KEY") },
    caFile: read("ARCHIVE_S3_CA_FILE"),
  };
  return place.kind === "bucket" ? { ...place, ...s3, kind: "s3" } : place;
}

/**
 * With the embedded database, one process does everything, and its data folder has a place for uploads. Processes that share a database
 * must share this folder, too, so that only the operator can name it.
 */
function uploadsOf(read: Read, { data, databaseUrl }: { data: string; databaseUrl: string | undefined }) {
  const own = { path: databaseUrl === undefined ? join(data, "uploads") : undefined };
  return (read("UPLOADS") ?? own).path;
}

function stsOf(read: Read) {
  const accessKey = read("STS_ACCESS_KEY");
  const secretKey = read("STS_SECRET_KEY");
  const principal = read("STS_PRINCIPAL");
  const region = read("STS_REGION");
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const endpoint = read("STS_ENDPOINT") ?? `https://sts.${region}.${domain}`;
  if (accessKey === undefined || secretKey === undefined || principal === undefined) return undefined;
  return { endpoint, region, principal, credentials: { accessKey, secretKey } };
}

function oidcOf(read: Read) {
  const issuer = read("OIDC_ISSUER");
  const audience = read("OIDC_AUDIENCE");
  const others = { rolesClaim: read("OIDC_ROLES_CLAIM"), clientId: read("OIDC_CLIENT_ID"), scope: read("OIDC_SCOPE") };
  return issuer === undefined || audience === undefined ? undefined : { issuer, audience, ...others };
}

function mailOf(read: Read) {
  const server = read("SMTP_URL");
  const from = read("MAIL_FROM");
  const recipients = {
    /** Recipients of mails to curators about datasets without an assigned curator. */
    curators: read("CURATOR_MAIL"),
    /** Recipients of mails about registrations that only the operator can correct. */
    operators: read("OPERATOR_MAIL"),
    language: read("MAIL_LANGUAGE"),
  };
  return server === undefined || from === undefined ? undefined : { ...server, from, ...recipients };
}

/** The publisher of the datasets. */
function publisherOf(read: Read) {
  const url = read("PUBLISHER_URL");
  const email = read("PUBLISHER_EMAIL");
  const ror = read("PUBLISHER_ROR");
  return {
    name: read("PUBLISHER"),
    ...(url !== undefined && { url }),
    ...(email !== undefined && { email }),
    ...(ror !== undefined && { ror }),
  };
}

/** The public mail address of the publisher, for all languages. */
function mailboxOf({ email }: { email?: string }) {
  return email === undefined ? undefined : addressesByLanguage(parsePageOrMailbox)(`mailto:${email}`);
}

function dataciteOf(read: Read) {
  const url = read("DATACITE_URL");
  const repository = read("DATACITE_REPOSITORY");
  const password = read("DATACITE_PASSWORD_FILE");
  const prefix = read("DATACITE_PREFIX");
  const isComplete = repository !== undefined && password !== undefined && prefix !== undefined;
  return isComplete ? { url, repository, password, prefix } : undefined;
}

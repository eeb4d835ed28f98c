import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_AGREEMENTS, depositAgreement } from "../../publication/rules/deposit-agreement.ts";
import { type Config, ConfigError, describeConfig, readConfig } from "./config.ts";
import { clientSettings, type SettingName, settings } from "./settings.ts";
import { traceSettings } from "./traces.ts";

const GIB = 2 ** 30;
const keys = { ACCESSION_SECRET_KEY_FILE: "/etc/a/secret.key", ACCESSION_SIGNING_KEY_FILE: "/etc/a/signing.key" };
const postgres = { ACCESSION_DATABASE_URL: "postgres://u:p@h/d", ...keys };

function problemsOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const unpublished: Config["publication"] = {
  mode: "off",
  agreements: DEFAULT_AGREEMENTS,
  replyTemplates: [],
  datacite: undefined,
  conceptDois: false,
  selfApproval: false,
  reminderDays: 7,
};

const unbranded = {
  name: undefined,
  logo: undefined,
  colour: undefined,
  headerColour: undefined,
  imprint: undefined,
  privacy: undefined,
  contact: undefined,
  about: [],
};

describe("without settings", () => {
  const defaults: Config = {
    host: "127.0.0.1",
    port: 8080,
    metricsPort: undefined,
    basePath: "",
    publicUrl: undefined,
    trustedProxies: [],
    data: resolve("data"),
    databaseUrl: undefined,
    archive: { kind: "folder", folder: resolve("data/archive") },
    role: "all",
    auth: "none",
    oidc: undefined,
    quota: { submissions: undefined, bytes: undefined, objects: undefined },
    mostRevisions: 100,
    rateLimits: { requests: 0, checks: 1_200, signIn: 60 },
    secretKeyFile: resolve("data/secret.key"),
    signingKeyFile: resolve("data/signing.key"),
    makeKeys: true,
    loopback: true,
    privateEndpoints: true,
    allowNetworks: [],
    sourceCaFile: undefined,
    sourceConnections: 128,
    sourceListingTimeoutMs: 120_000,
    sts: undefined,
    egressProxy: undefined,
    corsOrigins: [],
    mail: undefined,
    fieldGroups: [],
    publisher: { name: "Accession" },
    site: unbranded,
    publication: unpublished,
    usage: { enabled: true, robots: undefined },
    uploads: resolve("data/uploads"),
    diskReserve: { share: 0.05, bytes: 2 * GIB },
    failedRetentionMs: 30 * 86_400_000,
    audit: { intervalMs: 86_400_000, share: 0.034 },
    logLevel: "info",
    traces: undefined,
  };

  test("the defaults apply", () => {
    expect(readConfig({})).toEqual(defaults);
  });

  test("empty settings count as absent, and variables of other programs are ignored", () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [`ACCESSION_${name}`, "  "]));
    const others = { PORT: "1", HTTP_PROXY: "http://proxy", AWS_REGION: "x", accession_port: "1" };
    expect(readConfig({ ...empty, ...others })).toEqual(defaults);
  });
});

const keysOfS3 = { ACCESSION_ARCHIVE_S3_ACCESS_KEY: "AK", ACCESSION_ARCHIVE_S3_SECRET_KEY: "SK" };
const inS3 = { ACCESSION_ARCHIVE: "s3://bucket", ...keysOfS3 };
const sts = {
  endpoint: "https://sts.us-east-1.amazonaws.com",
  region: "us-east-1",
  principal: "arn:aws:iam::123456789012:user/accession",
  credentials: { accessKey: "AK", secretKey: "SK" },
};
const withRoles = {
  ACCESSION_STS_ACCESS_KEY: "AK",
  ACCESSION_STS_SECRET_KEY: "SK",
  ACCESSION_STS_PRINCIPAL: sts.principal,
};
const withMail = { ACCESSION_SMTP_URL: "smtp://mail.example.org", ACCESSION_MAIL_FROM: "a@example.org" };
const asWorker = { ...postgres, ACCESSION_ROLE: "worker" };
const publicUrl = { ACCESSION_PUBLIC_URL: "https://data.example.org" };

test.each([
  ["with the embedded database, they are in its folder", {}, resolve("data/uploads")],
  ["with PostgreSQL, the operator names a folder that all processes have", postgres, undefined],
  ["the operator has named it", { ...postgres, ACCESSION_UPLOADS: "/srv/uploads" }, "/srv/uploads"],
  ["the operator has switched them off", { ACCESSION_UPLOADS: "off" }, undefined],
])("uploads: %s", (_, environment, uploads) => {
  expect(readConfig(environment).uploads).toBe(uploads);
});

describe("every setting is read", () => {
  const oidc = {
    issuer: "https://id.example.org",
    audience: "a",
    rolesClaim: "roles",
    clientId: undefined,
    scope: "openid profile email",
  };
  const signIn = {
    ACCESSION_AUTH: "oidc",
    ACCESSION_OIDC_ISSUER: oidc.issuer,
    ACCESSION_OIDC_AUDIENCE: oidc.audience,
  };
  const s3 = {
    kind: "s3",
    bucket: "bucket",
    prefix: "",
    endpoint: undefined,
    region: "us-east-1",
    credentials: { accessKey: "AK", secretKey: "SK" },
    caFile: undefined,
  } as const;
  const mail = {
    host: "mail.example.org",
    port: 587,
    secure: false,
    user: undefined,
    password: undefined,
    from: { name: "", address: "a@example.org" },
    curators: [] as string[],
    operators: [] as string[],
    language: "en" as const,
  };
  const folder = mkdtempSync(join(tmpdir(), "accession-config-"));
  const password = join(folder, "password");
  const agreement = join(folder, "agreement.de-AT.md");
  writeFileSync(password, "a secret\n");
  writeFileSync(agreement, "# Vereinbarung\n");
  const replies = join(folder, "replies.de.md");
  writeFileSync(replies, "# Lizenz\n\nBitte ergänzen.\n");
  afterAll(() => rmSync(folder, { recursive: true }));
  const account = { url: "https://api.datacite.org", repository: "TEST.REPO", password: "a secret", prefix: "10.5072" };
  const withAccount = (changed: Partial<typeof account>) => ({
    publication: { ...unpublished, mode: "review" as const, datacite: { ...account, ...changed } },
  });
  const withDatacite = {
    ACCESSION_PUBLICATION: "review",
    ...publicUrl,
    ACCESSION_AUTH: "tokens",
    ACCESSION_DATACITE_REPOSITORY: "TEST.REPO",
    ACCESSION_DATACITE_PASSWORD_FILE: password,
    ACCESSION_DATACITE_PREFIX: "10.5072",
  };
  const cases: Record<SettingName, [value: string, read: Partial<Config>]> = {
    HOST: ["::1", { host: "::1" }],
    PORT: ["0", { port: 0 }],
    METRICS_PORT: ["9464", { metricsPort: 9464 }],
    BASE_PATH: ["/accession/v1/", { basePath: "/accession/v1" }],
    PUBLIC_URL: ["https://Data.example.org:443/", { publicUrl: "https://data.example.org" }],
    TRUSTED_PROXIES: ["10.0.0.0/8, fd00::/8,", { trustedProxies: ["10.0.0.0/8", "fd00::/8"] }],
    DATA: [
      "/srv/a",
      { data: "/srv/a", archive: { kind: "folder", folder: "/srv/a/archive" }, secretKeyFile: "/srv/a/secret.key" },
    ],
    DATABASE_URL: ["postgres://u:p@h/d", { databaseUrl: "postgres://u:p@h/d", makeKeys: false }],
    ARCHIVE: ["./elsewhere", { archive: { kind: "folder", folder: resolve("elsewhere") } }],
    ARCHIVE_S3_ENDPOINT: ["https://s3.example.org/", { archive: { ...s3, endpoint: "https://s3.example.org" } }],
    ARCHIVE_S3_REGION: ["eu-central-1", { archive: { ...s3, region: "eu-central-1" } }],
    ARCHIVE_S3_ACCESS_KEY: [
      "AKARCHIVE",
      { archive: { ...s3, credentials: { ...s3.credentials, accessKey: "AKARCHIVE" } } },
    ],
    ARCHIVE_S3_SECRET_KEY: ["secret", { archive: { ...s3, credentials: { ...s3.credentials, secretKey: "secret" } } }],
    ARCHIVE_S3_CA_FILE: ["ca.pem", { archive: { ...s3, caFile: resolve("ca.pem") } }],
    ROLE: ["api", { role: "api" }],
    AUTH: ["tokens", { auth: "tokens", rateLimits: { requests: 6_000, checks: 120, signIn: 60 } }],
    OIDC_ISSUER: [
      "https://id.example.org/realms/lab",
      { oidc: { ...oidc, issuer: "https://id.example.org/realms/lab" } },
    ],
    OIDC_AUDIENCE: ["accession", { oidc: { ...oidc, audience: "accession" } }],
    OIDC_ROLES_CLAIM: ["realm_access.roles", { oidc: { ...oidc, rolesClaim: "realm_access.roles" } }],
    OIDC_CLIENT_ID: ["accession-page", { oidc: { ...oidc, clientId: "accession-page" } }],
    OIDC_SCOPE: ["openid offline_access", { oidc: { ...oidc, scope: "openid offline_access" } }],
    QUOTA_SUBMISSIONS: ["3", { quota: { submissions: 3, bytes: undefined, objects: undefined } }],
    QUOTA_BYTES: ["1.5TiB", { quota: { submissions: undefined, bytes: 1.5 * 2 ** 40, objects: undefined } }],
    MOST_REVISIONS: ["20", { mostRevisions: 20 }],
    QUOTA_OBJECTS: ["1000000", { quota: { submissions: undefined, bytes: undefined, objects: 1_000_000 } }],
    RATE_LIMIT: ["100", { rateLimits: { requests: 100, checks: 1_200, signIn: 60 } }],
    RATE_LIMIT_CHECKS: ["0", { rateLimits: { requests: 0, checks: 0, signIn: 60 } }],
    RATE_LIMIT_SIGN_IN: ["5", { rateLimits: { requests: 0, checks: 1_200, signIn: 5 } }],
    SMTP_URL: [
      "smtps://u:p%40w@mail.example.org",
      { mail: { ...mail, secure: true, port: 465, user: "u", password: "p@w" } },
    ],
    MAIL_FROM: [
      "The lab’s <lab@example.org>",
      { mail: { ...mail, from: { name: "The lab’s", address: "lab@example.org" } } },
    ],
    MAIL_LANGUAGE: ["de", { mail: { ...mail, language: "de" as const } }],
    CURATOR_MAIL: ["a@example.org, b@example.org", { mail: { ...mail, curators: ["a@example.org", "b@example.org"] } }],
    OPERATOR_MAIL: ["ops@example.org", { mail: { ...mail, operators: ["ops@example.org"] } }],
    SECRET_KEY_FILE: ["k/secret", { secretKeyFile: resolve("k/secret") }],
    SIGNING_KEY_FILE: ["k/signing", { signingKeyFile: resolve("k/signing") }],
    ALLOW_NETWORKS: ["192.168.0.0/16", { allowNetworks: ["192.168.0.0/16"] }],
    SOURCE_CA_FILE: ["ca.pem", { sourceCaFile: resolve("ca.pem") }],
    SOURCE_CONNECTIONS: ["16", { sourceConnections: 16 }],
    SOURCE_LISTING_TIMEOUT: ["10 minutes", { sourceListingTimeoutMs: 600_000 }],
    STS_ACCESS_KEY: ["AKOTHER", { sts: { ...sts, credentials: { ...sts.credentials, accessKey: "AKOTHER" } } }],
    STS_SECRET_KEY: ["other", { sts: { ...sts, credentials: { ...sts.credentials, secretKey: "other" } } }],
    STS_PRINCIPAL: ["arn:aws-cn:iam::1:role/a", { sts: { ...sts, principal: "arn:aws-cn:iam::1:role/a" } }],
    STS_REGION: [
      "eu-central-1",
      { sts: { ...sts, region: "eu-central-1", endpoint: "https://sts.eu-central-1.amazonaws.com" } },
    ],
    STS_ENDPOINT: ["https://s3.example.org/", { sts: { ...sts, endpoint: "https://s3.example.org" } }],
    EGRESS_PROXY: ["http://u:p%40@proxy:3128", { egressProxy: "http://u:p%40@proxy:3128" }],
    CORS_ORIGINS: ["https://a.org, http://b.org:81", { corsOrigins: ["https://a.org", "http://b.org:81"] }],
    PUBLISHER: [" IPK Gatersleben ", { publisher: { name: "IPK Gatersleben" } }],
    PUBLISHER_URL: [
      "https://archive.example.org",
      { publisher: { name: "Accession", url: "https://archive.example.org/" } },
    ],
    PUBLISHER_EMAIL: [
      "help@example.org",
      {
        publisher: { name: "Accession", email: "help@example.org" },
        site: { ...unbranded, contact: { en: "mailto:help@example.org", de: "mailto:help@example.org" } },
      },
    ],
    PUBLISHER_ROR: ["02skbsp27", { publisher: { name: "Accession", ror: "https://ror.org/02skbsp27" } }],
    SITE_NAME: ["Field data", { site: { ...unbranded, name: "Field data" } }],
    SITE_LOGO: [
      "web/src/theme/icon.svg",
      { site: { ...unbranded, logo: { mediaType: "image/svg+xml", bytes: expect.any(Buffer) } } },
    ],
    SITE_COLOUR: ["#1f4e79", { site: { ...unbranded, colour: [31, 78, 121] } }],
    SITE_HEADER_COLOUR: ["#f2c100", { site: { ...unbranded, headerColour: [242, 193, 0] } }],
    SITE_IMPRINT_URL: [
      "https://example.org/imprint, de=https://example.org/impressum,1",
      {
        site: { ...unbranded, imprint: { en: "https://example.org/imprint", de: "https://example.org/impressum,1" } },
      },
    ],
    SITE_PRIVACY_URL: [
      "https://example.org/privacy",
      { site: { ...unbranded, privacy: { en: "https://example.org/privacy", de: "https://example.org/privacy" } } },
    ],
    SITE_CONTACT_URL: [
      "de=mailto:hilfe@example.org",
      { site: { ...unbranded, contact: { en: "mailto:hilfe@example.org", de: "mailto:hilfe@example.org" } } },
    ],
    SITE_ABOUT: [agreement, { site: { ...unbranded, about: [{ language: "de-at", text: "# Vereinbarung\n" }] } }],
    METADATA_SCHEMAS: [
      "docs/examples/miappe.json",
      { fieldGroups: [expect.objectContaining({ name: "miappe", title: "Plant phenotyping (MIAPPE)" })] },
    ],
    PUBLICATION: ["direct", { publication: { ...unpublished, mode: "direct" } }],
    DEPOSIT_AGREEMENT: [
      agreement,
      { publication: { ...unpublished, mode: "review", agreements: [depositAgreement("de-at", "# Vereinbarung\n")] } },
    ],
    REPLY_TEMPLATES: [
      replies,
      {
        publication: {
          ...unpublished,
          mode: "review",
          replyTemplates: [{ language: "de", title: "Lizenz", text: "Bitte ergänzen." }],
        },
      },
    ],
    REVIEW_REMINDER_DAYS: ["0", { publication: { ...unpublished, reminderDays: 0 } }],
    DATACITE_URL: ["https://api.test.datacite.org/", withAccount({ url: "https://api.test.datacite.org" })],
    DATACITE_REPOSITORY: ["TIB.IPK", withAccount({ repository: "TIB.IPK" })],
    DATACITE_PASSWORD_FILE: [password, withAccount({})],
    DATACITE_PREFIX: ["10.12345.6", withAccount({ prefix: "10.12345.6" })],
    CONCEPT_DOI: ["on", { publication: { ...withAccount({}).publication, conceptDois: true } }],
    SELF_APPROVAL: ["on", { publication: { ...unpublished, selfApproval: true } }],
    USAGE_STATISTICS: ["off", { usage: { enabled: false, robots: undefined } }],
    USAGE_ROBOTS: [
      "tests/fixtures/robots.json",
      { usage: { enabled: true, robots: /(?:^collector\/)|(?:preview.?service)/i } },
    ],
    UPLOADS: ["/srv/uploads", { uploads: "/srv/uploads" }],
    DISK_RESERVE: ["50GiB", { diskReserve: { share: 0, bytes: 50 * GIB } }],
    FAILED_RETENTION: ["12 hours", { failedRetentionMs: 12 * 3_600_000 }],
    AUDIT_INTERVAL: ["off", { audit: { intervalMs: undefined, share: 0.034 } }],
    AUDIT_SHARE: ["50 %", { audit: { intervalMs: 86_400_000, share: 0.5 } }],
    LOG_LEVEL: ["debug", { logLevel: "debug" }],
  };

  test.each(settings.map(({ name }) => name))("ACCESSION_%s", (name) => {
    const [value, read] = cases[name];
    const others = {
      ...(["DATABASE_URL", "ROLE"].includes(name) && postgres),
      ...(name.startsWith("OIDC_") && signIn),
      ...(name.startsWith("ARCHIVE_S3_") && inS3),
      ...(name.startsWith("STS_") && withRoles),
      ...((name.startsWith("DATACITE_") || name === "CONCEPT_DOI") && withDatacite),
      ...(["SMTP_URL", "MAIL_FROM", "MAIL_LANGUAGE", "CURATOR_MAIL", "OPERATOR_MAIL"].includes(name) && withMail),
      ...(["PUBLIC_URL", "TRUSTED_PROXIES"].includes(name) && { ACCESSION_AUTH: "tokens" }),
      ...((name === "DEPOSIT_AGREEMENT" || name === "REPLY_TEMPLATES") && { ACCESSION_PUBLICATION: "review" }),
    };
    expect(readConfig({ ...others, [`ACCESSION_${name}`]: value })).toMatchObject(read);
  });
});

describe("a wrong value is named with its setting", () => {
  test.each<[SettingName, string[], string]>([
    ["PORT", ["65536", "-1", "80x", "1e3", "0x50"], "is not a port"],
    ["BASE_PATH", ["accession", "/a b", "/a//b", "/ä", "/a?b", "/..", "/a/./b"], "is not a path"],
    [
      "PUBLIC_URL",
      [
        "data.example.org",
        "ftp://x.org",
        "https://x.org/path",
        "https://u@x.org",
        "https://:p@x.org",
        "https://x.org#f",
        "https://x.org?q",
      ],
      "is not an origin",
    ],
    ["CORS_ORIGINS", ["*", "https://a.org,b.org", "null"], "is not an origin"],
    [
      "TRUSTED_PROXIES",
      ["10.0.0.0", "10.0.0.0/33", "fd00::/129", "10/8", "x/8", "10.0.0.0/8/8", "10.0.0.0/"],
      "is not a network",
    ],
    ["ALLOW_NETWORKS", ["localhost", "10.0.0.0/8,x", "fe80::1%eth0/64"], "is not a network"],
    [
      "ARCHIVE",
      ["s3://", "s3://B", "s3://bucket/a//b", "s3://bucket/../x", "s3://bucket/a b"],
      "is not a location such as",
    ],
    ["ARCHIVE_S3_ENDPOINT", ["s3.example.org", "ftp://s3.example.org", "https://u:p@s3.example.org"], "is not a URL"],
    ["PUBLISHER_URL", ["archive.example.org", "ftp://x.org", "https://u:p@x.org"], "is not the address of a web page"],
    ["SITE_NAME", ["x".repeat(101)], "is not a name"],
    ["SITE_LOGO", ["package.json"], "which is neither SVG nor PNG"],
    ["SITE_COLOUR", ["green", "#fff", "rgb(1,2,3)"], "is not a colour such as"],
    ["SITE_COLOUR", ["#ffff00", "#8bc34a"], "choose a darker colour"],
    ["SITE_IMPRINT_URL", ["imprint", "javascript:alert(1)"], "is not the address of a web page"],
    ["SITE_PRIVACY_URL", ["ftp://x.org", "https://a.org,de=", "de="], "is not the address of a web page"],
    ["SITE_PRIVACY_URL", ["fr=https://a.org"], "names the language “fr”"],
    ["SITE_PRIVACY_URL", ["en=https://a.org,en=https://b.org"], "names two addresses for the language “en”"],
    ["SITE_CONTACT_URL", ["javascript:alert(1)", "help@example.org"], "is not the address of a web page"],
    ["SITE_CONTACT_URL", ["mailto:help", "mailto:a@example.org?bcc=b@example.org"], "is not a mail address"],
    ["SITE_HEADER_COLOUR", ["red"], "is not a colour such as"],
    ["SITE_ABOUT", ["about.md"], "as in about.en.md"],
    ["PUBLISHER_EMAIL", ["help", "help@localhost", "A <help@example.org>", "a@b@example.org"], "is not a mail address"],
    ["PUBLISHER_ROR", ["x", "https://ror.org/", "https://ror.org/12skbsp27"], "is not a ROR id"],
    ["MAIL_LANGUAGE", ["fr", "DE"], "must be en or de"],
    ["REVIEW_REMINDER_DAYS", ["-1", "366", "a week"], "is not a"],
    ["PUBLICATION", ["on", "Review"], "must be off or review or direct"],
    ["ROLE", ["everything"], "must be all or api or worker"],
    ["SOURCE_CONNECTIONS", ["1", "0", "10001"], "is not a number from 2 to 10000"],
    ["SOURCE_LISTING_TIMEOUT", ["0 seconds", "2 hours"], "is not from 1 second to 1 hour"],
    ["AUTH", ["None", "basic"], "must be none or tokens or oidc"],
    ["QUOTA_BYTES", ["much", "5%", "-1GiB", "5 GB"], "is not a size"],
    ["QUOTA_SUBMISSIONS", ["-1", "1.5", "1e3", "many"], "is not a whole number"],
    ["QUOTA_OBJECTS", ["-1"], "is not a whole number"],
    ["RATE_LIMIT", ["-1", "10/s"], "is not a whole number"],
    ["RATE_LIMIT_CHECKS", ["x"], "is not a whole number"],
    ["RATE_LIMIT_SIGN_IN", ["x"], "is not a whole number"],
    ["EGRESS_PROXY", ["proxy:3128", "socks5://proxy", "http://", "http://u:p%@proxy:3128"], "is not a URL"],
    ["DISK_RESERVE", ["much", "100%", "-1GiB", "5 GB", "%"], ""],
    ["FAILED_RETENTION", ["30", "a month", "1.5 days", "-1 days", "1 week"], "is not a duration"],
    ["USAGE_STATISTICS", ["yes"], "must be on or off"],
    ["USAGE_ROBOTS", ["missing.json"], "which cannot be read"],
    ["USAGE_ROBOTS", ["README.md"], "which is not JSON"],
    ["USAGE_ROBOTS", ["package.json"], "which is not an array of patterns"],
    ["LOG_LEVEL", ["verbose", "INFO"], "must be fatal or error"],
  ])("ACCESSION_%s: %j %s", (name, values, words) => {
    for (const value of values) {
      const problems = problemsOf({
        ...(name.startsWith("ARCHIVE_S3_") && inS3),
        [`ACCESSION_${name}`]: value,
        ...(name === "MAIL_LANGUAGE" && withMail),
      });
      expect(problems, value).toHaveLength(1);
      expect(problems[0]).toMatch(new RegExp(`^ACCESSION_${name} `));
      expect(problems[0]).toContain(words);
    }
  });

  test.each([
    [{}, "ACCESSION_DATACITE_PASSWORD_FILE is mandatory with ACCESSION_DATACITE_REPOSITORY"],
    [{ PASSWORD_FILE: "/missing" }, "names the file “/missing”, which cannot be read (ENOENT)"],
    [{ URL: "http://api.datacite.org" }, "is not an address such as https://api.test.datacite.org"],
    [{ URL: "https://user:secret@api.datacite.org" }, "is not an address such as"],
    [{ PREFIX: "11.5072" }, "is not a DOI prefix such as 10.5072"],
    [{ REPOSITORY: "repo:x" }, "is not a repository id such as TIB.IPK"],
  ])("the DataCite account %j", (datacite, words) => {
    const named = Object.entries({ REPOSITORY: "A.B", PREFIX: "10.5072", ...datacite }).map(
      ([name, value]) => [`ACCESSION_DATACITE_${name}`, value] as const,
    );
    const problems = problemsOf({ ACCESSION_PUBLICATION: "review", ...Object.fromEntries(named) });
    expect(problems.join("\n")).toContain(words);
    expect(problems.join("\n")).not.toContain("secret@");
  });

  test("shared mail addresses, which are not used without a mail server", () => {
    expect(problemsOf({ ACCESSION_CURATOR_MAIL: "a@example.org" })).toEqual([
      "ACCESSION_CURATOR_MAIL is only used with ACCESSION_SMTP_URL",
    ]);
    for (const value of ["curators", "a@example.org b@example.org", "A <a@example.org>"]) {
      expect(problemsOf({ ...withMail, ACCESSION_OPERATOR_MAIL: value })).toEqual([
        "ACCESSION_OPERATOR_MAIL is not a list of mail addresses such as curators@example.org",
      ]);
    }
  });

  test("reply templates without a title or a text, or with the same title twice", () => {
    const folder = mkdtempSync(join(tmpdir(), "accession-replies-"));
    const file = join(folder, "replies.en.md");
    const problemOf = (text: string) => {
      writeFileSync(file, text);
      return problemsOf({ ACCESSION_PUBLICATION: "review", ACCESSION_REPLY_TEMPLATES: file })[0];
    };
    expect(problemOf("Hello\n")).toContain("must begin with a heading such as “# Missing licence”");
    expect(problemOf("# A\nText\n# B\n")).toContain("has no text for the template “B”");
    expect(problemOf("# A\nText\n# A\nText\n")).toContain("has two templates with the title “A”");
    rmSync(folder, { recursive: true });
  });

  test("a text about the repository in a language that the public pages do not have", () => {
    const folder = mkdtempSync(join(tmpdir(), "accession-config-"));
    const about = join(folder, "about.fr.md");
    writeFileSync(about, "# Archives\n");
    expect(problemsOf({ ACCESSION_SITE_ABOUT: about })).toEqual([
      "ACCESSION_SITE_ABOUT names a file in the language “fr”; the public pages have en and de",
    ]);
    rmSync(folder, { recursive: true });
  });

  test("an agreement without a language, and DOIs that would lead to this machine", () => {
    const publication = { ACCESSION_PUBLICATION: "review" };
    expect(problemsOf({ ...publication, ACCESSION_DEPOSIT_AGREEMENT: "/etc/agreement.md" })).toEqual([
      "ACCESSION_DEPOSIT_AGREEMENT names the file “/etc/agreement.md”; such a file’s name must end with its language, as in agreement.en.md",
    ]);
    expect(problemsOf({ ACCESSION_DEPOSIT_AGREEMENT: "/missing/agreement.en.md" })[0]).toContain("ENOENT");
    expect(
      problemsOf({
        ...publication,
        ACCESSION_DATACITE_REPOSITORY: "A.B",
        ACCESSION_DATACITE_PREFIX: "10.5072",
        ACCESSION_DATACITE_PASSWORD_FILE: "package.json",
      })[0],
    ).toContain("does not contain exactly one line");
  });

  test("and all wrong values are reported together", () => {
    const problems = problemsOf({
      ACCESSION_PROT: "8080",
      ACCESSION_OIDC_CLIENT: "accession",
      ACCESSION_COLOUR_OF_THE_PAGE: "green",
      ACCESSION_PORT: "x",
      ACCESSION_HOST: "0.0.0.0",
      ACCESSION_DISK_RESERVE: "x",
      ACCESSION_DATABASE_URL: "mysql://u:secret@h/d",
    });
    expect(problems).toEqual([
      "ACCESSION_PROT is not a setting of this version. Did you mean ACCESSION_PORT?",
      "ACCESSION_OIDC_CLIENT is not a setting of this version. Did you mean ACCESSION_OIDC_CLIENT_ID?",
      "ACCESSION_COLOUR_OF_THE_PAGE is not a setting of this version",
      "ACCESSION_DATABASE_URL is not a URL such as postgres://user@host/database",
      "ACCESSION_PORT is not a port (0 to 65535)",
      "ACCESSION_DISK_RESERVE is neither a percentage nor a size such as 50GiB",
      "ACCESSION_HOST is not loopback: with ACCESSION_AUTH=none, anyone on the network could use the service",
      "ACCESSION_PUBLIC_URL is mandatory when the service does not listen on loopback",
    ]);
    const error = new ConfigError(problems);
    for (const problem of problems) expect(error.message).toContain(problem);
    expect(error.message).not.toContain("secret");
  });
});

describe("settings that contradict each other are refused", () => {
  test.each(["0.0.0.0", "::", "192.168.1.4", "data.example.org", "1270.0.0.1"])("open to all on %s", (host) => {
    const environment = { ACCESSION_HOST: host, ...publicUrl };
    expect(problemsOf(environment)).toEqual([expect.stringContaining("ACCESSION_HOST is not loopback")]);
  });

  test.each([
    ["a public URL", publicUrl],
    ["a proxy", { ACCESSION_TRUSTED_PROXIES: "127.0.0.1/32" }],
    ["an API", { ...postgres, ACCESSION_ROLE: "api", ...publicUrl }],
  ])("open to all through %s", (_, environment) => {
    expect(problemsOf(environment)).toEqual([
      expect.stringContaining("everyone who reaches the service through a proxy"),
    ]);
    expect(problemsOf({ ...environment, ACCESSION_AUTH: "tokens" })).toEqual([]);
  });

  test("but not to this machine under a name of it", () => {
    expect(problemsOf({ ACCESSION_PUBLIC_URL: "http://localhost:8080" })).toEqual([]);
  });

  test.each(["localhost", "127.0.0.1", "127.3.2.1", "::1"])("but not open to this machine on %s", (host) => {
    expect(readConfig({ ACCESSION_HOST: host }).loopback).toBe(true);
  });

  test.each(["ocfl", "staging", "withdrawn", "ocfl/abc/data"])("a data folder in the archive’s folder %s", (name) => {
    expect(problemsOf({ ACCESSION_ARCHIVE: "/srv/acc", ACCESSION_DATA: `/srv/acc/${name}` })).toEqual([
      expect.stringMatching(/^ACCESSION_DATA is inside the folder “(ocfl|staging|withdrawn)” of ACCESSION_ARCHIVE/),
    ]);
  });

  test.each(["data", "ocfl-data", "."])("but not a data folder beside them: %s", (name) => {
    const config = readConfig({ ACCESSION_ARCHIVE: "/srv/acc", ACCESSION_DATA: `/srv/acc/${name}` });
    expect(config.archive).toEqual({ kind: "folder", folder: "/srv/acc" });
  });

  test("PostgreSQL without key files", () => {
    const environment = { ACCESSION_DATABASE_URL: "postgresql://h/d" };
    expect(problemsOf(environment)).toEqual([
      "ACCESSION_SECRET_KEY_FILE is mandatory with ACCESSION_DATABASE_URL",
      "ACCESSION_SIGNING_KEY_FILE is mandatory with ACCESSION_DATABASE_URL",
    ]);
    expect(problemsOf({ ...environment, ...keys, ACCESSION_SECRET_KEY_FILE: " " })).toHaveLength(1);
    expect(problemsOf({ ...environment, ...keys })).toEqual([]);
  });
});

describe("a worker", () => {
  test("requires a shared database and the URL of its service", () => {
    expect(problemsOf({ ACCESSION_ROLE: "worker" })).toEqual([
      expect.stringMatching(/^ACCESSION_ROLE=worker requires ACCESSION_DATABASE_URL/),
      expect.stringMatching(/^ACCESSION_PUBLIC_URL is mandatory for a worker/),
    ]);
    expect(problemsOf({ ACCESSION_ROLE: "api" })).toHaveLength(1);
  });

  test.each<[what: string, settings: Record<string, string>, allowed: boolean]>([
    ["a laptop", {}, true],
    ["a laptop that names itself", { ACCESSION_PUBLIC_URL: "http://[::1]:8080" }, true],
    ["behind a proxy on this machine", { ...publicUrl, ACCESSION_AUTH: "tokens" }, false],
    ["an API for workers", { ...postgres, ACCESSION_ROLE: "api" }, false],
    ["a worker", { ...asWorker, ACCESSION_PUBLIC_URL: "http://127.0.0.1:8080" }, false],
  ])("%s: may endpoints be private?", (_, settings, allowed) => {
    expect(readConfig(settings).privateEndpoints).toBe(allowed);
  });
});

describe("settings of authentication must be complete or absent", () => {
  const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: "https://id.org", ACCESSION_OIDC_AUDIENCE: "a" };

  test("what it needs", () => {
    expect(problemsOf({ ACCESSION_AUTH: "oidc" })).toEqual([
      "ACCESSION_OIDC_ISSUER is mandatory with ACCESSION_AUTH=oidc",
      "ACCESSION_OIDC_AUDIENCE is mandatory with ACCESSION_AUTH=oidc",
    ]);
    expect(problemsOf(oidc)).toEqual([]);
  });

  test.each(["id.org", "http://id.org", "https://id.org/?x", "https://id.org/#x", "https://u@id.org", "ftp://id.org"])(
    "an issuer that is none: %s",
    (issuer) => {
      expect(problemsOf({ ...oidc, ACCESSION_OIDC_ISSUER: issuer })).toEqual([
        expect.stringContaining("ACCESSION_OIDC_ISSUER is not an issuer"),
      ]);
    },
  );

  test.each(["none", "tokens"])("what it does not use, with %s", (auth) => {
    expect(problemsOf({ ...oidc, ACCESSION_AUTH: auth })).toEqual([
      "ACCESSION_OIDC_ISSUER is only used with ACCESSION_AUTH=oidc",
      "ACCESSION_OIDC_AUDIENCE is only used with ACCESSION_AUTH=oidc",
    ]);
  });

  test("and with it the service may be open to the network", () => {
    const open = { ACCESSION_HOST: "0.0.0.0", ...publicUrl };
    expect(problemsOf({ ...open, ACCESSION_AUTH: "tokens" })).toEqual([]);
    expect(problemsOf({ ...open, ...oidc })).toEqual([]);
  });
});

describe("described", () => {
  test("every setting has its value or its default", () => {
    const described = describeConfig({ ACCESSION_PORT: "81", ACCESSION_PUBLISHER: " " });
    const own = settings.map(({ name }) => `ACCESSION_${name}`);
    expect(Object.keys(described)).toEqual([...own, ...traceSettings.map(({ name }) => name)]);
    expect(described.ACCESSION_PORT).toBe("81");
    expect(described.ACCESSION_PUBLISHER).toBe("(Accession)");
  });

  test("secrets are masked", () => {
    const secrets = {
      ACCESSION_DATABASE_URL: "postgres://u:hidden@h/d",
      ACCESSION_EGRESS_PROXY: "http://u:hidden@proxy:3128",
      ACCESSION_SECRET_KEY: "hidden",
      ACCESSION_TOKEN: "hidden",
    };
    const described = describeConfig(secrets);
    expect(described.ACCESSION_DATABASE_URL).toBe("********");
    expect(described.ACCESSION_EGRESS_PROXY).toBe("********");
    expect(JSON.stringify(described)).not.toContain("hidden");
  });
});

test("the service accepts the settings of client commands, and ignores them", () => {
  const environment = Object.fromEntries(clientSettings.map(({ name }) => [`ACCESSION_${name}`, "x"]));
  expect(readConfig(environment)).toEqual(readConfig({}));
});

test("the archive is in the data folder unless it is configured", () => {
  const archiveOf = (more: object) => readConfig({ ACCESSION_DATA: "d", ...more }).archive;
  expect(archiveOf({ ACCESSION_ARCHIVE: "/mnt/a" })).toEqual({ kind: "folder", folder: "/mnt/a" });
  expect(archiveOf({})).toEqual({ kind: "folder", folder: join(resolve("d"), "archive") });
});

describe("an archive in an object store", () => {
  test("is a bucket, or a bucket and a prefix", () => {
    const placeOf = (ACCESSION_ARCHIVE: string) => readConfig({ ...keysOfS3, ACCESSION_ARCHIVE }).archive;
    expect(placeOf("s3://bucket/")).toMatchObject({ bucket: "bucket", prefix: "" });
    expect(placeOf("s3://bucket/a/b.c/")).toMatchObject({ bucket: "bucket", prefix: "a/b.c" });
  });

  test("wants both keys, and they count with it alone", () => {
    expect(problemsOf({ ACCESSION_ARCHIVE: "s3://bucket" })).toEqual([
      "ACCESSION_ARCHIVE_S3_ACCESS_KEY is mandatory with ACCESSION_ARCHIVE=s3://…",
      "ACCESSION_ARCHIVE_S3_SECRET_KEY is mandatory with ACCESSION_ARCHIVE=s3://…",
    ]);
    expect(problemsOf(keysOfS3)).toEqual([
      "ACCESSION_ARCHIVE_S3_ACCESS_KEY is only used with ACCESSION_ARCHIVE=s3://…",
      "ACCESSION_ARCHIVE_S3_SECRET_KEY is only used with ACCESSION_ARCHIVE=s3://…",
    ]);
  });
});

describe("an identity for roles", () => {
  test("wants a secret key and a principal, and other settings count with it alone", () => {
    expect(problemsOf({ ACCESSION_STS_ACCESS_KEY: "AK" })).toEqual([
      "ACCESSION_STS_SECRET_KEY is mandatory with ACCESSION_STS_ACCESS_KEY",
      "ACCESSION_STS_PRINCIPAL is mandatory with ACCESSION_STS_ACCESS_KEY",
    ]);
    expect(problemsOf({ ACCESSION_STS_ENDPOINT: "https://sts.example.org", ACCESSION_STS_REGION: "x" })).toEqual([
      "ACCESSION_STS_REGION is only used with ACCESSION_STS_ACCESS_KEY",
      "ACCESSION_STS_ENDPOINT is only used with ACCESSION_STS_ACCESS_KEY",
    ]);
  });

  test("receives keys of roles over TLS, or on this machine", () => {
    const problems = (ACCESSION_STS_ENDPOINT: string) => problemsOf({ ...withRoles, ACCESSION_STS_ENDPOINT });
    expect(problems("http://10.0.0.1:8000")).toEqual([
      expect.stringMatching(/^ACCESSION_STS_ENDPOINT must begin with https/),
    ]);
    expect(readConfig({ ...withRoles, ACCESSION_STS_ENDPOINT: "http://127.0.0.1:8000" }).sts?.endpoint).toBe(
      "http://127.0.0.1:8000",
    );
  });
});

describe("traces", () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };
  const sampler = { parentBased: true, ratio: 1 };

  test("go to the collector that is named, and nowhere when they are switched off", () => {
    expect(readConfig(collector).traces).toEqual({ url: "http://127.0.0.1:4318/v1/traces", sampler });
    const own = { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t.example.org/x" };
    expect(readConfig(own).traces).toEqual({ url: "https://t.example.org/x", sampler });
    expect(readConfig({ ...collector, OTEL_SDK_DISABLED: "true" }).traces).toBeUndefined();
    expect(readConfig({ ...collector, OTEL_TRACES_EXPORTER: "none" }).traces).toBeUndefined();
    // These variables are for other programs on the machine.
    expect(readConfig({ OTEL_TRACES_SAMPLER: "x", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }).traces).toBeUndefined();
  });

  test.each([
    [{ OTEL_TRACES_SAMPLER: "always_on" }, { parentBased: false, ratio: 1 }],
    [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, { parentBased: true, ratio: 0 }],
    [
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" },
      { parentBased: true, ratio: 0.25 },
    ],
  ])("are chosen by %j", (set, chosen) => {
    expect(readConfig({ ...collector, ...set }).traces?.sampler).toEqual(chosen);
  });

  test("that cannot be sent are named, without what may be a password", () => {
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "user:hidden@collector",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_TRACES_EXPORTER: "zipkin",
      OTEL_TRACES_SAMPLER: "sometimes",
      OTEL_TRACES_SAMPLER_ARG: "2",
    };
    expect(problemsOf(wrong).map((problem) => problem.split(" ")[0])).toEqual([
      "OTEL_TRACES_EXPORTER",
      "OTEL_EXPORTER_OTLP_PROTOCOL",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_TRACES_SAMPLER_ARG",
      "OTEL_TRACES_SAMPLER",
    ]);
    expect(problemsOf(wrong).join()).not.toContain("hidden");
    expect(JSON.stringify(describeConfig({ OTEL_EXPORTER_OTLP_HEADERS: "authorization=hidden" }))).not.toContain(
      "hidden",
    );
  });
});

describe("a worker that answers monitoring", () => {
  const worker = { ...asWorker, ...publicUrl };

  test("listens on loopback, or where there is sign-in", () => {
    const open = { ...worker, ACCESSION_METRICS_PORT: "9464", ACCESSION_HOST: "0.0.0.0" };
    expect(problemsOf({ ...worker, ACCESSION_HOST: "0.0.0.0" })).toEqual([]);
    expect(problemsOf({ ...worker, ACCESSION_METRICS_PORT: "9464" })).toEqual([]);
    expect(problemsOf(open)).toEqual([expect.stringContaining("ACCESSION_HOST is not loopback")]);
    expect(problemsOf({ ...open, ACCESSION_AUTH: "tokens" })).toEqual([]);
  });
});

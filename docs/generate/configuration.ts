import type { Setting } from "../../src/platform/config/setting.ts";
import { clientSettings, type SettingName, settings } from "../../src/platform/config/settings.ts";
import { traceSettings } from "../../src/platform/config/traces.ts";
import { generated, table } from "./table.ts";

/** A section of the page: the settings from one name up to the first of the next section, and details below the table. */
interface Section {
  from: SettingName;
  title: string;
  details: string[];
}

const sections: Section[] = [
  {
    from: "HOST",
    title: "Network",
    details: [
      "`ACCESSION_HOST` other than loopback requires `ACCESSION_AUTH` and `ACCESSION_PUBLIC_URL`.",
      "`ACCESSION_PUBLIC_URL` contains no path. It is also required for a worker, because receipts contain it.",
      "`ACCESSION_METRICS_PORT` opens `/health/live`, `/health/ready` and `/metrics` on `ACCESSION_HOST`. `/metrics` requires the same sign-in as on the API; health checks require none. Without this setting a worker does not listen. An API process offers them on `ACCESSION_PORT`.",
      "`ACCESSION_CORS_ORIGINS` contains values such as `https://edal.example.org`.",
    ],
  },
  {
    from: "DATA",
    title: "Storage",
    details: [
      "`ACCESSION_DATA` is locked while a process uses the embedded database. A second process does not start.",
      "A folder archive contains `ocfl/` (storage root), `staging/`, `withdrawn/`, `changes/`, `uploads/`, `jwks.json`, `collections.json` and `archive.json` (the id of the archive). `ocfl/` and `staging/` must be on the same device.",
      "`ACCESSION_ARCHIVE_S3_ENDPOINT` selects path-style addressing: the name of the bucket is part of the path.",
      "`ACCESSION_ARCHIVE_S3_ACCESS_KEY` needs [these permissions](operating.md#archive-in-an-object-store).",
      "`ACCESSION_UPLOADS`: all processes that share a database must have the same folder, so that it is only chosen for the embedded database. [Upload files](how-to/uploads.md#for-operators) says how to plan its size.",
      "`ACCESSION_DISK_RESERVE`: with a percentage, at least 2 GiB are kept free. On the disk of the data folder, if it is not that of the archive, at most 5 % of the disk and at most 2 GiB are kept free: checksum lists in a bucket or upload are stored there while they are read. The setting has no effect for the datasets of an archive in an object store.",
    ],
  },
  {
    from: "ROLE",
    title: "Role and sign-in",
    details: [
      "`ACCESSION_ROLE`: `api` and `worker` require `ACCESSION_DATABASE_URL`. Any number of processes can share a database.",
      "`ACCESSION_AUTH=none`: all callers have all permissions. The service listens only on loopback, and does not start with an `ACCESSION_PUBLIC_URL` that is not loopback, or with `ACCESSION_TRUSTED_PROXIES`. `tokens` requires a token that `accession token create` has created. `oidc` requires an access token of `ACCESSION_OIDC_ISSUER`. [Access control](access.md) describes `tokens` and `oidc`.",
      "`ACCESSION_OIDC_ROLES_CLAIM`: the claim that it names contains `submitter`, `curator` or `admin`, as a list or as a string with exactly one role. In `scope` and `scp` roles are separated by spaces. An example of a nested claim is `realm_access.roles`.",
      "`ACCESSION_OIDC_CLIENT_ID` is a public client (authorization code with PKCE) with the redirect URI `https://data.example.org/app/signed-in` (the public URL and base path, then `/app/signed-in`).",
      "`ACCESSION_OIDC_SCOPE`: if `ACCESSION_OIDC_AUDIENCE` is a URI and not part of the scope, the web interface requests it as a resource (RFC 8707).",
    ],
  },
  {
    from: "QUOTA_SUBMISSIONS",
    title: "Quotas and rate limits",
    details: [
      "`ACCESSION_QUOTA_SUBMISSIONS` counts [open](glossary.md) submissions.",
      "`ACCESSION_QUOTA_BYTES` counts archived data that is not withdrawn, open submissions, content kept for a retry of failed submissions, and all metadata. `ACCESSION_QUOTA_OBJECTS` counts objects in the same way.",
      "A metadata revision counts as 256 bytes for each file and each earlier state of the dataset, for the user who changed the metadata. `ACCESSION_MOST_REVISIONS` limits the revisions of all versions of a dataset ([why](datasets.md#change-the-metadata)).",
      "`ACCESSION_RATE_LIMIT_CHECKS` applies to checks, previews, submissions and new credentials. A caller may send four times as many such requests in total, to all hosts.",
      "Each process counts separately: two API processes allow twice as many requests.",
      "`ACCESSION_RATE_LIMIT` does not count files that the web client of e!DAL-PGP sends (`POST /submission/upload/dataset`), because it does not repeat what is refused. Each user sends 16 at once, and further ones wait.",
    ],
  },
  {
    from: "SMTP_URL",
    title: "E-mail",
    details: [
      "`ACCESSION_SMTP_URL`: `smtps://` uses TLS on port 465. `smtp://` uses port 587 and requires STARTTLS, unless the host is loopback.",
      "Set both for all processes.",
    ],
  },
  {
    from: "SECRET_KEY_FILE",
    title: "Keys",
    details: [
      "With the embedded database, missing files are created at first start. With `ACCESSION_DATABASE_URL`, set both and create the files with `accession keys`.",
      "`ACCESSION_SECRET_KEY_FILE` contains the encryption key of the service. It is not related to `ACCESSION_SECRET_KEY`, the secret key of a bucket, in [Command line](#command-line).",
    ],
  },
  {
    from: "ALLOW_NETWORKS",
    title: "Connections to sources",
    details: [
      "`ACCESSION_ALLOW_NETWORKS` (such as `10.20.0.0/16,127.0.0.0/8`): without it only public addresses are allowed. A process with `ACCESSION_ROLE=all` whose `ACCESSION_HOST` and `ACCESSION_PUBLIC_URL` are on loopback also allows loopback and private networks. Link-local addresses and cloud metadata services are never allowed.",
      "`ACCESSION_SOURCE_CONNECTIONS`: the service adapts the number of connections to each endpoint, up to this maximum.",
      "`ACCESSION_SOURCE_LISTING_TIMEOUT`: large object stores can take minutes for the first page of a listing. A reverse proxy must wait a minute longer than that for a response, or it ends checks and submissions. `accession check` and the test on the page are not affected, because they show progress. Set it for all processes.",
      "`ACCESSION_STS_ACCESS_KEY` belongs to a user that may do nothing but `sts:AssumeRole`. Submitters can then name a role instead of an access key ([how](how-to/buckets.md#a-role-instead-of-an-access-key)). The service requests temporary keys for an hour, renews them while it reads, and keeps them in memory only. Its own keys are sent to `ACCESSION_STS_ENDPOINT` only. External ids of users follow from their names and `ACCESSION_SECRET_KEY_FILE`. Set it for all processes.",
      "`ACCESSION_EGRESS_PROXY` is the only proxy setting for sources. `HTTP_PROXY` and AWS variables such as `AWS_ACCESS_KEY_ID` are ignored.",
    ],
  },
  {
    from: "PUBLISHER",
    title: "Publisher",
    details: [
      "`ACCESSION_PUBLISHER_URL`, `ACCESSION_PUBLISHER_EMAIL` and `ACCESSION_PUBLISHER_ROR` appear in RO-Crate, schema.org and DCAT. In DataCite the ROR id is the `publisherIdentifier`.",
    ],
  },
  {
    from: "USAGE_STATISTICS",
    title: "Usage statistics",
    details: [
      "[Usage statistics](usage-statistics.md) lists the rules. Set both for all API processes.",
      "`ACCESSION_USAGE_STATISTICS=off`: stored counts are kept, and are shown again after `on`.",
      "`ACCESSION_USAGE_ROBOTS`: a JSON array of objects with a regular expression in `pattern`. It replaces the list of the service. Command-line tools and HTTP libraries count as machine access even if the list contains them.",
    ],
  },
  {
    from: "FAILED_RETENTION",
    title: "Retention, audit and log",
    details: [
      "`ACCESSION_AUDIT_SHARE`: with both defaults every byte is read about once in 30 days.",
      "`ACCESSION_LOG_LEVEL`: the log contains lines of this level and of the levels that are listed before it ([numbers](operating.md#server-log)). Logs contain no secrets at any level.",
    ],
  },
];

/** docs/configuration.md: every setting with a short description, and details below the tables. */
export function configurationPage(): string {
  return `${generated("src/platform/config/settings.ts")}

# Configuration

This page is for operators. It lists all settings of the service and of the command line. Settings are environment variables that
are read at startup. An empty value means that the setting is not set.

- \`accession config\` prints all settings and all errors in them. It shows defaults in parentheses and masks secrets. In a
  checkout run \`npm run --silent accession -- config\`. \`accession config --connect\` also tries the database, the key files, the
  archive, the mail server, the OpenID provider and DataCite.
- If a setting is invalid, the service does not start and prints every error. An unknown variable that begins with
  \`ACCESSION_\` is also an error.
- In a file of settings, write a value with spaces, quotation marks or \`#\` in single quotes: \`ACCESSION_SMTP_URL='smtps://user:a#b@mail.example.org'\`.
  Docker and Node.js end an unquoted value at \`#\`.

${sections.map(section).join("\n\n")}

## Traces

Traces are off until a collector is set with the variables of
[OpenTelemetry](https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).

${table(["Variable", "Default", "Description"], traceSettings.map(row))}

- \`ACCESSION_ALLOW_NETWORKS\` does not restrict connections to the collector.
- \`OTEL_EXPORTER_OTLP_TIMEOUT\`, \`…_COMPRESSION\`, \`…_CERTIFICATE\`, \`…_CLIENT_KEY\` and \`…_CLIENT_CERTIFICATE\` are also
  supported. Each of them, and \`…_HEADERS\`, also has a form that applies only to traces, such as \`OTEL_EXPORTER_OTLP_TRACES_HEADERS\`.
- The collector must accept JSON. \`http/protobuf\` is accepted so that a configuration shared with other programs is valid.
- \`parentbased_…\` follows the decision of the caller, if a trusted proxy passes it on.
- Protocol \`grpc\` and other exporters are not supported.

## Command line

Commands that use the API read these variables. Secrets come from the environment, a file or a prompt, never from an argument.
\`ACCESSION_SECRET_KEY\` is not related to \`ACCESSION_SECRET_KEY_FILE\`, the encryption key of the service.

${table(["Variable", "Default", "Description"], clientSettings.map(settingRow))}
`;
}

function section({ from, title, details }: Section, index: number): string {
  const names = settings.map(({ name }) => name);
  const next = sections[index + 1]?.from;
  const own = settings.slice(names.indexOf(from), next === undefined ? undefined : names.indexOf(next));
  const list = details.map((detail) => `- ${detail}`).join("\n");
  return `## ${title}\n\n${table(["Variable", "Default", "Description"], own.map(settingRow))}\n\n${list}`;
}

function settingRow(setting: Setting): string[] {
  return row({ ...setting, name: `ACCESSION_${setting.name}` });
}

function row({ name, default: value, meaning, secret }: Setting): string[] {
  return [`\`${name}\``, value, secret ? meaning.replace(/\.$/, " (secret).") : meaning];
}

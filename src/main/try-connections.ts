import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { exists } from "../archive/folder/durable-writes.ts";
import { describeLocation, isInFolder } from "../archive/location.ts";
import { s3LocationOf } from "../archive/open-archive.ts";
import { inMessage } from "../domain/in-message.ts";
import { Mailer } from "../notify/mail/mailer.ts";
import { OidcIssuer } from "../people/oidc.ts";
import type { Config } from "../platform/config/config.ts";
import { openPostgres } from "../platform/database/postgres/postgres.ts";
import { DataciteClient } from "../publication/datacite/client.ts";
import { StsClient } from "../source/s3/roles/sts-client.ts";
import { egressOptionsOf } from "./egress-options.ts";

/** One of the systems that the settings name, and why it cannot be used; undefined if it can. */
export interface Tried {
  name: "database" | "keys" | "archive" | "uploads" | "mail server" | "OpenID provider" | "DataCite" | "STS";
  /** Where it is, without secrets. */
  place: string;
  error: unknown;
}

const TIMEOUT_MS = 20_000;

/**
 * Tries every system that the settings name, one after the other. Changes nothing, except that a small object is written to
 * and removed from an archive in an object store.
 */
export async function* tryConnections(config: Config): AsyncGenerator<Tried> {
  const { databaseUrl, data, archive, mail, oidc, egressProxy } = config;
  const { datacite } = config.publication;
  if (databaseUrl === undefined) yield tried("database", resolve(data), () => requireWritable(data));
  else yield tried("database", placeOf(databaseUrl), () => tryPostgres(databaseUrl));
  // Otherwise the first start creates them.
  if (!config.makeKeys) {
    for (const file of [config.secretKeyFile, config.signingKeyFile]) {
      yield tried("keys", file, () => access(file, constants.R_OK));
    }
  }
  // An error is reported by the try.
  const isNew = isInFolder(archive) && !(await exists(archive.folder).catch(() => true));
  yield tried("archive", `${describeLocation(archive)}${isNew ? " (does not exist yet)" : ""}`, async () => {
    if (isInFolder(archive)) return requireWritable(archive.folder);
    const { Bucket } = await import("../archive/s3/bucket.ts");
    const bucket = await Bucket.open(await s3LocationOf(archive), 1);
    try {
      await bucket.folders("");
      await bucket.tryWriting();
    } finally {
      bucket.close();
    }
  });
  const { uploads, sts } = config;
  if (uploads !== undefined) yield tried("uploads", resolve(uploads), () => requireWritable(uploads));
  if (mail !== undefined) yield tried("mail server", `${mail.host}:${mail.port}`, () => new Mailer(mail).reach());
  if (oidc !== undefined) yield tried("OpenID provider", oidc.issuer, () => new OidcIssuer(oidc).reach());
  if (datacite !== undefined) {
    yield tried("DataCite", `${datacite.repository} at ${datacite.url}`, async () => {
      const client = new DataciteClient(datacite, { next: async () => 0, pause: async () => undefined }, egressProxy);
      try {
        await client.repository(AbortSignal.timeout(TIMEOUT_MS));
      } finally {
        await client.close();
      }
    });
  }
  if (sts !== undefined) yield tried("STS", sts.endpoint, () => requirePrincipal(config, sts.principal));
}

/** The keys must be those of the principal that submitters trust. @throws Problem; Error if they belong to another one */
async function requirePrincipal(config: Config, principal: string): Promise<void> {
  const { sts, ...more } = await egressOptionsOf(config);
  if (sts === undefined) return;
  const client = new StsClient(sts, more);
  try {
    const arn = await client.identity();
    if (arn !== principal) throw new Error(`ACCESSION_STS_ACCESS_KEY belongs to ${inMessage(arn)}`);
  } finally {
    await client.close();
  }
}

async function tried(name: Tried["name"], place: string, work: () => Promise<unknown>): Promise<Tried> {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { name, place, error };
}

async function tryPostgres(url: string): Promise<void> {
  const pool = openPostgres(url, 1);
  try {
    const client = await pool.connect();
    await client.query("select 1").finally(() => client.release());
  } finally {
    await pool.end();
  }
}

/** The folder, or the one in which it will be created, must exist and be writable. @throws the file system's error */
async function requireWritable(folder: string): Promise<void> {
  let nearest = resolve(folder);
  while (!(await exists(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  await access(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** A database URL without user and password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

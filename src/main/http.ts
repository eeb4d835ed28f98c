import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeLocation } from "../archive/location.ts";
import { KeptCounts } from "../db/catalogue/kept-counts.ts";
import { SharedReads } from "../db/shared-reads.ts";
import { readStatistics } from "../db/statistics.ts";
import { MetadataImporter } from "../describe/import/metadata-importer.ts";
import type { Problem } from "../domain/problems.ts";
import { ExportThreads } from "../export/export-threads.ts";
import type { HttpOptions } from "../http/base-server.ts";
import { listenOn } from "../http/base-server.ts";
import type { HttpContext, SignIn } from "../http/context.ts";
import { ArchivedCache } from "../http/dataset/archived-cache.ts";
import { AccessRechecks } from "../http/responses/access-rechecks.ts";
import { WatchedSubmissions } from "../http/responses/watched-submissions.ts";
import { buildProbes, buildServer } from "../http/server.ts";
import { LandingCache } from "../http/site/landing-cache.ts";
import { GrantUseRecorder } from "../http/usage/grant-use-recorder.ts";
import { UsageRecorder } from "../http/usage/usage-recorder.ts";
import { authenticator } from "../people/authenticate.ts";
import { OidcIssuer } from "../people/oidc.ts";
import type { Config } from "../platform/config/config.ts";
import { registerInstallationMetrics } from "../platform/telemetry/installation-metrics.ts";
import { noTracing } from "../platform/telemetry/tracing.ts";
import { brandingOf } from "../public/site/branding.ts";
import { TextRenderer } from "../public/site/markdown/text-renderer.ts";
import { Agents } from "../public/usage/agents.ts";
import { checkAccount } from "../publication/doi/check-account.ts";
import type { ServiceContext } from "./context.ts";
import { openReceivers } from "./uploads.ts";

/** The folder into which “npm run build” writes the page, both in a checkout and in a package. */
const PAGE = fileURLToPath(new URL("dist/web/", import.meta.resolve("#package")));

/** Serves the API. Returns its address, and the recorder of uses if they are counted. */
export async function serveApi(context: ServiceContext): Promise<{ url: string; usage: UsageRecorder | undefined }> {
  const { config, address, log, closers } = context;
  const { database, jobs, metrics } = context;
  const stopping = new AbortController();
  const figures = async () => ({ ...(await readStatistics(database.queries)), jobs: await jobs.depths() });
  registerInstallationMetrics(metrics, figures, (error) =>
    log.warn({ err: error }, "cannot read the statistics from the database"),
  );
  const exports = new ExportThreads({ place: config.archive, scratch: join(config.data, "scratch") });
  closers.add(() => exports.close());
  const importer = new MetadataImporter();
  closers.add(() => importer.close());
  const texts = new TextRenderer();
  closers.add(() => texts.close());
  const issuer = issuerOf(config);
  // The service starts nevertheless, because the provider may start later, or have an interruption.
  issuer?.reach().catch(({ cause }: Problem) => {
    const { issuer: provider } = config.oidc ?? {};
    log.warn(
      { err: cause, issuer: provider },
      "the OpenID provider (ACCESSION_OIDC_ISSUER) cannot be reached; sign-in fails until it answers",
    );
  });
  const usage = openUsage(context);
  const grantUses = new GrantUseRecorder(database.queries, log);
  closers.add(() => grantUses.close());
  const receivers = openReceivers(context.uploads, context);
  const server = await buildServer(
    {
      db: database.urgent,
      archiveProblem: context.archiveProblem,
      submissions: new SharedReads(database.urgent),
      documents: new SharedReads(database.urgent),
      landings: new LandingCache(),
      counts: new KeptCounts(),
      archived: new ArchivedCache(),
      texts,
      // Urgent calls of others come first.
      watched: new WatchedSubmissions(database.queries, database.notifications, (error) =>
        log.warn({ err: error }, "cannot read the states of submissions for event streams; the next try follows"),
      ),
      access: new AccessRechecks(database.notifications),
      intake: {
        db: database.urgent,
        jobs,
        store: context.archive.store,
        uploads: context.uploads,
        compareUpload: async (area) => receivers.receiver?.compareArea(area),
        scratch: context.scratch,
        collections: context.archive.collections,
        egress: context.egress,
        importer,
        vault: context.vault,
        quota: config.quota,
        notifications: database.notifications,
        mostRevisions: config.mostRevisions,
        tracing: context.tracing,
        sendsMail: config.mail !== undefined,
        doiPrefix: config.publication.datacite?.prefix,
        rolePrincipal: config.sts?.principal,
        fieldGroups: config.fieldGroups,
      },
      exports,
      ...receivers,
      authenticate: authenticator(config.auth, issuer, database.urgent),
      tokens: config.auth === "tokens" ? { removeFirstAdminToken: () => context.adminToken.remove() } : undefined,
      basePath: config.basePath,
      publicUrl: () => address.publicUrl,
      signIn: signInOf(config),
      mail: config.mail && { language: config.mail.language, curators: config.mail.curators.length > 0 },
      providerOrigins: async () => (await issuer?.origins()) ?? [],
      pageFolder: PAGE,
      publisher: config.publisher,
      branding: brandingOf(config.site),
      publication: { ...config.publication, registersDois: config.publication.datacite !== undefined },
      testAccount: accountTest(context),
      usage,
      grantUses,
      jwks: context.jwks,
      version: context.version,
      commit: context.commit,
      metrics,
      tracing: context.tracing,
      stopping: stopping.signal,
    },
    httpOptions(context),
  );

  const { origin, close } = await listenOn(server, { host: config.host, port: config.port }, stopping);
  closers.add(close);
  if (config.publicUrl === undefined) address.publicUrl = origin;
  const { publicUrl } = address;
  if (!config.loopback && publicUrl.startsWith("http:")) {
    log.warn({ publicUrl }, "ACCESSION_PUBLIC_URL is plain HTTP: tokens and bucket credentials can be intercepted");
  }
  const url = `${publicUrl}${config.basePath}`;
  const { version, commit } = context;
  log.info(
    { url, archive: describeLocation(config.archive), version, ...(commit !== null && { commit }) },
    "the service is up",
  );
  return { url, usage };
}

function accountTest({ datacite, database, log, address }: ServiceContext): HttpContext["testAccount"] {
  if (datacite === undefined) return undefined;
  const publication = { datacite, baseUrl: () => address.publicUrl };
  return (signal) => checkAccount({ db: database.queries, log, publication }, { draft: true }, signal);
}

/** The recorder closes after the server, so that it writes the last uses. */
function openUsage({ config, database, log, closers }: ServiceContext): UsageRecorder | undefined {
  if (!config.usage.enabled) return undefined;
  const usage = new UsageRecorder(database.queries, new Agents(config.usage.robots), log);
  closers.add(() => usage.close());
  return usage;
}

/** Serves the health checks and metrics of a worker. Returns its address. */
export async function serveProbes(context: ServiceContext): Promise<string> {
  const { config, database, archiveProblem, metrics, closers } = context;
  const stopping = new AbortController();
  const authenticate = authenticator(config.auth, issuerOf(config), database.urgent);
  const probes = { db: database.urgent, archiveProblem, authenticate, basePath: "", metrics, tracing: noTracing };
  const server = await buildProbes({ ...probes, stopping: stopping.signal }, httpOptions(context));
  const { origin, close } = await listenOn(server, { host: config.host, port: config.metricsPort ?? 0 }, stopping);
  closers.add(close);
  return origin;
}

function issuerOf({ oidc }: Config): OidcIssuer | undefined {
  return oidc === undefined ? undefined : new OidcIssuer(oidc);
}

function signInOf({ auth, oidc }: Config): SignIn {
  if (auth !== "oidc" || oidc === undefined) return { method: auth === "tokens" ? "tokens" : "none" };
  const { issuer, clientId = null, scope, audience } = oidc;
  const isNamed = !URL.canParse(audience) || scope.split(" ").some((one) => one.startsWith(audience));
  return { method: "oidc", issuer, clientId, scope, resource: isNamed ? null : audience };
}

function httpOptions({ config, address, log }: ServiceContext): HttpOptions {
  return {
    origin: {
      corsOrigins: config.corsOrigins,
      publicUrl: () => address.publicUrl,
      loopback: config.loopback,
      publishes: config.publication.mode !== "off",
    },
    trustedProxies: config.trustedProxies,
    rateLimits: config.rateLimits,
    hasSignIn: config.auth !== "none",
    logger: log,
  };
}

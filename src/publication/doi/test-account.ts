import { forgetTestDraft, keepTestDraft, postponeTestDraft } from "../../db/publication/doi-reservations.ts";
import { Problem } from "../../domain/problems.ts";
import type { StepContext } from "../../steps/context.ts";
import { type DataciteClient, isRefusal, type Repository } from "../datacite/client.ts";
import type { AccountStep, AccountStepName } from "../rules/account-test.ts";
import { randomSuffix } from "../rules/doi.ts";
import { registrationProblem } from "../service/attempts.ts";

/** What the test of the account needs. */
export interface AccountContext extends Pick<StepContext, "db" | "log"> {
  publication: Pick<StepContext["publication"], "datacite" | "baseUrl">;
}

const MOST_CHOICES = 5;
/** When a draft is deleted that the test did not delete: after all its requests have certainly ended. */
const LATER_MS = 600_000;
const SOON_MS = 30_000;

/** Names the draft for people who look at the account in the meantime. */
const DRAFT = { titles: [{ title: "Test of the account by Accession, deleted automatically" }] };

/**
 * Tests whether the account at DataCite can register DOIs for this service: its credentials, its domains and its prefix. With
 * `withDraft`, a draft is also created and deleted; drafts lead nowhere and are not public. Nothing is thrown except the reason
 * of `signal`.
 */
export async function testAccount(
  context: AccountContext,
  client: DataciteClient,
  withDraft: boolean,
  signal: AbortSignal,
): Promise<AccountStep[]> {
  const steps: AccountStep[] = [];
  const run = async <T>(step: AccountStepName, test: (() => Promise<T>) | undefined): Promise<T | undefined> => {
    if (test === undefined) {
      steps.push({ step, status: "skipped", problem: null });
      return undefined;
    }
    try {
      const result = await test();
      steps.push({ step, status: "ok", problem: null });
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const problem = registrationProblem(error, "An internal error prevents the test of the DataCite account");
      steps.push({ step, status: "failed", problem });
      return undefined;
    }
  };
  const repository = await run("credentials", () => client.repository(signal));
  const { hostname } = new URL(context.publication.baseUrl());
  await run("domain", repository && (async () => requireDomain(repository, hostname.toLowerCase())));
  const prefix = await run("prefix", repository && (async () => requirePrefix(repository, client.prefix)));
  if (!withDraft) return steps;
  const draft = await run(
    "create_draft",
    prefix === undefined ? undefined : () => createDraft(context, client, signal),
  );
  await run("delete_draft", draft === undefined ? undefined : () => deleteDraft(context, client, draft, signal));
  return steps;
}

/** DataCite checks the domain of an address only when a DOI is registered, so that the error would appear after an approval. */
function requireDomain({ domains }: Repository, host: string): void {
  if (domains.some((domain) => includes(domain, host))) return;
  throw new Problem("datacite_domain", `The domains of the DataCite account do not include ${host}`);
}

/** Whether a domain of an account includes a host. `example.org` does not include its subdomains, `*.example.org` does. */
function includes(domain: string, host: string): boolean {
  if (domain === "*" || domain === host) return true;
  return domain.startsWith("*.") && host.endsWith(domain.slice(1));
}

/** If DataCite does not list the prefixes, the creation of a draft decides. */
function requirePrefix({ prefixes }: Repository, prefix: string): string {
  if (prefixes === undefined || prefixes.includes(prefix)) return prefix;
  const listed = prefixes.length === 0 ? "none" : prefixes.join(", ");
  throw new Problem("datacite_forbidden", `The DataCite account has no prefix ${prefix}. Its prefixes: ${listed}`);
}

/** Creates a draft. Its DOI is stored before, so that the draft is deleted later if this process or the connection fails. */
async function createDraft({ db }: AccountContext, client: DataciteClient, signal: AbortSignal): Promise<string> {
  for (let choice = 1; ; choice++) {
    const doi = `${client.prefix}/${randomSuffix()}`;
    if (!(await keepTestDraft(db, doi, new Date(Date.now() + LATER_MS)))) continue;
    try {
      await client.create(doi, DRAFT, undefined, signal);
      return doi;
    } catch (error) {
      if (!(error instanceof Problem) || !isRefusal(error)) throw error;
      await forgetTestDraft(db, doi);
      if (error.code !== "doi_taken" || choice === MOST_CHOICES) throw error;
    }
  }
}

async function deleteDraft(
  { db, log }: AccountContext,
  client: DataciteClient,
  doi: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.removeDraft(doi, signal);
  } catch (error) {
    signal.throwIfAborted();
    await postponeTestDraft(db, doi, new Date(Date.now() + SOON_MS));
    log.warn(
      { err: error, doi },
      "a draft of the test of the DataCite account was not deleted; the service tries again",
    );
    const why = error instanceof Problem ? error.message : "an internal error";
    throw new Problem("datacite_draft_left", `The draft ${doi} was not deleted: ${why}`, { cause: error });
  }
  await forgetTestDraft(db, doi);
}

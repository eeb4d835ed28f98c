import { accountCheck, recordAccountCheck } from "../../db/publication/doi-account.ts";
import { Problem } from "../../domain/problems.ts";
import type { StepContext } from "../context.ts";
import { registrationProblem } from "./attempts.ts";

/** Interval between two checks of an account without and with a problem. */
const CHECK_MS = 3_600_000;
const PROBLEM_CHECK_MS = 30_000;

/** Whether the account must be checked now. */
export async function isAccountCheckDue({ db, publication }: StepContext): Promise<boolean> {
  if (publication.datacite === undefined) return false;
  const last = await accountCheck(db);
  const pause = last?.problem == null ? CHECK_MS : PROBLEM_CHECK_MS;
  return last === undefined || Date.now() - last.checked_at.getTime() >= pause;
}

/**
 * Checks before any publication whether the account can register DOIs: DataCite checks the domain of an address only when a
 * DOI is registered, so that the error would otherwise appear after the approval.
 */
export async function checkAccount(context: StepContext, signal: AbortSignal): Promise<void> {
  const { db, log, publication } = context;
  const { datacite } = publication;
  if (datacite === undefined) return;
  const before = (await accountCheck(db))?.problem?.code;
  try {
    const host = new URL(publication.baseUrl()).hostname.toLowerCase();
    const domains = await datacite.domains(signal);
    if (!domains.some((domain) => includes(domain, host))) {
      throw new Problem("datacite_domain", `The domains of the DataCite account do not include ${host}`);
    }
    await recordAccountCheck(db, null);
  } catch (error) {
    signal.throwIfAborted();
    const problem = registrationProblem(error, "An internal error prevents the check of the DataCite account");
    if (problem.code !== before)
      log.warn({ err: error, code: problem.code }, "the DataCite account cannot register DOIs");
    await recordAccountCheck(db, problem);
  }
}

/** Whether a domain of an account includes a host. `example.org` does not include its subdomains, `*.example.org` does. */
function includes(domain: string, host: string): boolean {
  if (domain === "*" || domain === host) return true;
  return domain.startsWith("*.") && host.endsWith(domain.slice(1));
}

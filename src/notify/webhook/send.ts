import { request } from "undici";
import { Problem } from "../../domain/problems.ts";
import type { Egress } from "../../source/transport/egress.ts";
import { explainFailure, retryAfterSeconds } from "../../source/transport/errors.ts";

export interface Sending {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What an endpoint said. Only the status is kept of an answer. */
export interface Answer {
  status: number;
  /** Set unless it was accepted. */
  problem: Problem | undefined;
  /** Milliseconds for which the endpoint asks to be left alone. */
  wishedMs: number;
}

/** Silence after which an endpoint counts as not answering, and the whole time that it has. */
const ANSWER_MS = 15_000;
const WHOLE_MS = 20_000;
/** Of an answer no more is taken from the line; nothing of it is looked at. */
const MOST_OF_ANSWER = 16 * 1024;

/**
 * Sends a delivery through the address guard, over plain HTTP to no address of the Internet, wherever the name leads by
 * now; redirects are not followed. What goes wrong on the way is an answer, too, of status 0.
 *
 * @throws the signal's reason
 */
export async function send(egress: Egress, { url, headers, body }: Sending, signal: AbortSignal): Promise<Answer> {
  const where = new URL(url);
  const late = AbortSignal.timeout(WHOLE_MS);
  try {
    const answer = await request(where, {
      method: "POST",
      headers,
      body,
      dispatcher: egress.discreet,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      signal: AbortSignal.any([signal, late]),
    });
    // The status has said it all; a body that breaks off takes nothing away from it.
    await answer.body.dump({ limit: MOST_OF_ANSWER }).catch(() => undefined);
    return judged(answer.statusCode, answer.headers["retry-after"], where);
  } catch (error) {
    signal.throwIfAborted();
    const problem = late.aborted
      ? new Problem("connection_timeout", `${where.host} does not answer in time`, { cause: error })
      : explained(error, where);
    return { status: 0, problem, wishedMs: 0 };
  }
}

/** What has no name yet is a fault of ours; the delivery is tried again, and given up, like any other. */
function explained(error: unknown, where: URL): Problem {
  try {
    const problem = explainFailure(error, where);
    if (problem.code !== "address_refused" || where.protocol === "https:") return problem;
    const rule = "over http:// deliveries stay in networks that the operator allows; use https://";
    return new Problem(problem.code, `${problem.message}: ${rule}`, { cause: error });
  } catch (cause) {
    return new Problem("internal_error", "The delivery met a fault in Accession itself", { cause });
  }
}

function judged(status: number, retryAfter: string | string[] | undefined, { host }: URL): Answer {
  if (status >= 200 && status < 300) return { status, problem: undefined, wishedMs: 0 };
  const redirects = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  const problem = new Problem("webhook_refused", `${host} answers with HTTP ${status}${redirects}`);
  return { status, problem, wishedMs: (retryAfterSeconds([retryAfter].flat()[0]) ?? 0) * 1_000 };
}

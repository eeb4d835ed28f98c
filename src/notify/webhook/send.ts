import { request } from "undici";
import { Problem } from "../../domain/problems.ts";
import type { Egress } from "../../source/s3/transport/egress.ts";
import { explainFailure, retryAfterSeconds } from "../../source/s3/transport/errors.ts";

export interface Sending {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** An endpoint's answer. Only its status is kept. */
export interface Answer {
  status: number;
  /** Set unless the delivery was accepted. */
  problem: Problem | undefined;
  /** Milliseconds until the next try, as requested by the endpoint. */
  wishedMs: number;
}

/** Limit for an endpoint's silence, and for the whole delivery. */
const ANSWER_MS = 15_000;
const WHOLE_MS = 20_000;
/** Maximum number of bytes read from an answer. The content is ignored. */
const MOST_OF_ANSWER = 16 * 1024;

/**
 * Sends a delivery through the egress rules. Plain HTTP never reaches a public Internet address, also if the host name
 * resolves to a different address by now. Redirects are not followed. A transport error is returned as an answer with status 0.
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
    // The status is sufficient, so an incomplete body is no error.
    await answer.body.dump({ limit: MOST_OF_ANSWER }).catch(() => undefined);
    return judged(answer.statusCode, answer.headers["retry-after"], where);
  } catch (error) {
    signal.throwIfAborted();
    const problem = late.aborted
      ? new Problem("connection_timeout", `The webhook receiver ${where.host} did not answer in time`, { cause: error })
      : explained(error, where);
    return { status: 0, problem, wishedMs: 0 };
  }
}

/** Translates an error. An unknown error becomes `internal_error`; its delivery is retried and given up like any other. */
function explained(error: unknown, where: URL): Problem {
  try {
    const problem = explainFailure(error, where);
    if (problem.code !== "address_refused" || where.protocol === "https:") return problem;
    const rule = "deliveries over http:// may only reach networks that the operator allows; use https://";
    return new Problem(problem.code, `${problem.message}: ${rule}`, { cause: error });
  } catch (cause) {
    return new Problem("internal_error", "The delivery failed because of an internal error", { cause });
  }
}

function judged(status: number, retryAfter: string | string[] | undefined, { host }: URL): Answer {
  if (status >= 200 && status < 300) return { status, problem: undefined, wishedMs: 0 };
  const redirects = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  const problem = new Problem(
    "webhook_refused",
    `The webhook receiver ${host} answered with HTTP ${status}${redirects}`,
  );
  return { status, problem, wishedMs: (retryAfterSeconds([retryAfter].flat()[0]) ?? 0) * 1_000 };
}

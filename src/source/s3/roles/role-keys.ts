import { Problem } from "../../../domain/problems.ts";
import type { AssumedRole, S3Credentials } from "../../../domain/source-access/access.ts";
import type { StsClient, TemporaryKeys } from "./sts-client.ts";

/** Keys are renewed this long before they expire, or after two thirds of a shorter lifetime. */
const RENEW_BEFORE_MS = 10 * 60_000;
/** While STS cannot be reached, keys that are still valid are used, and STS is asked again after this time. */
const ASK_AGAIN_MS = 30_000;
/** Submitters name roles, so their number is limited. */
const MOST_ROLES = 1_000;

interface Session extends TemporaryKeys {
  renewAt: number;
}

/**
 * The temporary keys of roles. They exist in the memory of one thread only, and are requested before the first use and renewed
 * before they expire. Concurrent requests for the same role share one request to STS.
 */
export class RoleKeys {
  readonly #sts: Pick<StsClient, "assume" | "close"> | undefined;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #asked = new Map<string, Promise<Session>>();

  /** @param sts undefined if the operator has not configured an identity: every role is then refused */
  constructor(sts: Pick<StsClient, "assume" | "close"> | undefined, now: () => number = Date.now) {
    this.#sts = sts;
    this.#now = now;
  }

  /**
   * Keys that are valid now.
   * @throws Problem `roles_off`, and as {@link StsClient.assume}; the signal's reason
   */
  async of(role: AssumedRole, signal: AbortSignal): Promise<S3Credentials> {
    // Otherwise nothing would await the request.
    signal.throwIfAborted();
    const name = nameOf(role);
    const known = this.#sessions.get(name);
    if (known !== undefined && this.#now() < known.renewAt) return known.credentials;
    try {
      return (await unlessAborted(signal, this.#ask(role, name))).credentials;
    } catch (error) {
      const isTemporary = error instanceof Problem && error.retryable;
      if (!isTemporary || known === undefined || this.#now() >= known.expiresAt) throw error;
      known.renewAt = Math.min(known.expiresAt, this.#now() + ASK_AGAIN_MS);
      return known.credentials;
    }
  }

  /** A server has refused these keys as expired, so that new ones are requested unless they were replaced already. */
  forget(role: AssumedRole, refused: S3Credentials): void {
    const name = nameOf(role);
    if (this.#sessions.get(name)?.credentials === refused) this.#sessions.delete(name);
  }

  async close(): Promise<void> {
    await this.#sts?.close();
  }

  #ask(role: AssumedRole, name: string): Promise<Session> {
    const asked = this.#asked.get(name);
    if (asked !== undefined) return asked;
    const asking = this.#assume(role, name).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asking);
    return asking;
  }

  async #assume(role: AssumedRole, name: string): Promise<Session> {
    if (this.#sts === undefined) throw new Problem("roles_off");
    const keys = await this.#sts.assume(role);
    const lifetime = keys.expiresAt - this.#now();
    const session = { ...keys, renewAt: keys.expiresAt - Math.min(RENEW_BEFORE_MS, lifetime / 3) };
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_ROLES && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }
}

/** No ARN contains a line break. */
function nameOf({ arn, externalId = "" }: AssumedRole): string {
  return `${arn}\n${externalId}`;
}

/** A request to STS serves several callers, so that the abort of one does not end it. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

import { Problem } from "../../../domain/problems.ts";
import type { AssumedRole, S3Credentials } from "../../../domain/source-access/access.ts";
import type { StsClient, TemporaryKeys } from "./sts-client.ts";

/** Keys are renewed this long before they expire, or after two thirds of a shorter lifetime. */
const RENEW_BEFORE_MS = 10 * 60_000;
/** While STS cannot be reached, keys that are still valid are used, and STS is asked again after this time. */
const ASK_AGAIN_MS = 30_000;
/** Keys of a role that a server refuses are replaced once in this time: servers that refuse all requests would cause many to STS. */
const REPLACE_AGAIN_MS = 60_000;
/** Submitters name roles, so their number is limited. */
const MOST_ROLES = 1_000;

interface Session extends TemporaryKeys {
  renewAt: number;
  /** When keys were last replaced because a server had refused them. */
  replacedAt: number;
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
    const isValid = known !== undefined && this.#now() < known.expiresAt;
    if (isValid && this.#now() < known.renewAt) return known.credentials;
    const renewed = this.#ask(role, name);
    if (isValid) {
      // Nothing waits for a slow STS while there are valid keys.
      renewed.catch((error: unknown) => this.#notRenewed(name, known, error));
      return known.credentials;
    }
    return (await unlessAborted(signal, renewed)).credentials;
  }

  /**
   * A server has refused these keys, so that new ones are requested unless they were replaced already.
   * @returns false if keys of this role were replaced a moment ago
   */
  forget(role: AssumedRole, refused: S3Credentials): boolean {
    const known = this.#sessions.get(nameOf(role));
    if (known === undefined || known.credentials !== refused) return true;
    if (this.#now() < known.replacedAt + REPLACE_AGAIN_MS) return false;
    Object.assign(known, { expiresAt: 0, replacedAt: this.#now() });
    return true;
  }

  /** STS is asked again later if it did not answer. If it has refused the role, its keys are not used any more. */
  #notRenewed(name: string, known: Session, error: unknown): void {
    const isTemporary = error instanceof Problem && error.retryable;
    if (isTemporary) known.renewAt = this.#now() + ASK_AGAIN_MS;
    else if (this.#sessions.get(name) === known) this.#sessions.delete(name);
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
    const session = {
      ...keys,
      renewAt: keys.expiresAt - Math.min(RENEW_BEFORE_MS, lifetime / 3),
      replacedAt: this.#sessions.get(name)?.replacedAt ?? Number.NEGATIVE_INFINITY,
    };
    this.#sessions.delete(name);
    this.#removeOld();
    this.#sessions.set(name, session);
    return session;
  }

  /** Expired keys are not kept in memory, and not those of too many roles. */
  #removeOld(): void {
    for (const [name, { expiresAt }] of this.#sessions) if (this.#now() >= expiresAt) this.#sessions.delete(name);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MOST_ROLES && oldest !== undefined) this.#sessions.delete(oldest);
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

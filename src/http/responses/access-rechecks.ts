import { Problem } from "../../domain/problems.ts";
import { listenAndPoll, type Notifications } from "../../platform/database/notifications.ts";

/** A revocation without a notification is detected within about this time. */
const RECHECK_MS = 5_000;
/** Checks that run at the same time. */
const AT_ONCE = 8;

/** How to check whether the reader of a response still has access. */
export interface AccessCheck {
  /** The token, grant or reviewer link whose revocation is announced; undefined if the service does not know its end. */
  id: string | undefined;
  /** Equal for checks with the same result. */
  key: string;
  hasAccess: () => Promise<boolean>;
}

/**
 * Checks whether the readers of open responses still have access: at regular intervals, and at once when any process revokes a
 * token, grant or reviewer link. Equal checks run once for all responses, so that a reader with many of them costs no more.
 */
export class AccessRechecks {
  readonly #notifications: Pick<Notifications, "listen">;
  readonly #open = new Map<string, { check: AccessCheck; ends: Set<() => void> }>();
  /** Ends the checks; undefined while no response is open. */
  #stop: (() => void) | undefined;
  #isRunning = false;

  constructor(notifications: Pick<Notifications, "listen">) {
    this.#notifications = notifications;
  }

  /** Calls `end` once when access is lost. Returns a function that ends the checks. */
  recheck(check: AccessCheck, end: () => void): () => void {
    const one = this.#open.get(check.key) ?? { check, ends: new Set() };
    this.#open.set(check.key, one);
    one.ends.add(end);
    this.#stop ??= listenAndPoll(this.#notifications, "token", {
      heard: (id) => void this.#revoked(id),
      poll: () => void this.#round(),
      everyMs: RECHECK_MS,
    });
    return () => {
      one.ends.delete(end);
      if (one.ends.size === 0 && this.#open.get(check.key) === one) this.#remove(check.key);
    };
  }

  #remove(key: string): void {
    this.#open.delete(key);
    if (this.#open.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  async #round(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const keys = [...this.#open.keys()];
    while (keys.length > 0) await this.#check(keys.splice(0, AT_ONCE));
    this.#isRunning = false;
  }

  async #revoked(id: string): Promise<void> {
    await this.#check([...this.#open].filter(([, { check }]) => check.id === id).map(([key]) => key));
  }

  async #check(keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map(async (key) => {
        const one = this.#open.get(key);
        if (one === undefined || (await one.check.hasAccess().catch(isTemporary))) return;
        const ends = [...one.ends];
        one.ends.clear();
        this.#remove(key);
        for (const end of ends) end();
      }),
    );
  }
}

/** Whether the check failed for a temporary reason. Then the response continues until the next check. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof Problem && error.status < 500);
}

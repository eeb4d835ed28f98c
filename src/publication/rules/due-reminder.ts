import { type PublicationState, WAITING_FOR, type WaitingFor } from "./states.ts";

/** Reminders in one state. More would not help. */
export const MOST_REMINDERS = 3;

/** States in which a person must act. */
export const REMINDED_STATES = ["in_review", "changes_requested", "approved"] as const satisfies PublicationState[];

/** What decides about a reminder. */
interface Waiting {
  state: PublicationState;
  since: Date;
  reminded_at: Date | null;
  reminders: number;
}

/** Whether a person must act, and has not for as long as the service waits before a reminder. @param periodMs 0 for no reminders */
export function isOverdue({ state, since }: Pick<Waiting, "state" | "since">, periodMs: number, now: Date): boolean {
  return periodMs > 0 && isReminded(state) && now.getTime() - since.getTime() >= periodMs;
}

/**
 * The party to remind now; undefined if none. The time since the change of state or the last reminder counts, so that there is one
 * reminder after a pause of the service. A time far in the future is that of a wrong clock, and does not prevent reminders.
 */
export function dueReminder(
  { state, since, reminded_at, reminders }: Waiting,
  periodMs: number,
  now: Date,
): Extract<WaitingFor, "owner" | "curator"> | undefined {
  const waiting = isReminded(state) ? WAITING_FOR[state] : null;
  if (waiting !== "owner" && waiting !== "curator") return undefined;
  return isReminderDue({ since, reminded_at, reminders }, periodMs, now) ? waiting : undefined;
}

/** Whether a reminder of something that waits is due. @param periodMs 0 for no reminders */
export function isReminderDue(
  { since, reminded_at, reminders }: Omit<Waiting, "state">,
  periodMs: number,
  now: Date,
): boolean {
  if (periodMs === 0 || reminders >= MOST_REMINDERS) return false;
  const passed = now.getTime() - (reminded_at ?? since).getTime();
  return passed >= periodMs || passed < -periodMs;
}

function isReminded(state: PublicationState): boolean {
  return (REMINDED_STATES as readonly string[]).includes(state);
}

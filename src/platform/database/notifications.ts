/**
 * Notifications between the processes of one database: a submission has changed, a token or a grant of access was revoked
 * (by triggers, at the commit), a metadata revision of a dataset has ended, a job was queued, or all processes must stop, such
 * as for a migration. They only reduce delay: each listener also polls the database.
 */
export const CHANNELS = {
  submission: "accession_submission",
  work: "accession_work",
  revision: "accession_revision",
  token: "accession_token",
  upgrade: "accession_upgrade",
} as const;
export type Channel = keyof typeof CHANNELS;

export interface Notifications {
  /** Listens to a channel: messages of all processes, including this one. Returns a function that stops listening. */
  listen(channel: Channel, listener: (text: string) => void): () => void;
  /** Sends immediately, outside of any transaction. A message that cannot be sent is dropped. */
  send(channel: Channel, text: string): void;
}

/**
 * Listens to a channel, and polls at an interval for what was not notified.
 * @param everyMs the interval in milliseconds
 * @returns a function that ends both
 */
export function listenAndPoll(
  notifications: Pick<Notifications, "listen">,
  channel: Channel,
  { heard, poll, everyMs }: { heard: (text: string) => void; poll: () => void; everyMs: number },
): () => void {
  const stopListening = notifications.listen(channel, heard);
  const timer = setInterval(poll, everyMs).unref();
  return () => {
    stopListening();
    clearInterval(timer);
  };
}

/** The listeners of this process. */
export class Listeners {
  readonly #listeners = new Map<Channel, Set<(text: string) => void>>();

  on(channel: Channel, listener: (text: string) => void): () => void {
    const all = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, all);
    all.add(listener);
    return () => all.delete(listener);
  }

  tell(channel: Channel, text: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(text);
  }

  /** The same, by the channel name in the database. */
  hear(name: string, text: string): void {
    for (const [channel, known] of Object.entries(CHANNELS)) if (known === name) this.tell(channel as Channel, text);
  }
}

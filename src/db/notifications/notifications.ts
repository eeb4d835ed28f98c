/**
 * Notifications between the processes of one database: a submission has changed or a token was revoked (by triggers, at
 * the commit), and there is work. They only save time: each listener also polls the database.
 */
export const CHANNELS = {
  submission: "accession_submission",
  work: "accession_work",
  token: "accession_token",
} as const;
export type Channel = keyof typeof CHANNELS;

export interface Notifications {
  /** Listens to a channel: messages of any process, this one included. Returns a function that ends that. */
  listen(channel: Channel, listener: (text: string) => void): () => void;
  /** Sends at once, outside of any transaction. A message that cannot be sent is dropped. */
  send(channel: Channel, text: string): void;
}

/** Those who listen in this process. */
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

  /** The same, by the name that the database knows. */
  hear(name: string, text: string): void {
    for (const [channel, known] of Object.entries(CHANNELS)) if (known === name) this.tell(channel as Channel, text);
  }
}

import { PAGE_PATH } from "./client.ts";
import { beginSession, currentSession, type Session, subscribe } from "./session.ts";

/**
 * What tabs of the page tell each other: a tab that was just opened asks; one that is signed in answers, and says which token
 * a renewed one replaces; one that signed out says so. Nothing of it is put where it would outlive the last tab.
 */
type Message = { kind: "ask" } | { kind: "session"; session: Session; instead?: string | undefined } | { kind: "out" };

/** Milliseconds that a new tab waits for an answer before it shows what visitors see who have not signed in. */
const PATIENCE = 150;

/**
 * Takes part in what tabs of this browser tell each other of being signed in. Resolves when this tab is signed in, or no
 * other tab has answered; one that answers later is heard all the same. @param onOut another tab has signed out
 */
export async function joinTabs(onOut: () => void): Promise<void> {
  // Only pages of this origin hear it, and of them only those of this installation.
  const channel = openChannel(`accession.session ${PAGE_PATH}`);
  if (channel === undefined) return;
  const say = (message: Message) => channel.postMessage(message);
  let known = currentSession();
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = messageIn(data);
    const own = currentSession();
    if (message?.kind === "ask" && own !== undefined) say({ kind: "session", session: own });
    if (message?.kind === "session" && (own === undefined || own.token === message.instead)) {
      known = message.session;
      beginSession(message.session);
    }
    if (message?.kind === "out" && own !== undefined) {
      known = undefined;
      onOut();
    }
  };
  subscribe(() => {
    const [before, now] = [known, currentSession()];
    known = now;
    if (now !== undefined && now.token !== before?.token)
      say({ kind: "session", session: now, instead: before?.token });
  });
  if (known !== undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = subscribe(() => currentSession() !== undefined && resolve());
  setTimeout(resolve, PATIENCE);
  say({ kind: "ask" });
  await promise;
  leave();
}

/** Tells all other tabs that somebody has signed out. */
export function sayOut(): void {
  const channel = openChannel(`accession.session ${PAGE_PATH}`);
  channel?.postMessage({ kind: "out" } satisfies Message);
  channel?.close();
}

/** Undefined where the browser has none, or refuses it: then each tab signs in by itself. */
function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}

function messageIn(data: unknown): Message | undefined {
  const { kind, session, instead } = (data ?? {}) as { kind?: unknown; session?: Partial<Session>; instead?: unknown };
  if (kind === "ask" || kind === "out") return { kind };
  const { token, from } = session ?? {};
  if (kind !== "session" || typeof token !== "string" || (from !== "token" && from !== "provider")) return undefined;
  return { kind, session: { token, from }, instead: typeof instead === "string" ? instead : undefined };
}

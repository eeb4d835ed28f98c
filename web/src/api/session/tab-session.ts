import { randomId } from "../browser/storage.ts";
import { PAGE_PATH } from "../client.ts";
import { beginSession, currentSession, rejectedSession, type Session, sessionIn, subscribe } from "./session.ts";

/**
 * Messages between tabs. Only the answer to `ask` contains a token. Every page of the same origin can send and receive
 * all of them, so docs/access.md requires an origin that is dedicated to the service.
 */
type Message =
  /** A tab without a session, or with an old token, asks for a session: for any, or for the one named. */
  | { kind: "ask"; ask: string; id?: string | undefined }
  | { kind: "session"; ask: string; session: Session }
  /** The user signed in, or the token of the session was renewed. */
  | { kind: "begun" | "renewed"; id: string }
  /** The user signed out. */
  | { kind: "out"; id: string };

/** The page's path when the service has no base path. */
const UNMOUNTED = "/app";

/**
 * Whether a session that begins in one tab begins in the others. Below a base path, other applications usually share the origin: tabs then
 * only report that the user signed out.
 */
export const SHARES_SESSION = PAGE_PATH === UNMOUNTED;

/** Milliseconds that a new tab waits for an answer before it shows the sign-in page. */
const ANSWER_MS = 150;

/** Sessions that the user has signed out of since this tab was opened. A late answer must not restore them. */
const ended = new Set<string>();

/**
 * Shares the session with the other tabs of this browser. Resolves when this tab is signed in, or no other tab has answered
 * in time; a later answer is still accepted. @param onOut the user has signed out of this tab's session in another tab
 */
export async function shareSessionWithTabs(onOut: () => void): Promise<void> {
  const channel = openChannel();
  if (channel === undefined) return;
  const send = (message: Message) => channel.postMessage(message);
  let known = currentSession();
  /** The latest session of this tab; the service may have rejected its token. */
  let last = known?.id;
  let asked: string | undefined;
  const ask = (id?: string) => {
    asked = randomId();
    send({ kind: "ask", ask: asked, id });
  };
  const answerOrAdopt = (message: Exclude<Message, { kind: "out" }>) => {
    const own = currentSession();
    if (message.kind === "ask") {
      const isOwn = message.id === undefined || message.id === own?.id;
      if (own !== undefined && isOwn) send({ kind: "session", ask: message.ask, session: own });
      return;
    }
    if (message.kind === "session") {
      const { session } = message;
      if (message.ask !== asked || ended.has(session.id)) return;
      if (own !== undefined && own.id !== session.id) return;
      // The other tab has not noticed yet that the service rejects this token.
      if (session.token === rejectedSession()?.token) return;
      asked = undefined;
      known = session;
      last = session.id;
      beginSession(session);
      return;
    }
    const isOpen = own === undefined && (message.kind === "begun" || message.id === last);
    if (!ended.has(message.id) && (isOpen || own?.id === message.id)) ask(message.id);
  };
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = messageIn(data);
    if (message?.kind === "out") {
      ended.add(message.id);
      if (currentSession()?.id === message.id) onOut();
    } else if (message !== undefined && SHARES_SESSION) answerOrAdopt(message);
  };
  if (!SHARES_SESSION) return;
  subscribe(() => {
    const [before, now] = [known, currentSession()];
    known = now;
    // Another tab may have a renewed token, or the user may have signed in there again.
    if (now === undefined && rejectedSession() !== undefined) ask();
    if (now === undefined || now.token === before?.token) return;
    const isSame = now.id === last;
    last = now.id;
    send({ kind: isSame ? "renewed" : "begun", id: now.id });
  });
  if (known !== undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = subscribe(() => currentSession() !== undefined && resolve());
  setTimeout(resolve, ANSWER_MS);
  ask();
  await promise;
  leave();
}

/** Tells all other tabs that the user has signed out of a session. */
export function announceSignOut(id: string): void {
  ended.add(id);
  const channel = openChannel();
  channel?.postMessage({ kind: "out", id } satisfies Message);
  channel?.close();
}

/** Undefined if the browser has no channels or forbids them: each tab then signs in separately. */
function openChannel(): BroadcastChannel | undefined {
  try {
    // The path keeps apart several installations on one origin.
    return new BroadcastChannel(`accession.session ${PAGE_PATH}`);
  } catch {
    return undefined;
  }
}

function messageIn(data: unknown): Message | undefined {
  const { kind, id, ask, session: sent } = (data ?? {}) as Record<"kind" | "id" | "ask" | "session", unknown>;
  const session = sessionIn(sent);
  if ((kind === "begun" || kind === "renewed" || kind === "out") && typeof id === "string") return { kind, id };
  if (typeof ask !== "string") return undefined;
  if (kind === "session" && session !== undefined) return { kind, ask, session };
  return kind === "ask" ? { kind, ask, id: typeof id === "string" ? id : undefined } : undefined;
}

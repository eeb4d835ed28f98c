import { isPlaceOf } from "../../api/browser/storage.ts";
import { fetchOwner } from "../../api/service.ts";
import { currentSession, rejectedSession, subscribe } from "../../api/session/session.ts";
import { addUnsent } from "../../api/session/unsent.ts";
import type { Choice } from "./ChooseFiles.tsx";
import type { UploadSession } from "./session.ts";

/** The sessions of this tab, by the storage key of their draft. They continue while the page shows something else. */
const held = new Map<string, UploadSession>();
/** What was chosen for uploads that are being created, by the same key. */
const creating = new Map<string, Choice>();
/** What was chosen for uploads that could not be created because the service rejected the token, by the same key. */
const chosen = new Map<string, Choice>();

/** Replaces the session of a draft. */
export function holdUpload(place: string, session: UploadSession): UploadSession {
  if (held.get(place) !== session) releaseUpload(place);
  held.set(place, session);
  return session;
}

/** The session of a draft, if it is that of this upload. */
export function heldUpload(place: string, id: string): UploadSession | undefined {
  const session = held.get(place);
  return session?.id === id ? session : undefined;
}

/** Ends the session of a draft. The upload is kept. */
export function releaseUpload(place: string): void {
  held.get(place)?.close();
  held.delete(place);
}

/** The upload of a draft whose files this tab has, and has not sent; undefined if there is none. */
export function unsentUpload(place: string): string | undefined {
  const session = held.get(place);
  return session?.hasUnsent ? session.id : undefined;
}

/** Keeps a choice while its upload is created, and until the user has signed in again if the service rejects the token. */
export async function holdingChoice<Result>(place: string, choice: Choice, create: () => Promise<Result>) {
  creating.set(place, choice);
  try {
    return await create();
  } finally {
    creating.delete(place);
  }
}

/** The choice that was kept for a draft because the service rejected the token. */
export function takeChoice(place: string): Choice | undefined {
  const choice = chosen.get(place);
  chosen.delete(place);
  return choice;
}

addUnsent(() => chosen.size > 0 || [...held.values()].some(({ hasUnsent }) => hasUnsent));

subscribe(() => {
  if (currentSession() !== undefined) return void continueOwn();
  // Nothing is sent for a user who has signed out. One whose token was rejected can sign in again.
  const isRejected = rejectedSession() !== undefined;
  if (!isRejected) chosen.clear();
  else for (const [place, choice] of creating) chosen.set(place, choice);
  for (const [place, session] of [...held]) {
    if (isRejected) session.suspend();
    else releaseUpload(place);
  }
});

/** Continues the uploads of the user who has signed in, and ends those of others. */
async function continueOwn(): Promise<void> {
  if (chosen.size === 0 && ![...held.values()].some(({ isSuspended }) => isSuspended)) return;
  // Without an answer, they continue when the form is opened, whose address names the owner.
  const owner = await fetchOwner().catch(() => undefined);
  if (owner === undefined) return;
  for (const place of [...chosen.keys()]) if (!isPlaceOf(owner, place)) chosen.delete(place);
  for (const [place, session] of [...held]) {
    if (isPlaceOf(owner, place)) session.signedIn();
    else releaseUpload(place);
  }
}

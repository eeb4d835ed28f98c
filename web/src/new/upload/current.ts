import { useEffect, useState, useSyncExternalStore } from "react";
import { currentSession, subscribe } from "../../api/session/session.ts";
import type { DataSource } from "../draft.ts";
import type { UploadSession } from "./session.ts";
import type { UploadStatus } from "./status.ts";

/** The sessions of this tab, by the storage key of their draft. They continue while the page shows something else. */
const held = new Map<string, UploadSession>();

/** The upload of a form. */
export interface CurrentUpload {
  /** Undefined without an upload, and until its code is loaded. */
  session: UploadSession | undefined;
  status: UploadStatus;
  /** Replaces the session of the draft. */
  hold: (session: UploadSession) => void;
}

/**
 * The upload of a draft. Notes in the draft whether all files have arrived.
 * @param place the storage key of the draft
 */
export function useCurrentUpload(
  place: string,
  dataSource: DataSource,
  setDataSource: (change: Partial<DataSource>) => void,
): CurrentUpload {
  const { uploadFiles } = dataSource;
  const id = dataSource.kind === "upload" ? dataSource.upload : "";
  const [session, setSession] = useState(() => heldAt(place, id));
  const [fault, setFault] = useState<{ reason: unknown }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number matters when the upload is opened.
  useEffect(() => {
    // The draft has another upload now. It keeps its upload while the bucket is shown.
    if (held.get(place)?.id !== dataSource.upload) releaseUpload(place);
    const known = heldAt(place, id);
    setSession(known);
    if (id === "" || known !== undefined) return;
    let isWanted = true;
    import("./session.ts").then(
      (module) => isWanted && setSession(hold(place, new module.UploadSession(id, uploadFiles))),
      (reason: unknown) => isWanted && setFault({ reason }),
    );
    return () => {
      isWanted = false;
    };
  }, [place, id, dataSource.upload]);
  const status = useSyncExternalStore(session?.subscribe ?? never, () => session?.snapshot.status);
  const wholeFiles = useSyncExternalStore(session?.subscribe ?? never, () => wholeFilesOf(session));
  // biome-ignore lint/correctness/useExhaustiveDependencies: noted when it changes.
  useEffect(() => {
    if (wholeFiles !== undefined && wholeFiles !== uploadFiles) setDataSource({ uploadFiles: wholeFiles });
  }, [wholeFiles]);
  if (fault !== undefined) throw fault.reason;
  return {
    session,
    status: status ?? (id === "" ? "none" : "opening"),
    hold: (next) => void hold(place, next),
  };
}

/** The number of files if all have arrived, 0 while some are sent; undefined if neither is known. */
function wholeFilesOf(session: UploadSession | undefined): number | undefined {
  if (session?.snapshot.status === "ready") return session.snapshot.files;
  return session?.snapshot.status === "sending" ? 0 : undefined;
}

/** Ends the session of a draft. The upload is kept. */
export function releaseUpload(place: string): void {
  held.get(place)?.close();
  held.delete(place);
}

function hold(place: string, session: UploadSession): UploadSession {
  if (held.get(place) !== session) releaseUpload(place);
  held.set(place, session);
  return session;
}

function heldAt(place: string, id: string): UploadSession | undefined {
  const session = held.get(place);
  return session?.id === id ? session : undefined;
}

const never = () => () => undefined;

// Nothing is sent for a user who has signed out.
subscribe(() => {
  if (currentSession() === undefined) for (const place of [...held.keys()]) releaseUpload(place);
});

import { useEffect, useState, useSyncExternalStore } from "react";
import type { DataSource } from "../draft.ts";
import { heldUpload, holdUpload, releaseUpload, unsentUpload } from "./held.ts";
import type { UploadSession } from "./session.ts";
import type { UploadStatus } from "./status.ts";

/** The upload of a form. */
export interface CurrentUpload {
  /** Undefined without an upload, and until its code is loaded. */
  session: UploadSession | undefined;
  status: UploadStatus;
  /** The storage key of the draft. */
  place: string;
  /** Replaces the session of the draft. */
  hold: (session: UploadSession) => void;
  /** Ends the session of the draft. */
  release: () => void;
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
  const [session, setSession] = useState(() => heldUpload(place, id));
  const [fault, setFault] = useState<{ reason: unknown }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number matters when the upload is opened.
  useEffect(() => {
    // The draft has another upload now. It keeps its upload while the bucket is shown. Another tab may have cleared the draft, which
    // ends nothing here: the upload is listed, and can be taken into the form.
    const kept = unsentUpload(place);
    if (heldUpload(place, dataSource.upload) === undefined && (kept === undefined || id !== "")) releaseUpload(place);
    const known = heldUpload(place, id);
    known?.signedIn();
    setSession(known);
    if (id === "" || known !== undefined) return;
    let isWanted = true;
    import("./session.ts").then(
      (module) => isWanted && setSession(holdUpload(place, new module.UploadSession(id, uploadFiles))),
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
    place,
    hold: (next) => void holdUpload(place, next),
    release: () => releaseUpload(place),
  };
}

/** The number of files if all have arrived, 0 if that is not so or cannot be known; undefined if it may still be as it was. */
function wholeFilesOf(session: UploadSession | undefined): number | undefined {
  if (session === undefined) return undefined;
  const { files, isWhole, status } = session.snapshot;
  if (isWhole) return files;
  return ["sending", "incomplete", "unchosen"].includes(status) ? 0 : undefined;
}

const never = () => () => undefined;

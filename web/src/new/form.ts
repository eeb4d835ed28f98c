import { createContext, useContext } from "react";
import type { Preview, Remark, Report, Step } from "../api/intake.ts";
import type { MetadataForm } from "../metadata-form/context.ts";
import type { DraftSaveState } from "../metadata-form/drafts/draft-store.ts";
import type { DataSource, Draft, DraftEntries, Keys, Lists } from "./draft.ts";
import type { Part } from "./parts.ts";
import type { CurrentUpload } from "./upload/current.ts";

/** The state and results of the connection test. */
export interface Connection {
  test: () => void;
  /** Ends a running test without a result. */
  cancel: () => void;
  isTesting: boolean;
  /** The completed steps of a running test. */
  passed: ReadonlyMap<Step["name"], Step>;
  report: Report | undefined;
  isCounting: boolean;
  preview: Preview | undefined;
  error: Error | null;
  /** The data source has changed since the test. */
  isStale: boolean;
}

/** The state of the submit request. */
export interface Sending {
  send: () => void;
  isSending: boolean;
  error: Error | null;
}

/** The form for a submission, for all components in it. */
export interface Form extends MetadataForm {
  /** The dataset that gets a new version. */
  dataset: string | undefined;
  draft: Draft;
  /** Whether the browser has stored the draft. */
  kept: DraftSaveState;
  /** Loads the draft that another tab has stored. */
  follow: () => void;
  keys: Keys;
  lists: Lists;
  setDataSource: (change: Partial<DataSource>) => void;
  setKeys: (change: Partial<Keys>) => void;
  /** Replaces the checksum lists. */
  setLists: (names: readonly string[], texts: Lists) => void;
  setReserveDoi: (reserveDoi: boolean) => void;
  /** Replaces the entries, for example with those of an earlier submission. */
  adopt: (entries: DraftEntries) => void;
  /** Clears the form. */
  clear: () => void;

  warnings: readonly Warning[];
  /** Shows all errors. */
  reveal: () => void;

  part: Part;
  /** The user changed the section, so the heading of the section receives the focus. */
  hasMoved: boolean;
  goTo: (part: Part) => void;
  /** The member whose field will receive the focus. */
  target: string | undefined;
  /** Reports that the field has received the focus. */
  arrive: () => void;

  /** Whether the service accepts uploads. */
  offersUploads: boolean;
  upload: CurrentUpload;
  connection: Connection;
  sending: Sending;
}

export const FormContext = createContext<Form | undefined>(undefined);

/** The form that contains the calling component. */
export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error("This is shown inside of a form alone");
  return form;
}

/** A suggestion: from the service, or with a code of the page's own. */
export interface Warning extends Pick<Remark, "pointer" | "detail"> {
  code: string;
}

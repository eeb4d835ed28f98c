import { createContext, useContext } from "react";
import type { Preview, Remark, Report, Step } from "../api/intake.ts";
import type { DataSource, Description, Draft, Kept, Keys, Person } from "./draft.ts";
import type { FormError } from "./form-errors.ts";
import type { Part } from "./parts.ts";

/** What a test of the connection has shown. */
export interface Connection {
  test: () => void;
  isTesting: boolean;
  /** The steps of a test that are known so far. */
  passed: ReadonlyMap<Step["name"], Step>;
  report: Report | undefined;
  isCounting: boolean;
  preview: Preview | undefined;
  error: Error | null;
  /** Something was changed since. */
  isStale: boolean;
}

/** Submitting, and what came of it. */
export interface Sending {
  send: () => void;
  isSending: boolean;
  error: Error | null;
}

/** The form that is being filled in. */
export interface Form {
  /** Of which this will be a version. */
  dataset: string | undefined;
  draft: Draft;
  /** Whether the draft is kept in the browser. */
  kept: Kept;
  /** Goes on with the draft of another tab. */
  follow: () => void;
  keys: Keys;
  setDataSource: (change: Partial<DataSource>) => void;
  setDescription: (change: Partial<Description>) => void;
  setAuthors: (change: (authors: Person[]) => Person[]) => void;
  setKeys: (change: Partial<Keys>) => void;
  /** Takes over what is known from elsewhere. */
  adopt: (draft: Pick<Draft, "dataSource" | "description" | "authors">) => void;
  /** Empties everything. */
  clear: () => void;

  formErrors: readonly FormError[];
  warnings: readonly Warning[];
  /** What is said at a field: its fault, once somebody has been there or has tried to submit. */
  errorShownAt: (pointer: string) => string | undefined;
  /** Somebody has been at a field. */
  touch: (pointer: string) => void;
  /** Shows every fault. */
  reveal: () => void;
  isRevealed: boolean;

  part: Part;
  /** Somebody went from one part to another: the heading of the one that is shown takes the focus. */
  hasMoved: boolean;
  goTo: (part: Part) => void;
  /** Leads to the field of a member of the request. */
  goToField: (pointer: string) => void;
  /** The member whose field is being gone to. */
  target: string | undefined;
  /** It has been reached. */
  arrive: () => void;
  /** Authors whose fields are shown. */
  openAuthors: ReadonlySet<string>;
  setOpen: (author: string, isOpen: boolean) => void;

  connection: Connection;
  sending: Sending;
}

export const FormContext = createContext<Form | undefined>(undefined);

/** The form, for whatever is inside of it. */
export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error("This is shown inside of a form alone");
  return form;
}

/** What is no fault, and yet worth a thought: said by the service, or by a code of the page's own. */
export interface Warning extends Pick<Remark, "pointer" | "detail"> {
  code: string;
}

import { createContext, useContext } from "react";
import type { Publication } from "../api/publications.ts";
import type { Thread } from "./threads.ts";

/** The open comments of the version that is shown. */
export interface OpenComments {
  publication: Publication;
  /** Oldest first. */
  threads: readonly Thread[];
  /** Whether comments can be added where there is none. */
  canAdd: boolean;
}

/** Undefined where nobody comments, such as for readers. */
export const CommentsContext = createContext<OpenComments | undefined>(undefined);

/** The open comments of the version that is shown; undefined for those who do not see comments. */
export function useOpenComments(): OpenComments | undefined {
  return useContext(CommentsContext);
}

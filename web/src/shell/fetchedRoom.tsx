import type { ComponentType } from "react";
import { queries } from "../api/queries.ts";
import { serviceQuery } from "../api/service.ts";
import { type Fetched, fetched } from "../ui/fetched.tsx";
import { Loading } from "./Loading.tsx";

/** A room could not be fetched, for the service does not answer: it can be had when it does. */
export class RoomAway extends Error {}
/** A room is not there any more though the service is: the page was replaced while it was open. */
export class RoomReplaced extends Error {}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** How browsers and Vite say that a module, or its style sheet, could not be fetched. */
const NOT_FETCHED = /dynamically imported module|module script failed|Unable to preload/i;

/** A room that is fetched when somebody goes there. It throws {@link RoomAway} or {@link RoomReplaced} when it cannot be. */
export function fetchedRoom<Props extends object>(load: Load<Props>): Fetched<Props> {
  return fetched(() => fetchRoom(load), Loading);
}

async function fetchRoom<Props>(load: Load<Props>): Promise<{ default: ComponentType<Props> }> {
  try {
    return await load();
  } catch (error) {
    if (!isNotFetched(error)) throw error;
  }
  await queries.fetchQuery({ ...serviceQuery, staleTime: 0 }).catch((cause: unknown) => {
    throw new RoomAway("The service does not answer", { cause });
  });
  // It may have been away for a moment only.
  return load().catch((cause: unknown) => {
    throw isNotFetched(cause) ? new RoomReplaced("The room is not there any more", { cause }) : cause;
  });
}

function isNotFetched(error: unknown): boolean {
  return error instanceof Error && NOT_FETCHED.test(error.message);
}

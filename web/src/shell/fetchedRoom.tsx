import { type ComponentType, lazy } from "react";
import { queries } from "../api/queries.ts";
import { serviceQuery } from "../api/service.ts";

/** A room could not be fetched, for the service does not answer: it can be had when it does. */
export class RoomAway extends Error {}
/** A room is not there any more though the service is: the page was replaced while it was open. */
export class RoomReplaced extends Error {}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** How browsers and Vite say that a module, or its style sheet, could not be fetched. */
const NOT_FETCHED = /dynamically imported module|module script failed|Unable to preload/i;
const failed = new Set<() => void>();

/** A room that is fetched when somebody goes there. */
export function fetchedRoom<Props extends object>(load: Load<Props>): ComponentType<Props> {
  const make = () =>
    lazy<ComponentType<Props>>(() =>
      fetchRoom(load).catch((error: unknown) => {
        failed.add(() => {
          Room = make();
        });
        throw error;
      }),
    );
  let Room = make();
  return (props) => <Room {...props} />;
}

/** Lets rooms that could not be fetched be fetched once more. */
export function forgetFailures(): void {
  for (const renew of failed) renew();
  failed.clear();
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

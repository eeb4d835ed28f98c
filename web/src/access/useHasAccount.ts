import { PAGE_PATH } from "../api/client.ts";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session/session.ts";

/** Whether the service knows the reader: they are signed in, or it requires no sign-in. */
export function useHasAccount(): boolean {
  const { session } = useSession();
  const service = useService();
  return session !== undefined || service?.signIn.method === "none";
}

/** The address of the sign-in page, which leads back to the present page. */
export function signInHref(): string {
  return `/sign-in?${new URLSearchParams({ from: location.pathname.slice(PAGE_PATH.length) + location.search })}`;
}

import { useService } from "../api/service.ts";
import { useSession } from "../api/session.ts";

/** Whether the service knows the reader: they are signed in, or it requires no sign-in. */
export function useHasAccount(): boolean {
  const { session } = useSession();
  const service = useService();
  return session !== undefined || service?.signIn.method === "none";
}

import type { ReactNode } from "react";
import { Redirect, useLocation } from "wouter";
import { useQueryText } from "../api/address.ts";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session.ts";
import { Loading } from "./Loading.tsx";

/** Shows its content to signed-in users; redirects others to the sign-in page and back. */
export function SignedIn({ children }: { children: ReactNode }) {
  const service = useService();
  const { session } = useSession();
  const [path] = useLocation();
  const query = useQueryText();
  if (service === undefined) return <Loading />;
  if (service.signIn.method === "none" || session !== undefined) return children;
  return <Redirect to={`/sign-in?${new URLSearchParams({ from: path + query })}`} replace />;
}

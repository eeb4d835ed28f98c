import type { ReactNode } from "react";
import { Redirect, useLocation, useSearch } from "wouter";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session.ts";
import { Loading } from "./Loading.tsx";

/** Shows what only callers may see, and leads everybody else to sign in and back. */
export function SignedIn({ children }: { children: ReactNode }) {
  const service = useService();
  const { session } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  if (service === undefined) return <Loading />;
  if (service.signIn.method === "none" || session !== undefined) return children;
  const from = search === "" ? path : `${path}?${search}`;
  return <Redirect to={`/sign-in?${new URLSearchParams({ from })}`} replace />;
}

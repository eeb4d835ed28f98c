import { PAGE_PATH } from "../api/client.ts";

/** The address of the sign-in page, which leads back to the present page. */
export function signInHref(): string {
  return `/sign-in?${new URLSearchParams({ from: location.pathname.slice(PAGE_PATH.length) + location.search })}`;
}

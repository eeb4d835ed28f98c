import { navigate, useSearch as useRawSearch } from "wouter/use-browser-location";

/** How to change the address. By default the browser's back button undoes the change. */
export interface Step {
  replace?: boolean;
}

/** The undecoded query string of the page's address, such as `?file=data%2Fa%2520b`; may be empty. */
export function useQueryText(): string {
  return useRawSearch();
}

/**
 * The query parameters of the page's address, and a function that replaces all of them. Do not use the router's hook: it
 * decodes the query string twice, so it turns the file `a%20b` into `a b`.
 */
export function useAddress(): [URLSearchParams, (params: Record<string, string>, step?: Step) => void] {
  return [new URLSearchParams(useQueryText()), setParams];
}

function setParams(params: Record<string, string>, step: Step = {}): void {
  const query = new URLSearchParams(params).toString();
  navigate(location.pathname + (query === "" ? "" : `?${query}`), step);
}

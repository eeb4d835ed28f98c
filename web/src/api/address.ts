import { navigate, useSearch as useRawSearch } from "wouter/use-browser-location";

/** How an address is changed: by default a step that the browser's back button takes back. */
export interface Step {
  replace?: boolean;
}

/** What stands behind the path of the page's address, as it was written: `?file=data%2Fa%2520b`, or empty. */
export function useQueryText(): string {
  return useRawSearch();
}

/**
 * The parameters of the page's address, and how to replace all of them. The only way to read and write them: the
 * router's own hook decodes the text once before it is parsed, so that a file `a%20b` became another one, `a b`.
 */
export function useAddress(): [URLSearchParams, (params: Record<string, string>, step?: Step) => void] {
  return [new URLSearchParams(useQueryText()), setParams];
}

function setParams(params: Record<string, string>, step: Step = {}): void {
  const query = new URLSearchParams(params).toString();
  navigate(location.pathname + (query === "" ? "" : `?${query}`), step);
}

import { useAddress } from "../api/browser/address.ts";

/** A metadata revision of a dataset: the number of the version, and the number of the revision of its metadata. */
export interface RevisionNumber {
  version: number;
  revision: number;
}

/** A revision as in the address of the page and in `ETag`: `1.2`. */
export function textOfNumber({ version, revision }: RevisionNumber): string {
  return `${version}.${revision}`;
}

/** The revision that a text names; undefined for any other text. */
export function numberIn(text: string | null): RevisionNumber | undefined {
  const [, version, revision] = /^([1-9]\d{0,5})\.([1-9]\d{0,5})$/.exec(text ?? "") ?? [];
  return version === undefined ? undefined : { version: Number(version), revision: Number(revision) };
}

/** The query string for the comparison of two revisions. */
export function comparisonOf(from: RevisionNumber, to: RevisionNumber): string {
  return `?${new URLSearchParams({ from: textOfNumber(from), to: textOfNumber(to) })}`;
}

/** The two revisions that the address names, and a function that changes it. */
export function useComparison() {
  const [params, setParams] = useAddress();
  const choose = (from: RevisionNumber, to: RevisionNumber) =>
    setParams({ from: textOfNumber(from), to: textOfNumber(to) });
  const version = Number(params.get("version"));
  return {
    from: numberIn(params.get("from")),
    to: numberIn(params.get("to")),
    /** The version whose revisions are shown first; undefined for the latest. */
    version: Number.isSafeInteger(version) && version > 0 ? version : undefined,
    choose,
  };
}

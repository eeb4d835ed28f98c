import { type Step, useAddress } from "../api/browser/address.ts";
import { DATA } from "../api/datasets.ts";

/** The version, the part of its list of files, and the file that the address of a dataset names. */
export interface Place {
  /** Undefined for the latest version; 0, which no version has, for what is no number of one. */
  version: number | undefined;
  /** Without a slash at the end. */
  folder: string;
  /** The part of the list of files that the service is asked for, in its own terms. */
  list: { from?: string; after?: string; find?: string };
  /** The file that is open. */
  file: string | undefined;
}

const LIST = ["from", "after", "find"] as const;

/** The place in a dataset, and a function that opens a file, or closes the one that is open. */
export function usePlace(): [Place, (file: string | undefined, step?: Step) => void] {
  const [params, setParams] = useAddress();
  const list = LIST.flatMap((name) => {
    const value = params.get(name);
    return value === null || (name === "after" && !/^\d{1,9}$/.test(value)) ? [] : [[name, value]];
  });
  const place: Place = {
    version: versionIn(params.get("version")),
    folder: params.get("folder") ?? DATA,
    list: Object.fromEntries(list),
    file: params.get("file") ?? undefined,
  };
  const open = (file: string | undefined, step?: Step) => {
    const { file: _, ...others } = Object.fromEntries(params);
    setParams({ ...others, ...(file !== undefined && { file }) }, step);
  };
  return [place, open];
}

function versionIn(text: string | null): number | undefined {
  if (text === null) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

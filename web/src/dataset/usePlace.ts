import { type Step, useAddress } from "../api/browser/address.ts";

/** The version, folder and file that the address of a dataset names. */
export interface Place {
  /** Undefined for the latest version. */
  version: number | undefined;
  /** Without a slash at the end; empty for the whole package. */
  folder: string;
  /** The file that is open. */
  file: string | undefined;
}

/** The folder of a package that contains the objects of the bucket. */
export const DATA = "data";

/** The place in a dataset, and a function that changes it. Keeps the members that are not given, except the file. */
export function usePlace(): [Place, (to: Partial<Place>, step?: Step) => void] {
  const [params, setParams] = useAddress();
  const version = Number(params.get("version"));
  const place: Place = {
    version: Number.isSafeInteger(version) && version > 0 ? version : undefined,
    folder: params.get("folder") ?? DATA,
    file: params.get("file") ?? undefined,
  };
  const go = (to: Partial<Place>, step?: Step) => {
    const { version, folder, file } = { ...place, file: undefined, ...to };
    const params = {
      ...(version !== undefined && { version: String(version) }),
      ...(folder !== DATA && { folder }),
      ...(file !== undefined && { file }),
    };
    setParams(params, step);
  };
  return [place, go];
}

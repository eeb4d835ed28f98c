import { type Step, useAddress } from "../api/address.ts";

/** Where somebody is in a dataset, as the address names it: it can be sent to others, and the way back leads back. */
export interface Place {
  /** Undefined for the latest one. */
  version: number | undefined;
  /** Without a slash at its end; empty for the whole package. */
  folder: string;
  /** The file that is looked at. */
  file: string | undefined;
}

/** Where the objects of the bucket lie in a package. */
export const DATA = "data";

/** The place, and how to go to another one. What is not named stays, but a file is of its folder and version. */
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

import { Client } from "../client/client.ts";
import { Failure } from "../terminal/failure.ts";
import { show } from "../terminal/text.ts";

/** A dataset of a service, by its address. */
export interface DatasetAddress {
  client: Client;
  id: string;
  /** Undefined for the latest version. */
  version?: number;
}

const ID = "(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const DATASET = new RegExp(`^(.*?)/(?:dataset|app/datasets)/(${ID})(?:/.*)?$`, "i");

/**
 * Parses the address of a dataset as a browser shows it: `https://data.example.org/dataset/ID?version=2`, or that of its
 * page below `/app/datasets/`. An id alone is a dataset of `ACCESSION_URL`. The token in the environment is sent only to
 * `ACCESSION_URL`, because the address can be of any service.
 *
 * @throws Failure 2 for any other address
 */
export function parseDatasetAddress(text: string, environment: NodeJS.ProcessEnv): DatasetAddress {
  if (new RegExp(`^${ID}$`, "i").test(text)) return { client: Client.fromEnvironment(environment), id: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [, base, id] = DATASET.exec(decoded(url?.pathname)) ?? [];
  if (url === undefined || base === undefined || id === undefined || !/^https?:$/.test(url.protocol) || url.username) {
    throw new Failure(
      2,
      show`“${text}” is not the address of a dataset. Open the dataset in a browser and copy its address, such as https://data.example.org/dataset/7f3c9c1e-…`,
    );
  }
  const version = url.searchParams.get("version") ?? "";
  return {
    client: clientFor(`${url.origin}${base}`, environment),
    id,
    ...(/^[1-9]\d{0,8}$/.test(version) && { version: Number(version) }),
  };
}

function clientFor(service: string, environment: NodeJS.ProcessEnv): Client {
  if (environment.ACCESSION_URL?.trim().replace(/\/+$/, "") === service) return Client.fromEnvironment(environment);
  return new Client(service);
}

function decoded(path = ""): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

import { addressPath } from "../../domain/keys-and-paths/path.ts";

/** The folder of all files. */
const PAYLOAD = "data/";

/** Where a page of a folder begins. */
export interface Position {
  from?: string | undefined;
  after?: number | undefined;
  /** Words that the paths of the files contain. */
  find?: string | undefined;
}

/** Addresses of files and folders, whose paths are below `data/`, on the pages of a version. */
export interface FileAddresses {
  /** The page of a folder; empty for the folder of all files. */
  folder: (path: string, at?: Position) => string;
  /** The page of a file, or of a folder. */
  page: (path: string) => string;
  /** Whether each file has a page, also if its content cannot be shown. */
  everyPage: boolean;
  /** The list of all files as CSV. */
  list: string;
  /** The form that searches file names: its address, and the parameters that it keeps. */
  search: { action: string; keeps: readonly [name: string, value: string][] };
  /** The bytes of an image or a PDF, for a browser that shows them. */
  image: (path: string) => string;
  /** The bytes of a file, or a folder as ZIP, as a download. */
  file: (path: string) => string;
}

/** Identifies a version in addresses. */
export interface Addressed {
  /** The landing page of the dataset. */
  facts: { url: string };
  /** The query that names the version; empty for the newest one. */
  query: string;
}

/** The addresses for readers of a version. @param lang the language that the request names, which pages keep */
export function addressesOf({ facts: { url }, query }: Addressed, lang: string | undefined): FileAddresses {
  const preview = (path: string, more: Record<string, string | undefined>) =>
    `${url}/preview/${addressPath(PAYLOAD + path)}${queryText(query, more)}`;
  return {
    folder: (path, at = {}) => {
      const isStart = path === "" && Object.values(at).every((value) => value === undefined);
      return `${url}${queryText(query, { ...(!isStart && { folder: path }), ...at, lang })}#files`;
    },
    page: (path) => preview(path, { lang }),
    everyPage: false,
    list: `${url}/files${queryText(query, { format: "csv" })}`,
    search: {
      action: `${new URL(url, "http://localhost").pathname}#files`,
      keeps: [...new URLSearchParams(queryText(query, { lang }))],
    },
    image: (path) => preview(path, { inline: "true" }),
    file: (path) => `${url}/files/${addressPath(PAYLOAD + path)}${query}`,
  };
}

/** The addresses in the application, which has pages for the files that the archive has added, too. */
export interface ApplicationAddresses extends FileAddresses {
  /** The bytes and the page of an added file. */
  added: (path: string) => { url: string; page: string };
}

/**
 * The addresses in the application, which name the version, because another one can be published while a page is open.
 * @param at.basePath of the service: the application can be open under another host name than the public one
 * @param at.isNewest whether pages show this version without naming it
 */
export function applicationAddresses(at: {
  basePath: string;
  dataset: string;
  version: number;
  isNewest: boolean;
}): ApplicationAddresses {
  const { basePath, dataset, version, isNewest } = at;
  const facts = { url: `${basePath}/dataset/${dataset}` };
  const query = `?version=${version}`;
  const page = `${basePath}/app/datasets/${dataset}`;
  const shown = isNewest ? "" : query;
  const pageOf = (path: string) => page + queryText(shown, { file: path });
  return {
    ...addressesOf({ facts, query }, undefined),
    folder: (path, position = {}) =>
      page + queryText(shown, { folder: path === "" ? undefined : PAYLOAD + path.slice(0, -1), ...position }),
    page: (path) => pageOf(PAYLOAD + path),
    everyPage: true,
    search: { action: page, keeps: [...new URLSearchParams(shown)] },
    added: (path) => ({ url: `${facts.url}/files/${addressPath(path)}${query}`, page: pageOf(path) }),
  };
}

/** A query with more parameters; empty for none. */
export function queryText(query: string, more: Record<string, string | number | undefined>): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

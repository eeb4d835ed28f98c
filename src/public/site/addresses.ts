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
  facts: { url: string; version: number };
  /** The query of pages, which names the version; empty for the newest one. */
  query: string;
}

/** The addresses for readers of a version. @param lang the language that the request names, which pages keep */
export function addressesOf({ facts: { url, version }, query }: Addressed, lang: string | undefined): FileAddresses {
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
    // Names the version: whoever keeps the address gets the same bytes when there is a newer one.
    file: (path) => `${url}/files/${addressPath(PAYLOAD + path)}?version=${version}`,
  };
}

/** The addresses in the application, which has pages for the files that the archive has added, too. */
export interface ApplicationAddresses extends FileAddresses {
  /** The bytes and the page of an added file. */
  added: (path: string) => { url: string; page: string };
}

/** A version in the application. */
export interface ApplicationPlace {
  /** Of the service: the application can be open under another host name than the public one. */
  basePath: string;
  dataset: string;
  version: number;
  /** Whether pages show this version without naming it. */
  isNewest: boolean;
}

/** The addresses in the application, which name the version, because another one can be published while a page is open. */
export function applicationAddresses(at: ApplicationPlace): ApplicationAddresses {
  const { basePath, dataset, version, isNewest } = at;
  const facts = { url: `${basePath}/dataset/${dataset}`, version };
  const query = `?version=${version}`;
  const page = `${basePath}/app/datasets/${dataset}`;
  const shown = isNewest ? "" : query;
  const pageOf = (path: string, folder?: string) => page + queryText(shown, { folder, file: path });
  const addresses = addressesOf({ facts, query }, undefined);
  return {
    ...addresses,
    folder: (path, position = {}) =>
      page + queryText(shown, { folder: path === "" ? undefined : PAYLOAD + path.slice(0, -1), ...position }),
    // Beside the files of its folder.
    page: (path) => pageOf(PAYLOAD + path, path.includes("/") ? (PAYLOAD + path).replace(/\/[^/]*$/, "") : undefined),
    everyPage: true,
    // The page asks for it with the token of the reader.
    image: addresses.file,
    search: { action: page, keeps: [...new URLSearchParams(shown)] },
    added: (path) => ({ url: `${facts.url}/files/${addressPath(path)}${query}`, page: pageOf(path) }),
  };
}

/** The pages to which addresses lead, in a form that can be sent to a thread. */
export type Pages =
  | { of: "readers"; url: string; version: number; query: string; lang: string | undefined }
  | ({ of: "application" } & ApplicationPlace);

/** The addresses of files and folders on these pages. */
export function addressesOn(pages: Pages): FileAddresses {
  if (pages.of === "application") return applicationAddresses(pages);
  const { url, version, query, lang } = pages;
  return addressesOf({ facts: { url, version }, query }, lang);
}

/** The pages for readers of a version. @param lang the language that the request names */
export function readersPages({ facts: { url, version }, query }: Addressed, lang: string | undefined): Pages {
  return { of: "readers", url, version, query, lang };
}

/** A query with more parameters; empty for none. */
export function queryText(query: string, more: Record<string, string | number | undefined>): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

import { METADATA_FORMATS, PACKAGE_FORMATS } from "../../../src/describe/formats/formats.ts";
import { ROUTE_PERMISSIONS } from "../../../src/people/route-permissions.ts";
import { bearer } from "./callers.ts";

/** A request of a person who is neither owner nor curator. */
export interface Attempt {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: object;
  /** The text of a form. */
  form?: string;
}

/** What outsiders look for. */
export interface Target {
  dataset: string;
  /** Paths of files and folders in the package, as in `/dataset/{id}/files/{path}`. */
  paths: readonly string[];
  /** Prefixes of paths for lists of files. */
  prefixes: readonly string[];
  /** Beginnings of words for the search: they find the words, and pages that repeat the search text do not contain them. */
  words: readonly string[];
}

/** The routes that tell curators and operators about the service and all datasets. They refuse outsiders. */
export const REFUSED_ROUTES: readonly string[] = Object.entries(ROUTE_PERMISSIONS).flatMap(([route, access]) =>
  access === "operate" && route.startsWith("GET ") ? [route] : [],
);

/** The routes that outsiders can use, and those that refuse them. */
export const OUTSIDER_ROUTES: readonly string[] = [
  ...Object.entries(ROUTE_PERMISSIONS).flatMap(([route, access]) =>
    access === "read" || access === "open" ? [route] : [],
  ),
  ...REFUSED_ROUTES,
];

/** Ranges and preconditions. */
export const CONDITIONS: readonly Record<string, string>[] = [
  {},
  { range: "bytes=0-10" },
  { range: "bytes=-5, 0-1" },
  { range: "bytes=99999999-" },
  { "if-none-match": "*" },
  { "if-match": "*" },
  { "if-match": '"x"', "if-range": '"x"', range: "bytes=0-" },
  { "if-modified-since": new Date(0).toUTCString() },
];
/** Media types that clients ask for: pages, lists, packages, and every format of the metadata. */
export const ACCEPT: readonly string[] = [
  ...["text/html", "application/json", "text/csv", "application/zip", "application/linkset+json", "*/*", "image/png"],
  ...Object.values(METADATA_FORMATS).map(({ mediaType }) => mediaType),
];
const VERSIONS = ["", "?version=1", "?version=2", "?version=3", "?version=x"];
const FORMATS = [...Object.keys(METADATA_FORMATS), ...Object.keys(PACKAGE_FORMATS), "ro-crate-metadata.json"];

const get = (path: string, headers: Record<string, string> = {}): Attempt[] => [
  { method: "GET", path, headers },
  { method: "HEAD", path, headers },
];
const versions = (path: string): Attempt[] => VERSIONS.flatMap((query) => get(`${path}${query}`));
const accepting = (path: string): Attempt[] => ACCEPT.flatMap((accept) => get(path, { accept }));

/** A collection for which the owner can have asked. */
export const COLLECTION = "sammlung";

/** Requests that try everything that a route accepts, for each route of {@link OUTSIDER_ROUTES}. A new route needs an entry. */
export const OUTSIDER_ATTEMPTS: Record<string, (target: Target) => Attempt[]> = {
  "GET /dataset/:id": ({ dataset: id, prefixes, words }) => [
    ...[
      ...words.map((find) => `find=${find}`),
      ...prefixes.map((prefix) => `folder=${prefix.replace("data/", "")}`),
      "folder=&from=a",
      "after=0",
      "version=2&folder=",
    ].flatMap((query) => get(`/dataset/${id}?${query}`, { accept: "text/html" })),
    ...[`/dataset/${id}`, `/dataset/urn:uuid:${id}`].flatMap((path) => [...versions(path), ...accepting(path)]),
    ...["", "&version=1", "&version=2"].flatMap((query) => get(`/dataset/${id}?details=true${query}`)),
    ...CONDITIONS.flatMap((headers) => get(`/dataset/${id}`, headers)),
  ],
  "GET /datasets": ({ words }) => [
    ...get("/datasets?facets=true&limit=100"),
    ...words.flatMap((q) => get(`/datasets?facets=true&limit=100&q=${q}`)),
    ...["embargoed", "restricted"].flatMap((access) => get(`/datasets?access=${access}&facets=true`)),
    ...get("/datasets?format=csv&sort=title"),
    ...get(`/datasets?facets=true&collection=${COLLECTION}`),
  ],
  "GET /oai": ({ dataset: id }) => [
    ...["Identify", "ListSets", "ListMetadataFormats"].flatMap((verb) => get(`/oai?verb=${verb}`)),
    ...["oai_dc", "datacite", "oai_datacite"].flatMap((prefix) => [
      ...["ListRecords", "ListIdentifiers"].flatMap((verb) => get(`/oai?verb=${verb}&metadataPrefix=${prefix}`)),
      ...[1, 2, 3].flatMap((version) =>
        get(`/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=oai:127.0.0.1:${id}/${version}`),
      ),
    ]),
  ],
  "POST /oai": ({ dataset: id }) =>
    ["verb=ListRecords", `verb=GetRecord&identifier=oai:127.0.0.1:${id}/2`].map((form) => ({
      method: "POST",
      path: "/oai",
      form: `${form}&metadataPrefix=datacite`,
    })),
  "GET /catalogue.jsonld": () => get("/catalogue.jsonld"),
  "GET /feed.atom": ({ words }) => [
    ...get("/feed.atom"),
    ...get(`/feed.atom?collection=${COLLECTION}`),
    ...words.flatMap((q) => get(`/feed.atom?q=${q}`)),
  ],
  "GET /collections": () => accepting("/collections"),
  "GET /collections/:id": ({ words }) => [
    ...accepting(`/collections/${COLLECTION}`),
    ...words.flatMap((q) => get(`/collections/${COLLECTION}?q=${q}`, { accept: "text/html" })),
  ],
  "GET /collections/:id/datasets": ({ words }) => [
    ...get(`/collections/${COLLECTION}/datasets?facets=true&limit=100`),
    ...words.flatMap((q) => get(`/collections/${COLLECTION}/datasets?q=${q}`)),
  ],
  "GET /opensearch.xml": () => get("/opensearch.xml"),
  "GET /robots.txt": () => get("/robots.txt"),
  "GET /sitemap.xml": () => get("/sitemap.xml"),
  "GET /sitemap/:file": () => get("/sitemap/1.xml"),
  "GET /dataset/:id/versions": ({ dataset: id }) => get(`/dataset/${id}/versions`),
  "GET /dataset/:id/unpacking": ({ dataset: id }) => versions(`/dataset/${id}/unpacking`),
  "GET /dataset/:id/files": ({ dataset: id, prefixes }) => [
    ...versions(`/dataset/${id}/files`),
    ...accepting(`/dataset/${id}/files`),
    ...[
      ...prefixes.map((prefix) => `prefix=${prefix}`),
      "limit=1",
      "cursor=-1",
      "cursor=0",
      "cursor=x",
      "format=csv",
    ].flatMap((query) => get(`/dataset/${id}/files?${query}`)),
  ],
  "GET /dataset/:id/page/files": ({ dataset: id, words, prefixes }) => [
    ...versions(`/dataset/${id}/page/files`),
    ...words.flatMap((find) => get(`/dataset/${id}/page/files?find=${find}`)),
    ...prefixes.flatMap((folder) => get(`/dataset/${id}/page/files?folder=${folder}`)),
  ],
  "GET /dataset/:id/files/*": ({ dataset: id, paths }) =>
    paths.flatMap((path) => [
      ...versions(`/dataset/${id}/files/${path}`),
      ...CONDITIONS.flatMap((headers) => get(`/dataset/${id}/files/${path}`, headers)),
    ]),
  "GET /dataset/:id/preview/*": ({ dataset: id, paths }) =>
    paths.flatMap((path) => [
      ...versions(`/dataset/${id}/preview/${path}`),
      ...get(`/dataset/${id}/preview/${path}?inline=true`),
      ...get(`/dataset/${id}/preview/${path}?inline=true`, { range: "bytes=0-10" }),
    ]),
  "GET /dataset/:id/export/:format": ({ dataset: id }) =>
    FORMATS.flatMap((format) => [
      ...versions(`/dataset/${id}/export/${format}`),
      ...get(`/dataset/${id}/export/${format}`, { range: "bytes=0-" }),
    ]),
  "GET /dataset/:id/linkset": ({ dataset: id }) => versions(`/dataset/${id}/linkset`),
  "GET /dataset/:id/publication-record": ({ dataset: id }) => versions(`/dataset/${id}/publication-record`),
  "GET /dataset/:id/usage": ({ dataset: id }) => [
    ...versions(`/dataset/${id}/usage`),
    ...get(`/dataset/${id}/usage`, { accept: "text/csv" }),
  ],
  "GET /usage": () => [
    ...get("/usage?limit=1000"),
    ...get("/usage", { accept: "text/csv" }),
    ...get("/usage?from=2000-01&until=2099-12&limit=1000"),
  ],
  "GET /dataset/:id/publication": ({ dataset: id }) => [
    ...versions(`/dataset/${id}/publication`),
    ...get(`/dataset/${id}/publication?before=1000`),
  ],
  "GET /dataset/:id/access-request": ({ dataset: id }) => get(`/dataset/${id}/access-request`),
  "POST /dataset/:id/access-request": ({ dataset: id }) => [
    { method: "POST", path: `/dataset/${id}/access-request`, body: {} },
    { method: "POST", path: `/dataset/${id}/access-request?version=2`, body: { reason: "a" } },
  ],
  "POST /dataset/:id/download-link": ({ dataset: id, paths }) =>
    VERSIONS.flatMap((query) =>
      [...paths.map((path) => ({ path })), { format: "ro-crate" }, { format: "bagit" }].map((body) => ({
        method: "POST",
        path: `/dataset/${id}/download-link${query}`,
        body,
      })),
    ),
  "GET /curator": () => [...get("/curator"), ...accepting("/curator")],
  "GET /reply-template": () => [...get("/reply-template"), ...accepting("/reply-template")],
  "GET /doi": () => [...get("/doi"), ...get("/doi?different=true&limit=100")],
  "GET /metrics": () => get("/metrics"),
  "GET /download/:ticket": () => get(`/download/${"x".repeat(43)}`),
  "GET /": ({ dataset: id, words }) => [
    ...[id, ...words].flatMap((q) => get(`/?q=${q}`)),
    ...get("/?access=embargoed&access=restricted&format=csv&sort=title"),
  ],
  "GET /about": () => get("/about"),
  "GET /favicon.ico": () => get("/favicon.ico"),
  "GET /site/:file": () => get("/site/icon.svg"),
  "GET /app/*": ({ dataset: id }) => get(`/app/datasets/${id}`),
  "GET /docs/*": () => get("/docs/"),
  "GET /service": () => get("/service"),
  "GET /field-groups": () => get("/field-groups"),
  "GET /deposit-agreement": () => get("/deposit-agreement"),
  "GET /openapi.json": () => get("/openapi.json"),
  "GET /health/live": () => get("/health/live"),
  "GET /health/ready": () => get("/health/ready"),
  "GET /.well-known/jwks.json": () => get("/.well-known/jwks.json"),
};

/** Paths that every package has, and one that none has. */
export const PACKAGE_PATHS = [
  "metadata/datacite.xml",
  "ro-crate-metadata.json",
  "bagit.txt",
  "manifest-sha512.txt",
  "nothing",
];

/** All of a response, because names and digests can be in its headers, too. */
export interface AttemptAnswer {
  status: number;
  /** All headers. */
  head: string;
  bytes: Buffer;
}

/** Sends an attempt to a service, and follows no redirects. @throws TypeError without a response */
export async function sendAttempt(
  url: string,
  { method, path, headers = {}, body, form }: Attempt,
  token?: string,
): Promise<AttemptAnswer> {
  const json =
    body === undefined
      ? { ...(form !== undefined && { body: new URLSearchParams(form) }) }
      : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: { ...headers, ...type, ...(token !== undefined && bearer(token)) },
    ...json,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, head: JSON.stringify([...response.headers]), bytes };
}

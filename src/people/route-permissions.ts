import { METADATA_EDITORS } from "../../packages/rules/src/index.ts";

/**
 * The access that a route requires. `open` requires nothing, and the token is not checked. `read` concerns datasets and collections: without
 * a token, the caller is the public, which sees what is published; the link of a grant also opens files. `see` and `change` concern the
 * caller's own submissions and datasets; curators see those of all owners, admins see and change them. `edit` concerns the
 * metadata of archived datasets: curators change those of all owners, too. `review` concerns
 * decisions of curators about publication. `operate` and `admin` concern the service itself. `reviewer` requires the secret of
 * a reviewer link, which gives access to one version of one dataset, and no token.
 */
export type RoutePermission = "open" | "read" | "reviewer" | "see" | "edit" | "change" | "review" | "operate" | "admin";

/** The accesses that a role gives. */
export type RolePermission = Exclude<RoutePermission, "open" | "read" | "reviewer">;

/** The roles that have each access. One of them is sufficient. */
export const GRANTS = {
  see: ["submitter", "curator", "admin"],
  edit: METADATA_EDITORS,
  change: ["submitter", "admin"],
  review: ["curator", "admin"],
  operate: ["curator", "admin"],
  admin: ["admin"],
} as const satisfies Record<RolePermission, readonly Role[]>;

/** Every route of the service, without its base path. The service does not start if a route is missing here. */
export const ROUTE_PERMISSIONS: Record<string, RoutePermission> = {
  "POST /submission/upload/s3check": "change",
  "POST /submission/upload/s3check/report": "change",
  "POST /submission/upload/s3preview": "change",
  "POST /submission/upload/s3metadata": "change",
  "POST /submission/upload/s3upload": "change",
  "POST /submission/upload/dataset": "change",
  "POST /submission/publication/publish": "change",
  "POST /uploads": "change",
  "GET /uploads": "change",
  "GET /uploads/:id": "change",
  "PATCH /uploads/:id": "change",
  "DELETE /uploads/:id": "change",
  "POST /uploads/:id/batch": "change",
  "GET /uploads/:id/files": "change",
  "POST /uploads/:id/files": "change",
  "GET /uploads/:id/files/:no": "change",
  "PATCH /uploads/:id/files/:no": "change",
  "POST /uploads/:id/files/:no": "change",
  "DELETE /uploads/:id/files/:no": "change",
  "POST /metadata/import": "see",
  "POST /submission/validate": "see",
  "GET /submission/info/exists": "see",
  "GET /submission": "see",
  "GET /submission/:id": "see",
  "GET /submission/:id/files": "see",
  "GET /submission/:id/missing": "see",
  "GET /submission/:id/events": "see",
  "GET /submission/:id/receipt": "see",
  "POST /submission/:id/cancel": "change",
  "POST /submission/:id/retry": "change",
  "POST /submission/:id/credentials": "change",
  "POST /submission/:id/exclude": "change",
  "GET /datasets": "open",
  "GET /usage": "open",
  "GET /oai": "open",
  "POST /oai": "open",
  "GET /catalogue.jsonld": "open",
  "GET /favicon.ico": "open",
  "GET /feed.atom": "open",
  "GET /opensearch.xml": "open",
  "GET /robots.txt": "open",
  "GET /sitemap.xml": "open",
  "GET /sitemap/:file": "open",
  "GET /dataset": "see",
  "GET /dataset/:id": "read",
  "GET /dataset/:id/versions": "read",
  "GET /dataset/:id/metadata": "see",
  "PUT /dataset/:id/metadata": "edit",
  "GET /dataset/:id/revisions": "see",
  "GET /dataset/:id/files": "read",
  "GET /dataset/:id/files/*": "read",
  "GET /dataset/:id/page/files": "read",
  "GET /dataset/:id/preview/*": "read",
  "GET /dataset/:id/unpacking": "read",
  "GET /dataset/:id/export/:format": "read",
  "GET /dataset/:id/linkset": "read",
  "GET /dataset/:id/usage": "read",
  "GET /dataset/:id/publication": "read",
  "GET /dataset/:id/publication-record": "read",
  "POST /dataset/:id/publication/request": "edit",
  "POST /dataset/:id/publication/assign": "review",
  "POST /dataset/:id/publication/comment": "edit",
  "POST /dataset/:id/publication/resolve": "edit",
  "POST /dataset/:id/publication/request-changes": "review",
  "POST /dataset/:id/publication/decline": "review",
  "POST /dataset/:id/publication/approve": "review",
  "POST /dataset/:id/publication/take-back": "edit",
  "POST /dataset/:id/publication/reserve-doi": "edit",
  "POST /dataset/:id/publication/publish": "edit",
  "POST /dataset/:id/publication/change-access": "edit",
  "POST /dataset/:id/publication/withdraw": "edit",
  "GET /dataset/:id/reviewer-link": "edit",
  "POST /dataset/:id/reviewer-link": "edit",
  "DELETE /dataset/:id/reviewer-link/:link": "edit",
  "GET /review": "reviewer",
  "GET /review/files": "reviewer",
  "GET /review/files/*": "reviewer",
  "GET /review/zip": "reviewer",
  "POST /review/download-link": "reviewer",
  "GET /publication": "see",
  "GET /publication-queue": "see",
  "GET /curator": "operate",
  "DELETE /curator": "admin",
  "GET /reply-template": "operate",
  "GET /doi": "operate",
  "POST /doi/check": "admin",
  "POST /doi/test": "admin",
  "GET /deposit-agreement": "open",
  "POST /dataset/:id/access-grant": "edit",
  "GET /dataset/:id/access-grant": "see",
  "GET /dataset/:id/access-grant/:grant/uses": "see",
  "DELETE /dataset/:id/access-grant/:grant": "edit",
  "POST /dataset/:id/access-request": "read",
  "GET /dataset/:id/access-request": "read",
  "POST /dataset/:id/access-request/:request/grant": "edit",
  "POST /dataset/:id/access-request/:request/refuse": "edit",
  "POST /dataset/:id/download-link": "read",
  "POST /dataset/:id/withdraw": "admin",
  "GET /collections": "read",
  "GET /collections/:id": "read",
  "PUT /collections/:id": "admin",
  "DELETE /collections/:id": "admin",
  "GET /collections/:id/datasets": "open",
  "PUT /collections/:id/datasets/:dataset": "review",
  "DELETE /collections/:id/datasets/:dataset": "edit",
  "GET /webhook": "change",
  "POST /webhook": "change",
  "GET /webhook/:id": "change",
  "DELETE /webhook/:id": "change",
  "PATCH /webhook/:id": "change",
  "POST /webhook/:id/test": "change",
  "POST /webhook/:id/rotate": "change",
  "POST /webhook/:id/enable": "change",
  "GET /webhook/:id/deliveries": "change",
  "POST /webhook/:id/deliveries/:delivery/replay": "change",
  "GET /token": "admin",
  "POST /token": "admin",
  "DELETE /token/:id": "admin",
  "GET /caller": "see",
  "GET /account/mail": "see",
  "PUT /account/mail": "see",
  "GET /dataset/:id/field-groups": "see",
  "GET /field-groups": "open",
  "GET /vocabulary/:kind/search": "see",
  "GET /download/:ticket": "open",
  "GET /metrics": "operate",
  "GET /health/live": "open",
  "GET /health/ready": "open",
  "GET /.well-known/jwks.json": "open",
  "GET /openapi.json": "open",
  "GET /service": "open",
  "GET /docs/*": "open",
  "GET /app/*": "open",
  "GET /site/:file": "open",
  "GET /about": "open",
  "GET /": "open",
};

/** The access that a route requires; undefined if it is not declared. `path` is its pattern without the base path. */
export function requiredPermission(method: string, path: string): RoutePermission | undefined {
  const verb = method === "HEAD" ? "GET" : method;
  for (const page of ["/docs", "/app"]) {
    if (path === page || path.startsWith(`${page}/`)) return ROUTE_PERMISSIONS[`${verb} ${page}/*`];
  }
  const bare = path === "" ? "/" : path;
  return Object.hasOwn(ROUTE_PERMISSIONS, `${verb} ${bare}`) ? ROUTE_PERMISSIONS[`${verb} ${bare}`] : undefined;
}

export const ROLES = ["submitter", "curator", "admin"] as const;

export type Role = (typeof ROLES)[number];

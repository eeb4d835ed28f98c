import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, maySee } from "../../people/caller.ts";
import type { Use, UseKind } from "../../public/usage/clicks.ts";
import type { GrantUseKind } from "../../publication/rules/grants.ts";
import type { HttpContext } from "../context.ts";
import type { Version } from "../dataset/readable-version.ts";
import type { Server } from "../fastify.ts";
import { clientAddressOf } from "../requests/limits.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The use of a published version, which counts if the request succeeds; null for all other requests. */
    use: Pick<Use, "at" | "dataset" | "version" | "kind" | "item"> | null;
    /** The grant that has opened the files of a version to this request; null for all others. */
    grantUse: { grant: string; version: number } | null;
  }
}

const SUCCESS = 200;
const REDIRECTION = 300;
const PARTIAL_CONTENT = 206;

/**
 * Records the uses of published versions that routes have named with {@link countUse}, after the response is sent. Uses of grants are
 * recorded when the response begins, so that a download that the reader interrupts is recorded too.
 */
export function observeUses(server: Server, { usage, grantUses }: Pick<HttpContext, "usage" | "grantUses">): void {
  server.decorateRequest("use", null);
  server.decorateRequest("grantUse", null);
  server.addHook("onSend", (request, reply, _payload, done) => {
    const { grantUse } = request;
    if (grantUse !== null && isDone(reply)) {
      grantUses.record({ grant_id: grantUse.grant, version: grantUse.version, ...readBy(request) });
    }
    done();
  });
  if (usage === undefined) return;
  server.addHook("onResponse", (request, reply, done) => {
    if (request.use !== null && isSuccess(request, reply)) {
      usage.record({
        ...request.use,
        // The parts of a long download follow each other.
        until: reply.statusCode === PARTIAL_CONTENT ? Date.now() : request.use.at,
        address: clientAddressOf(request),
        userAgent: request.headers["user-agent"] ?? "",
      });
    }
    done();
  });
}

/**
 * States that the request uses a version: its content (`request`), or information about it (`investigation`). Uses by the
 * owner, curators and admins do not count. The last statement of a request applies.
 *
 * @param item what is used, the same in repeated requests
 */
export function countUse(request: FastifyRequest, version: Version, kind: UseKind, item: string): void {
  if (version.reader.isPublic) request.use = useOf(version.dataset, version.number, kind, item);
}

/**
 * States that the request shows a page about a version, which is the same for all readers.
 *
 * @param shown.item what is shown, the same in repeated requests; the landing page if it is missing
 * @param caller who sent the request; their own token shows that the owner, a curator or an admin did
 */
export function countView(
  { signIn }: HttpContext,
  request: FastifyRequest,
  { dataset, number, item = "page" }: { dataset: { id: string; owner: string }; number: number; item?: string },
  caller: Caller | null,
): void {
  // Without sign-in, everyone is the same caller.
  const isOwn = signIn.method !== "none" && caller !== null && maySee(caller, dataset.owner);
  if (!isOwn) request.use = useOf(dataset, number, "investigation", item);
}

function useOf({ id }: { id: string }, version: number, kind: UseKind, item: string): FastifyRequest["use"] {
  return { at: Date.now(), dataset: id, version, kind, item };
}

/** `HEAD` sends nothing. */
function isSuccess({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return method === "GET" && isDone(reply);
}

/** A response such as 304 sends nothing new. */
function isDone({ statusCode }: FastifyReply): boolean {
  return statusCode >= SUCCESS && statusCode < REDIRECTION;
}

/** What a request with a grant reads. */
function readBy({ method, use }: FastifyRequest): { kind: GrantUseKind; path: string } {
  if (method !== "GET" || use?.kind !== "request") return { kind: "view", path: "" };
  const space = use.item.indexOf(" ");
  const path = use.item.slice(space + 1);
  if (use.item.slice(0, space) === "file") return { kind: "file", path };
  return { kind: path === "" ? "package" : "folder", path };
}

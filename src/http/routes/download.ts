import { Type } from "typebox";
import type { Caller } from "../../auth/caller.ts";
import type { Role } from "../../auth/rules.ts";
import { hashOf } from "../../auth/tokens.ts";
import { takeDownloadLink } from "../../db/datasets/downloads.ts";
import { Problem } from "../../domain/problems.ts";
import type { PackageFormatName } from "../../export/formats.ts";
import type { HttpContext } from "../context.ts";
import { requirePath, sendFound, sendWhole } from "../dataset/send-path.ts";
import { requireVersion } from "../dataset/version.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import { contentDisposition, links, ofFiles } from "../openapi/headers.ts";

/** Sends the content of a download link, once. */
export function download(server: Server, context: HttpContext): void {
  server.get(
    "/download/:ticket",
    {
      // A HEAD request would use up the link.
      exposeHeadRoute: false,
      config: {
        anyQuery: true,
        problems: ["dataset_withdrawn", "embargoed", "not_public", "archive_unreadable", "content_damaged"],
      },
      schema: {
        operationId: "downloadOnce",
        summary: "Download with a link",
        description:
          "Returns the content of a download link, once, within a minute after its creation. No authentication is needed: the link acts with the permissions of the caller who created it.",
        tags: ["Datasets"],
        params: Type.Object({
          // Without a pattern, so that a malformed ticket gets the same answer as a used one.
          ticket: Type.String({ description: "Ticket from the link.", examples: ["x".repeat(43)] }),
        }),
        response: {
          200: answer(Type.String(), {
            description: "The file, the folder or the package.",
            headers: { ...ofFiles, "Content-Disposition": contentDisposition, Link: links },
            bytes: ["*/*", "application/zip"],
          }),
        },
      },
    },
    async (request, reply) => {
      const link = await takeDownloadLink(context.db, hashOf(request.params.ticket));
      if (link === undefined) throw new Problem("not_found", "This link was used, has expired or never existed");
      // The request acts as the caller who created the link, and their access to the dataset is checked again.
      request.caller = {
        owner: link.owner,
        roles: link.roles as Role[],
        ...(link.token_id !== null && { token: link.token_id }),
      } satisfies Caller;
      const version = await requireVersion(context, request, { id: link.dataset_id, version: link.version });
      if (link.format !== null) {
        return sendWhole(context, request, reply, version, link.format as PackageFormatName);
      }
      // Ranges are ignored, because an interrupted download cannot be resumed with a used link.
      delete request.headers.range;
      const found = await requirePath(context, version, link.path ?? undefined);
      return sendFound(context, request, reply, version, found);
    },
  );
}

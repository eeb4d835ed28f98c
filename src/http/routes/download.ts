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

/** What a download link leads to, once. */
export function download(server: Server, context: HttpContext): void {
  server.get(
    "/download/:ticket",
    {
      // Whoever only asks what there is would have used it up.
      exposeHeadRoute: false,
      config: { anyQuery: true, problems: ["dataset_withdrawn", "archive_unreadable", "content_damaged"] },
      schema: {
        operationId: "downloadOnce",
        summary: "Fetch what a download link leads to",
        description: "Once, within a minute of its making. Nobody signs in: the link says in whose name.",
        tags: ["Datasets"],
        params: Type.Object({
          // Of any form: a ticket that no link can have is as unknown as one that was used.
          ticket: Type.String({ description: "As the link has it.", examples: ["x".repeat(43)] }),
        }),
        response: {
          200: answer(Type.String(), {
            description: "The file, or the package.",
            headers: { ...ofFiles, "Content-Disposition": contentDisposition, Link: links },
            bytes: ["*/*", "application/zip"],
          }),
        },
      },
    },
    async (request, reply) => {
      const link = await takeDownloadLink(context.db, hashOf(request.params.ticket));
      if (link === undefined) throw new Problem("not_found", "This link was used, has expired, or never was one");
      // From here on it is their request: whether they may see the dataset is asked again.
      request.caller = {
        owner: link.owner,
        roles: link.roles as Role[],
        ...(link.token_id !== null && { token: link.token_id }),
      } satisfies Caller;
      const version = await requireVersion(context, request, { id: link.dataset_id, version: link.version });
      if (link.format !== null) {
        return sendWhole(context, request, reply, version, link.format as PackageFormatName);
      }
      // Whoever takes it up again has no link any more: all of it or nothing.
      delete request.headers.range;
      const found = await requirePath(context, version, link.path ?? undefined);
      return sendFound(context, request, reply, version, found);
    },
  );
}

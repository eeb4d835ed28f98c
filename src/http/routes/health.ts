import { Type } from "typebox";
import { ping } from "../../db/database.ts";
import { Problem } from "../../domain/problems.ts";
import type { ProbeContext } from "../context.ts";
import { documented, operation } from "../operation.ts";
import { object } from "../schemas/basics.ts";

const Health = object("Health", "The result of a successful health probe.", {
  status: Type.Literal("ok", { description: "Always `ok`. Failures are returned as problems." }),
});

const probe = {
  tag: "Operating",
  config: { anyQuery: true },
  response: { 200: documented(Health, { description: "The probe succeeded.", example: { status: "ok" } }) },
} as const;

/** Tells whether the process responds. */
export const healthLive = operation({
  route: "GET /health/live",
  operationId: "live",
  summary: "Check that the process responds",
  description: "If the probe fails, restart the process.",
  ...probe,
  handler: async (_context: ProbeContext) => ({ status: "ok" as const }),
});

/** Tells whether the service can process requests. */
export const healthReady = operation({
  route: "GET /health/ready",
  operationId: "ready",
  summary: "Check that the service is ready",
  description:
    "Returns 503 while the service starts or stops, if the database does not respond, or if the archive is not the one that the service opened, for example because its file system is not mounted.",
  ...probe,
  handler: async (context: ProbeContext) => {
    if (context.stopping.aborted) throw new Problem("unavailable", "The service is stopping");
    await ping(context.db).catch((cause: unknown) => {
      throw new Problem("unavailable", "The database does not answer", { cause });
    });
    const problem = await context.archiveProblem();
    if (problem !== undefined) throw new Problem("unavailable", problem.message, { cause: problem });
    return { status: "ok" as const };
  },
});

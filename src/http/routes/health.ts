import { Type } from "typebox";
import { ping } from "../../db/database.ts";
import { Problem } from "../../domain/problems.ts";
import type { ProbeContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";

const Health = Type.Object(
  { status: Type.Literal("ok", { description: "Always `ok`. Failures are returned as problems." }) },
  { title: "Health", description: "The result of a successful health probe." },
);

/** Health probes: `live` tells whether the process responds, `ready` whether it can process requests. */
export function health(server: Server, context: ProbeContext): void {
  const schemaOf = (operationId: string, summary: string, description: string) => {
    const response = { 200: answer(Health, { description: "The probe succeeded.", example: { status: "ok" } }) };
    return { operationId, summary, description, tags: ["Operating"], response };
  };
  const live = schemaOf("live", "Check that the process responds", "If the probe fails, restart the process.");
  server.get("/health/live", { schema: live, config: { anyQuery: true } }, async () => {
    return { status: "ok" as const };
  });
  const ready = schemaOf(
    "ready",
    "Check that the service is ready",
    "Returns 503 while the service starts or stops, if the database does not respond, or if the archive is not the one that the service opened, for example because its file system is not mounted.",
  );
  server.get("/health/ready", { schema: ready, config: { anyQuery: true } }, async () => {
    if (context.stopping.aborted) throw new Problem("unavailable", "The service is stopping");
    await ping(context.db).catch((cause: unknown) => {
      throw new Problem("unavailable", "The database does not answer", { cause });
    });
    const problem = await context.archiveProblem();
    if (problem !== undefined) throw new Problem("unavailable", problem.message, { cause: problem });
    return { status: "ok" as const };
  });
}

import { Type } from "typebox";
import { ping } from "../../db/database.ts";
import { Problem } from "../../domain/problems.ts";
import type { ProbeContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";

const Health = Type.Object(
  { status: Type.Literal("ok", { description: "The same at all times; what is wrong is a problem." }) },
  { title: "Health", description: "That all is well." },
);

/** Probes: alive says that the process answers, ready that it can work. */
export function health(server: Server, context: ProbeContext): void {
  const schemaOf = (operationId: string, summary: string, description: string) => {
    const response = { 200: answer(Health, { description: "It is.", example: { status: "ok" } }) };
    return { operationId, summary, description, tags: ["Operating"], response };
  };
  const live = schemaOf("live", "Say whether the process answers", "Where it does not, start it again.");
  server.get("/health/live", { schema: live, config: { anyQuery: true } }, async () => {
    return { status: "ok" as const };
  });
  const ready = schemaOf("ready", "Say whether it can work", "503 while it starts, stops, or has lost its database.");
  server.get("/health/ready", { schema: ready, config: { anyQuery: true } }, async () => {
    if (context.stopping.aborted) throw new Problem("unavailable", "The service is stopping");
    await ping(context.db).catch((cause: unknown) => {
      throw new Problem("unavailable", "The database does not answer", { cause });
    });
    return { status: "ok" as const };
  });
}

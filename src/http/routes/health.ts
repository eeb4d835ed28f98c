import { sql } from "kysely";
import { Type } from "typebox";
import { Problem } from "../../submission/problems.ts";
import type { ProbeContext, Server } from "../context.ts";
import { problems } from "../schemas.ts";

const Health = Type.Object({ status: Type.Literal("ok") });

/** Probes: alive says that the process answers, ready that it can work. */
export function health(server: Server, context: ProbeContext): void {
  const schema = { tags: ["Operating"], response: { 200: Health, ...problems } };
  server.get("/health/live", { schema: { ...schema, operationId: "live", summary: "Alive" } }, async () => {
    return { status: "ok" as const };
  });
  server.get("/health/ready", { schema: { ...schema, operationId: "ready", summary: "Ready" } }, async () => {
    if (context.stopping.aborted) throw new Problem("unavailable", "The service is stopping");
    await sql`select 1`.execute(context.db).catch((cause: unknown) => {
      throw new Problem("unavailable", "The database does not answer", { cause });
    });
    return { status: "ok" as const };
  });
}

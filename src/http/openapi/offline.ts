import { readFile } from "node:fs/promises";
import pino from "pino";
import type { HttpContext } from "../context.ts";
import { buildServer } from "../server.ts";

/** Generates the document of `/openapi.json` without a database or an archive. Routes are registered but never called. */
export async function describeApi(): Promise<object> {
  const file = new URL(import.meta.resolve("#package"));
  const { version } = JSON.parse(await readFile(file, "utf8")) as { version: string };
  const nothing = { basePath: "", version } as Omit<HttpContext, "limits">;
  const server = await buildServer(nothing, {
    origin: { corsOrigins: [], publicUrl: () => "http://localhost", loopback: true, publishes: false },
    trustedProxies: [],
    hasSignIn: true,
    rateLimits: { requests: 0, checks: 0, signIn: 0 },
    logger: pino({ level: "silent" }),
  });
  try {
    await server.ready();
    // Through JSON, so that the result equals the response of a running service.
    return JSON.parse(JSON.stringify(server.swagger())) as object;
  } finally {
    await server.close();
  }
}

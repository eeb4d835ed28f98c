import { request } from "node:http";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listed } from "../../../tests/support/listed.ts";
import type { Server } from "../fastify.ts";
import { guardOrigins } from "./origin.ts";

const server = fastify() as unknown as Server;

beforeAll(async () => {
  const publicUrl = () => "https://data.example.org";
  await guardOrigins(server, { corsOrigins: [], publicUrl, loopback: true, publishes: false, basePath: "" });
  server.get("/", () => "reached");
  await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

function statusOf(headers: Record<string, string>): Promise<number | undefined> {
  const { port } = server.server.address() as { port: number };
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sent = request({ host: "127.0.0.1", port, headers }, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  sent.on("error", reject).end();
  return promise;
}

describe("a service with the public URL https://data.example.org", () => {
  test.each(listed`
    data.example.org | data.example.org:443 | Data.Example.Org | data.example.org. | DATA.example.org.:443
    localhost | LOCALHOST:8080 | localhost.:8080 | 127.0.0.1:8080 | [::1]:8080
  `)("accepts the Host %s", async (host) => {
    expect(await statusOf({ host })).toBe(200);
  });

  test.each(listed`
    data.example.org:80 | data.example.org:8443 | data.example.org.. | xdata.example.org | example.org
    data.example.org.evil.example
  `)("refuses the Host %s", async (host) => {
    expect(await statusOf({ host })).toBe(403);
  });

  test.each([
    ...listed`
      localhost/evil | localhost?evil | localhost#evil | localhost:80:80 | localhost:eighty | localhost:99999
      user@localhost | user:password@localhost | local host | localhost, localhost | localhost%2fevil | [::1 | ::1
      [localhost] | http://localhost
    `,
    ...["localhost\\evil"],
  ])("answers 400 to the malformed Host “%s”", async (host) => {
    expect(await statusOf({ host })).toBe(400);
  });

  test("accepts requests of its own pages if the host name has a trailing dot", async () => {
    const host = "data.example.org.";
    expect(await statusOf({ host, origin: "https://data.example.org." })).toBe(200);
    expect(await statusOf({ host, origin: "http://data.example.org." })).toBe(403);
  });
});

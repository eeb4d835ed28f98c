import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../domain/problems.ts";
import { invalid, sentTwice } from "../../intake/request.ts";
import type { Server } from "../fastify.ts";

/**
 * Maximum size of a body, and of all parts of a form together. It is sufficient for 10,000 authors or a long list of keys to
 * exclude.
 */
export const BODY_BYTES = 8 * 1024 * 1024;
const PARTS = ["metadata", "s3Access", "s3access", "upload", "selection", "digests", "dataset", "notify", "reserveDoi"];

/**
 * Reads bodies: JSON in UTF-8 (with or without a content type) and multipart forms. Parse errors are answered with a fixed
 * text, because the messages of parsers quote the input, which can contain secrets.
 */
export async function readBodies(server: Server): Promise<void> {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_: unknown, body: Buffer) =>
    parseJson(body),
  );
  server.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
    if (request.headers["content-type"] !== undefined) throw new Problem("unsupported_media_type");
    return parseJson(body);
  });
  await server.register(multipart, {
    limits: {
      fieldSize: BODY_BYTES,
      fileSize: BODY_BYTES,
      parts: PARTS.length,
      fields: PARTS.length,
      files: PARTS.length,
    },
  });
  server.addHook("onRequest", async (request) => {
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      throw new Problem("unsupported_media_type", "Compressed bodies are not accepted");
    }
    // If the length is stated, the request is rejected before the body is read, also for forms and operations without a body.
    const isStreamed = request.routeOptions.config.streamed === true;
    if (!isStreamed && Number(request.headers["content-length"]) > BODY_BYTES) throw new Problem("body_too_large");
  });
}

/**
 * Combines the JSON texts of a multipart form into the corresponding JSON body. The whole form may be as large as a JSON
 * body. This is counted here, because the parser limits only single parts and continues to read beyond the limits.
 *
 * @throws Problem `malformed_multipart`, `malformed_json`, `body_too_large`
 */
export async function readForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const { promise: tooLarge, reject } = Promise.withResolvers<never>();
  const { raw } = request;
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) reject(new Problem("body_too_large"));
  };
  const parts = readParts(request);
  // After the parser has attached its own listener, so that it receives all bytes.
  raw.on("data", count);
  try {
    return await Promise.race([parts, tooLarge]);
  } catch (error) {
    parts.catch(() => undefined);
    // The rest of the body is not needed, because the connection ends with the response.
    raw.unpipe();
    raw.pause();
    throw error;
  } finally {
    raw.off("data", count);
  }
}

async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  // Case-insensitive, because `s3Access` and `s3access` are the same member.
  const met = new Set<string>();
  const repeated = new Set<string>();
  try {
    for await (const part of request.parts()) {
      const name = part.fieldname.toLowerCase();
      if (met.has(name)) repeated.add(part.fieldname);
      met.add(name);
      if (!PARTS.includes(part.fieldname)) {
        if (part.type === "file") await part.toBuffer();
        body[`part ${part.fieldname}`] = true;
        continue;
      }
      const text = part.type === "file" ? await part.toBuffer() : Buffer.from(String(part.value), "utf8");
      body[part.fieldname] = parseJson(text);
    }
  } catch (error) {
    if (error instanceof Problem || (error as { code?: string }).code?.startsWith("FST_")) throw error;
    throw new Problem("malformed_multipart", undefined, { cause: error });
  }
  if (repeated.size > 0)
    throw invalid(
      [...repeated].map((name) => sentTwice(name)),
      [],
    );
  return body;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses JSON. An empty body is undefined; operations that need a body report it. */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    // Without a cause, because the message of the parser quotes the input.
    throw new Problem("malformed_json");
  }
}

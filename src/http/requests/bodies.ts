import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../domain/problems.ts";
import { invalid, sentTwice } from "../../intake/request.ts";
import type { Server } from "../fastify.ts";

/** Enough for 10,000 authors; a list of keys to exclude fits too. A form may have so much in all of its parts. */
export const BODY_BYTES = 8 * 1024 * 1024;
const PARTS = ["metadata", "s3Access", "s3access", "selection", "dataset", "notify"];

/**
 * Reads bodies: JSON in UTF-8 (also without a content type), and multipart forms. What cannot be read is answered
 * with a fixed text, because a parser's own words quote the input, secrets included.
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
    // Said beforehand it is refused beforehand, also for forms and for operations that have no use for a body.
    if (Number(request.headers["content-length"]) > BODY_BYTES) throw new Problem("body_too_large");
  });
}

/**
 * The JSON texts of a multipart form, put together to the JSON body that they stand for. All of it together may be as
 * large as a JSON body: the parser's own limits are of single parts, and what is beyond them it goes on reading.
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
  // Only now: the parser takes the bytes from here on.
  raw.on("data", count);
  try {
    return await Promise.race([parts, tooLarge]);
  } catch (error) {
    parts.catch(() => undefined);
    // What is still to come is not wanted: the connection ends with the answer.
    raw.unpipe();
    raw.pause();
    throw error;
  } finally {
    raw.off("data", count);
  }
}

async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  // Without case: `s3Access` and `s3access` are one.
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

/** An empty text is no value: what needs one says so itself. */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    // The parser's error quotes the input; the fixed text must be all that is left of it.
    throw new Problem("malformed_json");
  }
}

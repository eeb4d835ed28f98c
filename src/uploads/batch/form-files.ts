import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { count, size } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";

/** Files of a form that are read at once. Each holds at most {@link FILE_BUFFER} in memory. */
const MOST_OPEN = 16;
const FILE_BUFFER = 16 * 1024;
const LONGEST_FIELD = 4_096;
/** Names of files, which browsers send, are in the header of a part. */
const LONGEST_HEADER = 8 * 1024;

/** Bytes of a form in succession that belong to no field and to no file, such as those before its first part. */
const MOST_UNUSED = 8 * 1024 * 1024;

/** Names of the fields that precede a file. */
const FIELDS: readonly string[] = ["path", "sha512"];

/** A file of a form. */
export interface FormFile {
  path: string;
  sha512: string | undefined;
  /** Ends early if the file is larger than allowed. */
  content: BusboyFileStream;
  /** Whether the form ended in the middle of the file. */
  isBroken: () => boolean;
}

interface FormLimits {
  files: number;
  fileBytes: number;
}

/**
 * Reads a form (`multipart/form-data`, RFC 7578) whose parts `file` are files, each after its field `path` and possibly `sha512`. Any other part
 * ends the form: its names and values would be kept, or a file would get the fields of another one. Resolves when the work with all files
 * has ended. A form with more than 8 MiB in succession that count for nothing is not read further: a header or value without an end, or what
 * is before the first part, after the last one, or in a file beyond its limit.
 *
 * @param receive reads a file to its end; must not reject
 * @throws Problem `malformed_multipart`, `body_too_large` if there are more files or one is much larger; the error of the body
 */
export async function readFormFiles(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  { files, fileBytes }: FormLimits,
  receive: (file: FormFile) => Promise<void>,
): Promise<void> {
  const open = new Map<Readable, Promise<void>>();
  let fields = new Map<string, string>();
  let last: BusboyFileStream | undefined;
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
  };
  const malformed = (cause?: unknown) => new Problem("malformed_multipart", undefined, { cause });
  const parser = parserFor(contentType, { files, fileBytes });
  /** Bytes since the last part began, or bytes of a file were used. */
  let unused = 0;
  let used = 0;
  /** One after the other if there are many, so that few files are open. */
  let running = 0;
  const turns: (() => void)[] = [];
  const inTurn = async (file: FormFile) => {
    if (running < MOST_OPEN) running += 1;
    else await new Promise<void>((resolve) => turns.push(resolve));
    await receive(file);
    const next = turns.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  let drained: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => parser.once("finish", resolve).once("error", () => resolve()));
  let release: () => void = () => undefined;
  parser.on("error", (cause) => {
    fail(malformed(cause));
    release();
  });
  /** Resolves when the parser has read a chunk, or an error has ended it. */
  const write = (chunk: Uint8Array) =>
    new Promise<void>((resolve) => {
      release = resolve;
      parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), () => resolve());
    });
  // A value that is too long is cut, and refused with its file.
  parser.on("field", (name: string, value: string) => {
    unused = 0;
    if (FIELDS.includes(name) && !fields.has(name)) fields.set(name, value);
    else fail(malformed());
  });
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"]) {
    parser.on(limit, () => fail(new Problem("body_too_large", `A batch has at most ${count(files)} files`)));
  }
  parser.on("file", (_name: string, content: BusboyFileStream) => {
    unused = 0;
    used = 0;
    let isBroken = false;
    // Without a listener, the error of a file that ends early would end the process.
    content.on("error", () => {
      isBroken = true;
    });
    const path = fields.get("path");
    if (path === undefined || failure !== undefined) {
      fail(malformed());
      content.resume();
      return;
    }
    const file = { path, sha512: fields.get("sha512"), content, isBroken: () => isBroken };
    const working = inTurn(file).finally(() => {
      open.delete(content);
      if (open.size <= MOST_OPEN) drained();
    });
    open.set(content, working);
    last = content;
    fields = new Map();
  });
  try {
    for await (const chunk of body) {
      unused += chunk.length;
      await write(chunk);
      if (last !== undefined && last.bytesRead > used) {
        used = last.bytesRead;
        unused = 0;
      }
      if (unused > MOST_UNUSED) throw last?.truncated === true ? tooLarge(fileBytes) : malformed();
      if (open.size > MOST_OPEN) {
        await new Promise<void>((resolve) => {
          drained = resolve;
        });
      }
      if (failure !== undefined) throw failure;
    }
    parser.end();
    await finished;
    if (fields.size > 0) fail(malformed());
    if (failure !== undefined) throw failure;
  } catch (error) {
    // All others have arrived completely.
    last?.destroy(error as Error);
    throw error;
  } finally {
    await Promise.all(open.values());
  }
}

function tooLarge(fileBytes: number): Problem {
  return new Problem("body_too_large", `A file of a batch has at most ${size(fileBytes)}`);
}

/** @throws Problem `malformed_multipart` if the type names no boundary */
function parserFor(contentType: string, { files, fileBytes }: FormLimits) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      fileHwm: FILE_BUFFER,
      isPartAFile: (name) => name === "file",
      limits: {
        files,
        fileSize: fileBytes,
        fields: FIELDS.length * files,
        fieldSize: LONGEST_FIELD,
        parts: (FIELDS.length + 1) * files + 1,
        headerPairs: 20,
        headerSize: LONGEST_HEADER,
      },
    });
  } catch (cause) {
    throw new Problem("malformed_multipart", undefined, { cause });
  }
}

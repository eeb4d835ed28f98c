import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { Problem } from "../../domain/problems.ts";

/** Bytes of a form outside its file: metadata have at most 4 MiB. */
const MOST_OTHER_BYTES = 5 * 1024 * 1024;
const FILE_BUFFER = 64 * 1024;
const LONGEST_HEADER = 8 * 1024;

/** The fields of a form, as they were sent. */
export interface TitledForm {
  /** Name of the file. */
  name: string;
  /** The metadata as JSON. */
  metaData: string;
  /** Title and folder of the file, without its name. */
  path: string;
}

/**
 * Reads a form (`multipart/form-data`, RFC 7578) of the web client of e!DAL: `file`, `metaData` and `path`, once each and in any order.
 *
 * @param sent.isFromWindows whether the client runs on Windows
 * @param receive reads the file with this name to its end; a rejection ends the form
 * @throws Problem `malformed_multipart`; the errors of the body and of `receive`
 */
export async function readTitledForm(
  body: AsyncIterable<Uint8Array>,
  { contentType, isFromWindows }: { contentType: string; isFromWindows: boolean },
  receive: (content: BusboyFileStream, name: string) => Promise<void>,
): Promise<TitledForm> {
  const form: Partial<TitledForm> = {};
  let content: BusboyFileStream | undefined;
  let receiving: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | undefined;
  let release: () => void = () => undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    release();
  };
  const malformed = (cause?: unknown) => new Problem("malformed_multipart", undefined, { cause });
  /** Waits for the parser, which never continues after a failure: then it waits for a file that is not read. */
  const parsed = async (begin: (done: () => void) => void) => {
    await new Promise<void>((resolve) => {
      release = resolve;
      if (failure === undefined) begin(resolve);
      else resolve();
    });
    if (failure !== undefined) throw failure.error;
  };
  const parser = parserFor(contentType);
  parser.on("error", (cause) => fail(malformed(cause)));
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"]) parser.on(limit, () => fail(malformed()));
  parser.on("field", (name: string, value: string, _isCut: boolean, isTruncated: boolean) => {
    if ((name !== "metaData" && name !== "path") || form[name] !== undefined || isTruncated) fail(malformed());
    else form[name] = value;
  });
  parser.on("file", (_name: string, stream: BusboyFileStream, name: string | undefined) => {
    content = stream;
    // Without a listener, the error of a file that ends early would end the process.
    stream.on("error", () => undefined);
    form.name = nameOf(name ?? "", { isFromWindows });
    receiving = receive(stream, form.name);
    receiving.catch(fail);
  });
  try {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      await parsed((done) => {
        parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), () => done());
      });
      // Also what is in headers without an end, before the first part, or after the last one.
      if (bytes - (content?.bytesRead ?? 0) > MOST_OTHER_BYTES) throw malformed();
    }
    await parsed((done) => {
      parser.once("finish", done);
      parser.end();
    });
    await receiving;
  } catch (error) {
    content?.destroy(error as Error);
    await receiving.catch(() => undefined);
    throw error;
  }
  const { name, metaData, path } = form;
  if (name === undefined || metaData === undefined || path === undefined) throw malformed();
  return { name, metaData, path };
}

/**
 * The name of a file. Browsers send `"` as `%22`, and percent signs as they are (HTML, “multipart/form-data encoding algorithm”), so that
 * `%22` can be either. It is restored unless the sender shows that it means `%22`: with a quotation mark that it has sent in another way. On
 * Windows, no name has a quotation mark or line break.
 */
function nameOf(sent: string, { isFromWindows }: { isFromWindows: boolean }): string {
  if (isFromWindows || sent.includes('"')) return sent;
  return sent.replace(/%22/g, '"').replace(/%0D/gi, "\r").replace(/%0A/gi, "\n");
}

/** @throws Problem `malformed_multipart` if the type names no boundary */
function parserFor(contentType: string) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      fileHwm: FILE_BUFFER,
      // Backslashes are part of the name.
      preservePath: true,
      isPartAFile: (name) => name === "file",
      limits: {
        ...{ files: 1, fields: 2, parts: 3 },
        ...{ fieldSize: MOST_OTHER_BYTES, headerPairs: 20, headerSize: LONGEST_HEADER },
      },
    });
  } catch (cause) {
    throw new Problem("malformed_multipart", undefined, { cause });
  }
}

import { createHash } from "node:crypto";
import type { NameOf } from "../../packages/rules/src/index.ts";
import { oneLine } from "../describe/formats/export-input.ts";
import type { OpenFile } from "./contents.ts";
import { Folders } from "./crate-names.ts";
import { Spool } from "./spool.ts";
import type { ZipEntry } from "./zip/zip.ts";

/** Labels and values of `bag-info.txt`, in their order. */
export type BagInfo = readonly (readonly [label: string, value: string])[];

const ALGORITHMS = ["sha512", "sha256"] as const;
type Digests = Record<(typeof ALGORITHMS)[number], string>;

const DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
const PAYLOAD = "data/";

/**
 * A dataset as a bag (BagIt 1.0, RFC 8493). Its `data/` is the payload and its other files are tag files, so that the
 * bag is also the RO-Crate. Manifests are kept in spools until the payload is complete, so any number of files is
 * possible.
 *
 * @param base the bag's folder with a slash at the end, which a serialisation needs (section 4); empty for none
 */
export async function* bagEntries(
  files: AsyncIterable<OpenFile>,
  {
    base,
    info,
    created,
    scratch,
    nameOf,
  }: { base: string; info: BagInfo; created: Date; scratch: string; nameOf: NameOf },
): AsyncGenerator<ZipEntry> {
  await using sha512 = await Spool.create(scratch);
  await using sha256 = await Spool.create(scratch);
  const manifests = { sha512, sha256 };
  const tags: { name: string; digests: Digests }[] = [];
  const payload = { files: 0, bytes: 0 };
  const place = (name: string) => ({ name: base + name, modified: created });

  const folders = new Folders();
  for await (const file of files) {
    for (const folder of folders.above(file.path)) yield { ...place(nameOf(folder)), bytes: 0, content: [] };
    const name = nameOf(file.path);
    const isPayload = file.path.startsWith(PAYLOAD);
    yield {
      ...place(name),
      bytes: file.bytes,
      modified: new Date(file.modified),
      content: digested(file.content, ["sha256"], async ({ sha256 }) => {
        const digests = { sha256, sha512: file.sha512 };
        if (!isPayload) return void tags.push({ name, digests });
        payload.files++;
        payload.bytes += file.bytes;
        for (const algorithm of ALGORITHMS) {
          await manifests[algorithm].write(Buffer.from(manifestLine(digests[algorithm], name)));
        }
      }),
    };
  }
  // RFC 8493, section 2.1.2: the folder must exist even if the payload is empty.
  if (payload.files === 0) yield { ...place(PAYLOAD), bytes: 0, content: [] };

  const tag = (name: string, bytes: number, content: ZipEntry["content"]): ZipEntry => ({
    ...place(name),
    bytes,
    content: digested(content, ALGORITHMS, async (digests) => void tags.push({ name, digests })),
  });
  const text = (name: string, content: string) => tag(name, Buffer.byteLength(content), [Buffer.from(content)]);
  yield text("bagit.txt", DECLARATION);
  yield text("bag-info.txt", infoText([...info, ["Payload-Oxum", `${payload.bytes}.${payload.files}`]]));
  for (const algorithm of ALGORITHMS) {
    const manifest = manifests[algorithm];
    yield tag(`manifest-${algorithm}.txt`, manifest.bytes, manifest.read());
  }
  const ofTags = [...tags];
  for (const algorithm of ALGORITHMS) {
    yield text(
      `tagmanifest-${algorithm}.txt`,
      ofTags.map(({ name, digests }) => manifestLine(digests[algorithm], name)).join(""),
    );
  }
}

/** RFC 8493, section 2.1.3: in a path, line ends and the percent sign are percent-encoded. */
function manifestLine(digest: string, name: string): string {
  const path = name.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `${digest}  ${path}\n`;
}

/** RFC 8493, section 2.2.2: a value is one line. */
function infoText(info: BagInfo): string {
  return info.map(([label, value]) => `${label}: ${oneLine(value)}\n`).join("");
}

/** Hashes content as it passes. `whenWhole` is called before the receiver learns that the content is complete. */
async function* digested<Algorithm extends keyof Digests>(
  content: ZipEntry["content"],
  algorithms: readonly Algorithm[],
  whenWhole: (digests: Pick<Digests, Algorithm>) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const hashes = algorithms.map((name) => [name, createHash(name)] as const);
  for await (const piece of content) {
    for (const [, hash] of hashes) hash.update(piece);
    yield piece;
  }
  await whenWhole(Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest("hex")])) as Digests);
}

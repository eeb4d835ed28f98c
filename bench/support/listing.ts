import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MadeObject } from "./cases.ts";

/** Modification time of all generated files, in seconds since 1970. nginx derives ETags from it. */
export const CHANGED_AT = Date.UTC(2026, 0, 1) / 1000;

const PAGE_KEYS = 1_000;
const LAST_MODIFIED = new Date(CHANGED_AT * 1000).toISOString();

/** An entry of a listing with a delimiter: an object, or the prefix of a folder. */
type Entry = MadeObject | { prefix: string };

interface Asked {
  bucket: string;
  prefix: string;
  delimiter: string;
}

/** The ETag that nginx gives a file, with its quotes. */
export function etagOf(bytes: number): string {
  return `"${CHANGED_AT.toString(16)}-${bytes.toString(16)}"`;
}

/**
 * Writes the pages of a listing of the whole bucket, with the names that `nginx.ts` expects: `all.1.xml`, then
 * `all.TOKEN.xml`. Also writes `one.xml`, the response to `max-keys=1` (without a next page), and `location.xml`.
 */
export function writeListing(folder: string, bucket: string, objects: () => Iterable<MadeObject>): void {
  mkdirSync(folder, { recursive: true });
  const asked = { bucket, prefix: "", delimiter: "" };
  writePages(folder, "all", asked, objects());
  const [first] = objects();
  writeFileSync(join(folder, "one.xml"), page(asked, first === undefined ? [] : [first], "1"));
  const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  writeFileSync(
    join(folder, "location.xml"),
    `<?xml version="1.0" encoding="UTF-8"?>\n<LocationConstraint ${namespace}></LocationConstraint>\n`,
  );
}

/** Writes the pages of every folder for clients that list with `delimiter=/`: `in.PREFIX.TOKEN.xml`. */
export function writeFolderListings(folder: string, bucket: string, objects: Iterable<MadeObject>): void {
  for (const [prefix, entries] of folders(objects)) {
    writePages(folder, `in.${encodeURIComponent(prefix)}`, { bucket, prefix, delimiter: "/" }, entries);
  }
}

function folders(objects: Iterable<MadeObject>): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>([["", []]]);
  for (const object of objects) {
    const names = object.key.split("/");
    let parent = "";
    for (const name of names.slice(0, -1)) {
      const prefix = `${parent}${name}/`;
      // Keys are sorted, so that the first key of a folder determines its position in the listing.
      if (!found.has(prefix)) {
        found.set(prefix, []);
        found.get(parent)?.push({ prefix });
      }
      parent = prefix;
    }
    found.get(parent)?.push(object);
  }
  return found;
}

function writePages(folder: string, name: string, asked: Asked, entries: Iterable<Entry>): void {
  let number = 1;
  let held: Entry[] = [];
  const write = (next: string | undefined) => {
    writeFileSync(join(folder, `${name}.${number}.xml`), page(asked, held, String(number), next));
    number++;
    held = [];
  };
  for (const entry of entries) {
    if (held.length === PAGE_KEYS) write(String(number + 1));
    held.push(entry);
  }
  write(undefined);
}

function page({ bucket, prefix, delimiter }: Asked, entries: readonly Entry[], token: string, next?: string): string {
  const parts = entries.map((entry) => ("key" in entry ? contents(entry) : commonPrefix(entry.prefix)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<Name>${bucket}</Name><Prefix>${prefix}</Prefix>${delimiter && `<Delimiter>${delimiter}</Delimiter>`}`,
    `<KeyCount>${entries.length}</KeyCount><MaxKeys>${PAGE_KEYS}</MaxKeys><EncodingType>url</EncodingType>`,
    `<IsTruncated>${next !== undefined}</IsTruncated>`,
    token === "1" ? "" : `<ContinuationToken>${token}</ContinuationToken>`,
    next === undefined ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`,
    ...parts,
    "</ListBucketResult>\n",
  ].join("");
}

/** Keys contain only letters, digits and `-./`, so that neither XML nor `encoding-type=url` requires escaping. */
function contents({ key, bytes }: MadeObject): string {
  const etag = etagOf(bytes).replaceAll('"', "&quot;");
  return `<Contents><Key>${key}</Key><LastModified>${LAST_MODIFIED}</LastModified><ETag>${etag}</ETag><Size>${bytes}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
}

function commonPrefix(prefix: string): string {
  return `<CommonPrefixes><Prefix>${prefix}</Prefix></CommonPrefixes>`;
}

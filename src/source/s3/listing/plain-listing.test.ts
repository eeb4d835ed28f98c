import { expect, test } from "vitest";
import { listed } from "../../../../tests/support/listed.ts";
import { ListingDocument, PAGE_VALUES } from "./listing-document.ts";
import { readListing } from "./plain-listing.ts";
import { readXml } from "./xml.ts";

const ASKED = { bucket: "b", prefix: "", token: "", marker: "" };
const ROUNDS = Number(process.env.FUZZ_RUNS ?? 3_000);

/** A generator of pseudo-random numbers below a limit; the same for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const entry = (index: number) =>
  `<Contents><Key>plot/${index}.csv</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified>` +
  `<ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>${index}</Size><Owner><ID>o</ID><DisplayName/></Owner>` +
  "<StorageClass>STANDARD</StorageClass></Contents>";
/** Documents of different servers, from which the others are made. */
const SOURCES = (usual: string) => [
  usual,
  usual.replace("<IsTruncated>false", "<NextContinuationToken>dG9rZW4=</NextContinuationToken><IsTruncated>true"),
  usual.replace(
    "<KeyCount>2</KeyCount>",
    "<Marker/><NextMarker>plot/2.csv</NextMarker><EncodingType>url</EncodingType>",
  ),
  usual
    .replace(/version="1.0" encoding="UTF-8"/, "version='1.0' encoding='UTF-8'")
    .replaceAll("plot/1", "plot%2F%C3%A4"),
];
const usual = (rows: string) =>
  '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
  `<Name>b</Name><Prefix/><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${rows}</ListBucketResult>`;
const PLAIN = usual(entry(1) + entry(2));

/** Pieces that are inserted at random positions, or replace random pieces. */
const PIECES = [
  ...listed`
    < | > | / | & | ; | " | ä | 😀 | ]]> | &#34; | &amp; | &x; | &#x41; | <a> | </a> | <a/> | <!-- --> | <![CDATA[x]]>
    <?pi?> | <!DOCTYPE a> | <Contents> | </Contents> | <Key>k</Key> | <Size>7</Size> | <Key/> | <Key /> | < Key>
    <Key > | </Key > | <key> | <x:Key> | <Key a='b'> | <Owner> | </Owner> | <Type>Normal</Type>
    <IsTruncated>true</IsTruncated> | <Name>c</Name> | <ETag></ETag> | <Prefix>q</Prefix>
    <CommonPrefixes><Prefix>p</Prefix></CommonPrefixes> | </ListBucketResult> | <ListBucketResult>
    <EncodingType>url</EncodingType> | %41 | + | % | STANDARD | KeyCount
  `,
  ...[" ", "\n", "\r", "\t", "\0", "\u0085", "\ufffe", "x".repeat(2_000), entry(1), entry(3)],
];

function mutate(text: string, random: (below: number) => number): string {
  let changed = text;
  for (let count = random(4); count > 0; count--) {
    const at = random(changed.length + 1);
    const removed = random(3) === 0 ? random(30) : 0;
    const piece = random(4) === 0 ? "" : (PIECES[random(PIECES.length)] ?? "");
    // Half of the changes are at the beginning of a tag, where they more often result in XML.
    const place = random(2) === 0 ? Math.max(0, changed.indexOf("<", at)) : at;
    changed = changed.slice(0, place) + piece + changed.slice(place + removed);
  }
  return changed;
}

/** The outcome of reading a document: its content, or the error. */
async function outcome(read: (document: ListingDocument) => Promise<string>): Promise<unknown> {
  const document = new ListingDocument();
  try {
    const root = await read(document);
    if (!document.isListing) return { root };
    const values = PAGE_VALUES.map((name) => [name, document.value(name)]);
    return { values, isTruncated: document.isTruncated(ASKED), rows: document.rows(ASKED, "plus") };
  } catch (error) {
    return {
      name: (error as Error).constructor.name,
      message: (error as Error).message,
      isListing: document.isListing,
    };
  }
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("documents, also faulty ones, have the same content or error as when they are read as XML", async () => {
  const random = randomNumbers(Number(process.env.FUZZ_SEED ?? 17));
  const sources = SOURCES(PLAIN);
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = Buffer.from(mutate(sources[random(sources.length)] ?? "", random));
    const size = 1 + random(2_000);
    const expected = await outcome((document) => readXml([bytes], document));
    const found = await outcome((document) => readListing(inPieces(bytes, size), document));
    expect(found, bytes.toString()).toEqual(expected);
    if (Object.hasOwn(expected as object, "rows")) accepted++;
  }
  // The changes produce listings as well as faults.
  expect(accepted).toBeGreaterThan(ROUNDS / 10);
  expect(accepted).toBeLessThan(ROUNDS * 0.9);
});

test("an error of the connection is reported unless the document is faulty before it", async () => {
  const failing = async function* (text: string) {
    yield Buffer.from(text);
    throw new Error("reset");
  };
  const read = (text: string) => outcome((document) => readListing(failing(text), document));
  expect(await read(PLAIN.slice(0, 300))).toMatchObject({ message: "reset" });
  expect(await read("<!DOCTYPE html>")).toMatchObject({ name: "XmlError" });
});

test.each([["<html></head>"], ['<?xml version="1.0"?>\n<!DOCTYPE html>'], ["<ListBucketResult a='b'></x>"]])(
  "a document that cannot become a listing is judged before its end: %s",
  async (text) => {
    for (const size of [1, 400]) {
      const endless = async function* () {
        yield* inPieces(Buffer.from(text.padEnd(500)), size);
        await new Promise(() => undefined);
      };
      expect(await outcome((document) => readListing(endless(), document))).toMatchObject({ name: "XmlError" });
    }
  },
);

test("a long document is read, too", async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => entry(index).replace("plot/", "x".repeat(2_500)));
  const bytes = Buffer.from(usual(rows.join("")).replace("<KeyCount>2</KeyCount>", ""));
  const found = await outcome((document) => readListing(inPieces(bytes, 65_536), document));
  expect(found).toEqual(await outcome((document) => readXml([bytes], document)));
  expect((found as { rows: unknown[] }).rows).toHaveLength(1_000);
});

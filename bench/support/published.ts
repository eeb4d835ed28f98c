import { createHash } from "node:crypto";
import { saveEntry } from "../../src/db/catalogue/entries.ts";
import type { Queries } from "../../src/db/database.ts";
import { privatePublication } from "../../src/db/publication/publications.ts";
import type { NormalizedMetadata } from "../../src/describe/metadata/normalized.ts";
import { catalogueTextOf, resourceTypeOf } from "../../src/public/catalogue/entry.ts";

/** Datasets of one transaction. */
const BATCH = 500;
const WORDS = 4_000;
const AUTHORS = 5_000;
const INSTITUTIONS = 800;
const SYLLABLES = [
  "ba",
  "cor",
  "dil",
  "fen",
  "gra",
  "hul",
  "kem",
  "lor",
  "mi",
  "nas",
  "pol",
  "ris",
  "sten",
  "tur",
  "vel",
  "zin",
];
const FORMATS = ["csv", "tiff", "nc", "h5", "txt", "fastq.gz", "png", "json"];
const LICENCES = [
  { spdx: "CC-BY-4.0", name: "Creative Commons Attribution 4.0 International" },
  { spdx: "CC0-1.0", name: "Creative Commons Zero v1.0 Universal" },
  { spdx: "MIT", name: "MIT License" },
];

/** A number from 0 to 1 that depends on the seed only. */
export function chance(seed: string): number {
  return createHash("sha256").update(seed).digest().readUInt32BE(0) / 2 ** 32;
}

/** A word; frequent ones have low numbers, and the frequency falls with the number as in natural texts (Zipf’s law). */
export function wordOf(number: number): string {
  const syllables: string[] = [];
  for (let rest = number + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    syllables.push(SYLLABLES[rest % SYLLABLES.length] ?? "");
  }
  return syllables.length < 2 ? `${syllables.join("")}um` : syllables.join("");
}

function words(seed: string, count: number): string {
  return Array.from({ length: count }, (_, n) => wordOf(Math.floor(WORDS ** chance(`${seed} ${n}`)) - 1)).join(" ");
}

/** The metadata of a dataset that depends on its number only. */
export function metadataOf(number: number): NormalizedMetadata {
  const authors = Array.from({ length: 1 + Math.floor(chance(`n ${number}`) * 6) }, (_, n) => {
    const author = Math.floor(chance(`author ${number} ${n}`) * AUTHORS);
    return {
      role: "Creator",
      lastName: wordOf(100 + (author % 3_000)),
      firstName: wordOf(author),
      affiliation: `${wordOf(author % INSTITUTIONS)} Institute`,
    };
  });
  const licence = LICENCES[number % LICENCES.length];
  return {
    title: words(`title ${number}`, 8),
    description: words(`description ${number}`, 120),
    authors,
    subjects: words(`subjects ${number}`, 4).split(" "),
    ...(licence !== undefined && { license: licence }),
  };
}

/** Fills the catalogue of an empty database with published datasets. */
export async function publishDatasets(db: Queries, datasets: number): Promise<void> {
  for (let from = 0; from < datasets; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, datasets - from) }, (_, n) => from + n);
    await db.transaction().execute(async (trx) => {
      const rows = numbers.map((number) => ({
        number,
        id: idOf(number),
        at: new Date(Date.UTC(2015, 0, 1) + number * 3_600_000),
      }));
      await trx
        .insertInto("dataset")
        .values(
          rows.map(({ id, at }) => ({
            id,
            owner: "ada",
            title: id,
            latest_version: 1,
            latest_ocfl_version: 1,
            created_at: at,
          })),
        )
        .execute();
      for (const { number, id, at } of rows) {
        const metadata = metadataOf(number);
        const year = String(at.getUTCFullYear());
        const text = catalogueTextOf(metadata, { year });
        const format = FORMATS[number % FORMATS.length] ?? "csv";
        const row = { ...privatePublication(id, 1, at), state: "published" as const, published_at: at };
        await saveEntry(
          trx,
          { ...row, access: number % 9 === 0 ? "restricted" : "open" },
          {
            ...text,
            terms: [...text.terms, { kind: "format", value: format, label: format }],
            revision: 1,
            fileText: `plots field ${number} measurement ${format}`,
            summary: {
              creators: metadata.authors.map(({ lastName, firstName }) => `${lastName}, ${firstName}`),
              creatorCount: metadata.authors.length,
              description: (metadata.description ?? "").slice(0, 2_000),
              keywords: metadata.subjects,
              year,
              licence: metadata.license?.name ?? null,
              resourceType: resourceTypeOf(metadata),
              identifier: `urn:uuid:${id}`,
              versionLabel: "1",
              objects: 10,
              bytes: 1_000,
            },
          },
        );
      }
    });
  }
}

/** The id of the dataset with this number. */
export function idOf(number: number): string {
  const digits = createHash("sha256").update(`dataset ${number}`).digest("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Searches as people make them, with the kind of each. */
export function searches(each: number): { kind: string; query: string }[] {
  const made: { kind: string; query: string }[] = [];
  const add = (kind: string, query: Record<string, string>) =>
    made.push({ kind, query: new URLSearchParams({ ...query, facets: "true" }).toString() });
  for (let n = 0; n < each; n++) {
    const dataset = metadataOf(Math.floor(chance(`search ${n}`) * 1_000));
    const [one = "", two = "", three = ""] = dataset.title.split(" ");
    const rare = (seed: string) => wordOf(20 + Math.floor(chance(`${seed} ${n}`) * 3_000));
    add("one word", { q: rare("word") });
    add("two words", { q: `${one} ${rare("second")}` });
    add("words of a title", { q: `${one} ${two} ${three}` });
    add("phrase", { q: `"${one} ${two}"` });
    add("author", { q: `${dataset.authors[0]?.lastName}` });
    add("beginning of a word", { q: rare("prefix").slice(0, 4) });
    add("subject and year", { subject: dataset.subjects[0] ?? "", year: String(2016 + (n % 8)) });
    add("word and licence", { q: rare("filtered"), licence: "MIT", sort: "newest" });
    add("frequent word", { q: wordOf(n % 5) });
    add("everything", { sort: n % 2 === 0 ? "newest" : "title" });
  }
  return made;
}

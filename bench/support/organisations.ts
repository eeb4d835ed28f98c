import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { rorIdOf } from "../../packages/rules/src/index.ts";

const NOUNS = [
  "University",
  "Institute",
  "Hospital",
  "College",
  "Centre",
  "Academy",
  "Foundation",
  "Laboratory",
  "School",
];
const FIELDS = [
  ...[
    "Plant",
    "Crop",
    "Molecular",
    "Applied",
    "Marine",
    "Clinical",
    "Social",
    "Computational",
    "Agricultural",
    "Medical",
  ],
  ...[
    "Environmental",
    "Theoretical",
    "Nuclear",
    "Public",
    "Veterinary",
    "Educational",
    "Historical",
    "Polar",
    "Technical",
  ],
];
const SUBJECTS = [
  "Genetics",
  "Physics",
  "Health",
  "Sciences",
  "Technology",
  "Research",
  "Medicine",
  "Arts",
  "Engineering",
];
const SYLLABLES = [
  ...["ba", "ber", "cor", "dan", "el", "fen", "gar", "hal", "in", "jo", "kra", "lin", "mar", "nor", "os", "pra", "qui"],
  ...["ros", "stel", "tor", "ul", "vas", "wei", "xan", "yor", "zür", "ø", "łó", "ché", "mün"],
];

/** The name of an invented organisation. Its place makes it nearly unique. */
export function organisationName(index: number): string {
  const noun = pick(NOUNS, index);
  const place = placeName(index);
  const field = `${pick(FIELDS, index * 7)} ${pick(SUBJECTS, index * 13)}`;
  return index % 3 === 0 ? `${noun} of ${place}` : `${place} ${noun} of ${field}`;
}

/** Writes a file as large as the ROR data dump, with this many invented organisations. */
export async function writeOrganisations(file: string, organisations: number): Promise<void> {
  async function* texts() {
    for (let index = 0; index < organisations; index++) {
      const text = JSON.stringify([recordOf(index)], undefined, 4);
      yield index === 0 ? text.slice(0, -2) : `,${text.slice(1, -2)}`;
    }
    yield "\n]\n";
  }
  await pipeline(Readable.from(texts()), createWriteStream(file));
}

function recordOf(index: number): object {
  const name = organisationName(index);
  const id = rorIdOf(index);
  const initials = name.replaceAll(/(\p{L})\p{L}*\s?/gu, "$1");
  const place = placeName(index);
  const date = { date: "2026-06-23", schema_version: "2.1" };
  return {
    admin: { created: date, last_modified: date },
    domains: [],
    established: 1900 + (index % 120),
    external_ids: ["fundref", "grid", "isni", "wikidata"].map((type) => ({
      all: [`${type}.${index}`],
      preferred: null,
      type,
    })),
    id,
    links: ["website", "wikipedia"].map((type) => ({ type, value: `https://${type}.example.org/${index}` })),
    locations: [
      {
        geonames_details: {
          ...{ continent_code: "EU", continent_name: "Europe", country_code: "DE", country_name: "Germany" },
          ...{
            country_subdivision_code: "ST",
            country_subdivision_name: "Saxony-Anhalt",
            lat: 51.8,
            lng: 11.2,
            name: place,
          },
        },
        geonames_id: index,
      },
    ],
    names: [
      { lang: null, types: ["acronym"], value: initials },
      { lang: "en", types: ["label", "ror_display"], value: name },
      {
        lang: "de",
        types: ["label"],
        value: `${pick(["Universität", "Institut", "Klinikum"], index)} ${place} ${index % 50}`,
      },
    ],
    relationships: [1, 2].map((step) => ({ id, label: organisationName(index + step), type: "related" })),
    status: "active",
    types: [pick(["education", "facility", "funder"], index)],
  };
}

function placeName(index: number): string {
  // A linear congruence, so that neighbours differ and every run has the same names.
  let state = (Math.imul(index, 1_664_525) + 1_013_904_223) >>> 0;
  let name = "";
  for (let part = 0; part < 3; part++) {
    name += SYLLABLES[state % SYLLABLES.length];
    state = Math.floor(state / SYLLABLES.length);
  }
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? "";
}

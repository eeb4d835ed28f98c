/** Invented vocabularies in the published formats. */

import { rorIdOf } from "../../../packages/rules/src/index.ts";

type Name = [value: string, types: string[], lang?: string];

/** A record of the ROR data dump, schema 2.1, with an id or the number of one. */
export function rorRecord(id: string | number, names: Name[], more: object = {}): object {
  const date = { date: "2026-06-23", schema_version: "2.1" };
  return {
    admin: { created: date, last_modified: date },
    domains: [],
    established: 1950,
    external_ids: [{ all: ["501100009999"], preferred: "501100009999", type: "fundref" }],
    id: typeof id === "number" ? rorIdOf(id) : `https://ror.org/${id}`,
    links: [{ type: "website", value: "https://www.example.org" }],
    locations: [
      {
        geonames_details: {
          ...{ continent_code: "EU", continent_name: "Europe", country_code: "DE", country_name: "Germany" },
          ...{ lat: 51.8, lng: 11.2, name: "Gerstenau" },
        },
        geonames_id: 1,
      },
    ],
    names: names.map(([value, types, lang = null]) => ({ lang, types, value })),
    relationships: [],
    status: "active",
    types: ["facility"],
    ...more,
  };
}

export const ror = [
  rorRecord("01aaaaa85", [
    ["IGF", ["acronym"]],
    ["Institute for Barley Research", ["label"], "en"],
    ["Institut für Gerstenforschung", ["label", "ror_display"], "de"],
  ]),
  rorRecord("02bbbbb60", [["Gerstenau University", ["label", "ror_display"], "en"]], {
    types: ["education", "funder"],
  }),
  rorRecord("03ccccc35", [["IGF Bank", ["ror_display"], "en"]], { types: ["company"] }),
  rorRecord("04ddddd10", [["Łódź Institute of Barley", ["ror_display"], "en"]]),
  rorRecord("05eeeee82", [["Closed Institute", ["ror_display"], "en"]], { status: "inactive" }),
  rorRecord("06fffff57", [["国立大麦研究所", ["ror_display"], "ja"]], { locations: [] }),
];

export const crossrefFunders = `uri,primary_funder_display_name,replaced
http://dx.doi.org/10.13039/100000901,Barley Foundation,
http://dx.doi.org/10.13039/501100000902,"Fund for Roots, Stems and Leaves",
http://dx.doi.org/10.13039/100000903,Former Foundation,http://dx.doi.org/10.13039/100000901
`;

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const value = (text: string, language: string) => ({ "@value": text, "@language": language });

export const skosExpanded = [
  {
    "@id": "https://vocab.example.org/crops",
    "@type": [`${SKOS}ConceptScheme`],
    "http://purl.org/dc/terms/title": [value("Crops", "en"), value("Nutzpflanzen", "de")],
  },
  {
    "@id": "https://vocab.example.org/crops/1",
    "@type": [`${SKOS}Concept`],
    [`${SKOS}prefLabel`]: [value("barley", "en"), value("Gerste", "de")],
    [`${SKOS}altLabel`]: [value("Hordeum vulgare", "la")],
    [`${SKOS}inScheme`]: [{ "@id": "https://vocab.example.org/crops" }],
    [`${SKOS}notation`]: [{ "@value": "C.1" }],
  },
  {
    "@id": "https://vocab.example.org/crops/2",
    "@type": [`${SKOS}Concept`],
    [`${SKOS}prefLabel`]: [value("hulless barley", "en")],
    [`${SKOS}inScheme`]: [{ "@id": "https://vocab.example.org/crops" }],
  },
  {
    "@id": "https://vocab.example.org/crops/3",
    "@type": [`${SKOS}Concept`],
    [`${SKOS}prefLabel`]: [value("old term", "en")],
    "http://www.w3.org/2002/07/owl#deprecated": [{ "@value": true }],
  },
];

export const skosCompacted = {
  "@context": {
    skos: SKOS,
    ex: "https://vocab.example.org/crops/",
    graph: "@graph",
    uri: "@id",
    type: "@type",
    prefLabel: { "@id": "skos:prefLabel", "@container": "@language" },
    inScheme: { "@id": "skos:inScheme", "@type": "@id" },
  },
  "@graph": [
    { uri: "https://vocab.example.org/crops", type: "skos:ConceptScheme", prefLabel: { en: "Crops" } },
    {
      uri: "ex:1",
      type: ["skos:Concept"],
      prefLabel: { en: "barley", de: "Gerste" },
      inScheme: "https://vocab.example.org/crops",
    },
    { uri: "ex:2", type: "skos:Concept", "skos:prefLabel": { "@value": "hulless barley", "@language": "en" } },
  ],
};

export const subjectsCsv = `\ufeffuri;prefLabel;altLabel;notation;scheme;schemeURI;language
https://vocab.example.org/methods/1;Röntgenbild;Röntgenaufnahme|Radiographie;M1;Methods;https://vocab.example.org/methods;de
https://vocab.example.org/methods/1;X-ray image;;M1;Methods;https://vocab.example.org/methods;en
`;

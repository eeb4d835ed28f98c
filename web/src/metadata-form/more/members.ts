import { funderIdentifierTypes } from "@accession/rules";
import { LONG_TEXTS } from "../../api/long-texts.ts";
import type { VocabularyEntry, VocabularyKind } from "../../api/vocabularies.ts";
import type words from "../../words/en/new.json";
import type { FieldOf, ListName } from "../entries/lists.ts";

/** The optional members of the metadata: their groups in the form, and how each field is entered. */

export type OptionalText = (typeof LONG_TEXTS)[number] | "resourceTypeGeneral" | "resourceType" | "versionLabel";
/** A member in a group: a text, a list, or the contact. */
export type OptionalMember = OptionalText | ListName | "contact";

export interface GroupOfMembers {
  name: "texts" | "related" | "funding" | "coverage" | "subjects" | "kind" | "contact" | "licences";
  /** The members in rows. Texts in one row are side by side. */
  rows: readonly (readonly OptionalMember[])[];
}

/** The groups in the order of the form. */
export const GROUPS: readonly GroupOfMembers[] = [
  { name: "texts", rows: [["titles"], ["descriptions"], ...LONG_TEXTS.map((name) => [name])] },
  { name: "related", rows: [["relatedIdentifiers"]] },
  { name: "funding", rows: [["fundingReferences"]] },
  { name: "coverage", rows: [["dates"], ["geoLocations"]] },
  { name: "subjects", rows: [["subjectTerms"]] },
  { name: "kind", rows: [["resourceTypeGeneral", "resourceType"], ["versionLabel"], ["alternateIdentifiers"]] },
  { name: "contact", rows: [["contact"]] },
  { name: "licences", rows: [["licenses"]] },
];

type Explained = keyof (typeof words)["more"] extends infer Key
  ? Key extends `${infer Name}Detail`
    ? Name
    : never
  : never;

/** How a field is entered. */
export interface FieldInput {
  /** The least and the most lines of a long text. Others have one line. */
  lines?: readonly [least: number, most: number];
  /** The words that explain the field, and those of an example in it. */
  detail?: Explained;
  example?: Explained;
  placeholder?: string;
  /** Not a text in a language, so that its spelling is not checked. */
  isCode?: true;
  /** The id of a list of suggestions in the page. */
  suggestions?: "languages";
  /** The object in the request that contains the member. */
  inside?: "geoLocationPoint" | "geoLocationBox";
  vocabulary?: Vocabulary;
}

/** A vocabulary from which a name can be chosen. */
interface Vocabulary {
  kind: VocabularyKind;
  /** The field that must be filled in for the name to be identified. */
  decisive: string;
  /** The fields that an entry fills in besides the name, and their values. */
  identifiers: Readonly<Record<string, (entry: VocabularyEntry) => string | null | undefined>>;
}

const ADDRESS: FieldInput = { placeholder: "https://…", isCode: true };
const POINT: FieldInput = { inside: "geoLocationPoint" };
const BOX: FieldInput = { inside: "geoLocationBox" };

/** The fields that are not plain texts in one line, by their names. Choices of a term are in `TermField`. */
export const INPUTS: Partial<Record<OptionalText | FieldOf<ListName>, FieldInput>> = {
  acknowledgements: { lines: [2, 12], detail: "acknowledgements" },
  resourceType: { example: "resourceType" },
  versionLabel: { detail: "versionLabel" },
  description: { lines: [4, 16] },
  language: { suggestions: "languages", isCode: true },
  relatedIdentifier: { detail: "relatedIdentifier", isCode: true },
  citation: { lines: [2, 8], detail: "citation" },
  funderName: {
    vocabulary: {
      kind: "funders",
      decisive: "funderIdentifier",
      // A type that the form does not offer is left to the service to detect.
      identifiers: { funderIdentifier: ({ id }) => id, funderIdentifierType: funderScheme },
    },
  },
  funderIdentifier: { detail: "funderIdentifier", placeholder: "https://ror.org/…", isCode: true },
  awardUri: ADDRESS,
  date: { detail: "date" },
  until: { detail: "until" },
  pointLatitude: POINT,
  pointLongitude: POINT,
  southBoundLatitude: BOX,
  northBoundLatitude: BOX,
  westBoundLongitude: BOX,
  eastBoundLongitude: BOX,
  subject: {
    vocabulary: {
      kind: "subjects",
      decisive: "valueUri",
      identifiers: {
        subjectScheme: ({ scheme }) => scheme,
        valueUri: ({ id }) => webAddress(id),
        schemeUri: ({ schemeUri }) => webAddress(schemeUri),
        classificationCode: ({ notation }) => notation,
        language: ({ language }) => language,
      },
    },
  },
  subjectScheme: { example: "subjectScheme" },
  valueUri: ADDRESS,
  schemeUri: ADDRESS,
  classificationCode: { isCode: true },
  alternateIdentifier: { isCode: true },
  alternateIdentifierType: { example: "alternateIdentifierType" },
  license: { detail: "licence", isCode: true },
  appliesTo: { detail: "appliesTo" },
};

function funderScheme({ scheme }: VocabularyEntry): string | undefined {
  return funderIdentifierTypes.find((type) => type === scheme);
}

/** The metadata contain web addresses only, and vocabularies also URNs. */
function webAddress(text: string | null): string | null {
  return text !== null && /^https?:\/\//i.test(text) ? text : null;
}

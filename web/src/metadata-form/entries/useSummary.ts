import { useTerm } from "../../ui/text/useTerm.ts";
import { type Entry, type FieldOf, filledIn, isFilled, type ListName, type Lists } from "./lists.ts";

/** A field of an entry, or several that a mark joins. */
type Shown<Field> = Field | readonly [mark: string, ...fields: Field[]];

interface Summary<Field> {
  /** The first one that is filled in names the entry. */
  name: readonly Shown<Field>[];
  /** Further information in the same line. */
  kind: Shown<Field>;
  /** All that the summary of the form states. */
  all: readonly Shown<Field>[];
}

const SUMMARIES: { [L in ListName]: Summary<FieldOf<L>> } = {
  titles: { name: ["title"], kind: "titleType", all: ["title", "titleType"] },
  descriptions: {
    name: ["descriptionType"],
    kind: "description",
    all: [[": ", "descriptionType", "description"]],
  },
  relatedIdentifiers: {
    name: ["relatedIdentifier", "citation"],
    kind: "relationType",
    all: ["relationType", "relatedIdentifier", "citation"],
  },
  fundingReferences: {
    name: ["funderName", "awardTitle"],
    kind: "awardNumber",
    all: ["funderName", "funderIdentifier", "awardNumber", "awardTitle", "awardUri"],
  },
  dates: {
    name: [[" – ", "date", "until"]],
    kind: "dateType",
    all: ["dateType", [" – ", "date", "until"], "dateInformation"],
  },
  geoLocations: {
    name: ["geoLocationPlace"],
    kind: ["; ", "pointLatitude", "pointLongitude"],
    all: [
      "geoLocationPlace",
      ["; ", "pointLatitude", "pointLongitude"],
      [" – ", "southBoundLatitude", "northBoundLatitude"],
      [" – ", "westBoundLongitude", "eastBoundLongitude"],
    ],
  },
  subjectTerms: {
    name: ["subject"],
    kind: "subjectScheme",
    all: ["subject", "subjectScheme", "classificationCode", "valueUri"],
  },
  alternateIdentifiers: {
    name: ["alternateIdentifier"],
    kind: "alternateIdentifierType",
    all: ["alternateIdentifier", "alternateIdentifierType"],
  },
  licenses: { name: ["license"], kind: "appliesTo", all: ["license", "appliesTo"] },
};

/** Gives texts that summarise the entries of a list. */
export function useSummary() {
  const term = useTerm();
  return <L extends ListName>(list: L) => summaryOf(list, term);
}

function summaryOf<L extends ListName>(list: L, term: (member: string, value: string) => string) {
  const { name, kind, all }: Summary<FieldOf<L>> = SUMMARIES[list];
  const textOf = (entry: Entry<L>, shown: Shown<FieldOf<L>>): string => {
    const [mark, ...fields] = typeof shown === "string" ? ["", shown] : shown;
    return filledIn(fields.map((field) => term(field, entry[field as FieldOf<L>]))).join(mark);
  };
  return {
    /** The display name of an entry; empty if it has none. */
    nameOf: (entry: Entry<L>) => filledIn(name.map((shown) => textOf(entry, shown)))[0] ?? "",
    /** Further information in the same line. */
    kindOf: (entry: Entry<L>) => shortened(textOf(entry, kind), SHOWN),
    /** All entries that are filled in, each in one line. */
    linesOf: (lists: Lists) =>
      (lists[list] as Entry<L>[])
        .filter(isFilled)
        .map((entry) => filledIn(all.map((shown) => textOf(entry, shown))).join(" · ")),
  };
}

/** The number of characters of a text that the line shows. */
const SHOWN = 60;

/** A text in one line. @param most its longest length; what is beyond it is left out */
export function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most).trimEnd()} …` : line;
}

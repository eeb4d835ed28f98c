import { roles } from "../../src/domain/metadata/roles.ts";
import type { Author, Metadata } from "../../src/domain/metadata/schema.ts";
import { inWords, memberTable, type Schema, type Schemas } from "./schemas.ts";
import { generated, table } from "./table.ts";

/** Where a member stands in `metadata/datacite.json` and in `ro-crate-metadata.json`; a test looks there. */
export interface Places {
  datacite: string[];
  crate: string[];
}

/** Personal, and therefore in no package. */
const nowhere: Places = { datacite: [], crate: [] };

export const placesOfDataset: Record<keyof Metadata, Places> = {
  title: { datacite: ["titles.title"], crate: ["Dataset.name"] },
  description: { datacite: ["descriptions.description"], crate: ["Dataset.description"] },
  authors: { datacite: ["creators", "contributors"], crate: ["Dataset.author", "Dataset.contributor"] },
  language: { datacite: ["language"], crate: ["Dataset.inLanguage"] },
  subjects: { datacite: ["subjects.subject"], crate: ["Dataset.keywords"] },
  license: {
    datacite: ["rightsList.rights", "rightsList.rightsUri", "rightsList.rightsIdentifier"],
    crate: ["Dataset.license", "CreativeWork.name", "CreativeWork.identifier"],
  },
  embargoDate: {
    datacite: ["dates.date", "publicationYear"],
    crate: ["Dataset.datePublished", "Dataset.conditionsOfAccess"],
  },
};

export const placesOfAuthor: Record<keyof Author, Places> = {
  role: { datacite: ["contributors.contributorType"], crate: ["Dataset.author", "Dataset.contributor"] },
  orcid: { datacite: ["creators.nameIdentifiers.nameIdentifier"], crate: ["Person.@id"] },
  firstName: { datacite: ["creators.givenName", "creators.name"], crate: ["Person.givenName", "Person.name"] },
  lastName: { datacite: ["creators.familyName", "creators.name"], crate: ["Person.familyName", "Person.name"] },
  affiliation: { datacite: ["creators.affiliation.name"], crate: ["Organization.name"] },
  rorid: { datacite: ["creators.affiliation.affiliationIdentifier"], crate: ["Organization.@id", "Organization.url"] },
  address: nowhere,
  zipCode: nowhere,
  city: nowhere,
  country: nowhere,
};

/** docs/metadata.md: what is said of a dataset, how it is checked, and where it ends up. */
export function metadataPage(schemas: Schemas, example: object): string {
  const { Metadata = {}, Author = {} } = schemas;
  const members = (schema: Schema) => memberTable(schema, schemas, () => "#authors");
  return `${generated("src/domain/metadata/schema.ts")}

# Metadata

What a submission says about its dataset: in the member \`metadata\` of a request, in \`accession submit --metadata FILE\`, and
in the page’s form. Mandatory are a title and an author with the role \`Creator\` who has a name; everything else can be left
out, and what is worth having is warned about (\`description_missing\`, \`license_missing\`).

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`

\`POST /submission/validate\` ([API](api.md#post-submissionvalidate)) checks metadata without submitting anything. It names every
fault and warning at once, each with its place, and answers what would be archived. \`""\` and \`null\` mean “not given”.

## The dataset

${members(Metadata)}

## Authors

Creators are cited, in this order. Whoever else had a part in it has another role.

${members(Author)}

- **Role**: ${inWords(
    roles.map((role) => `\`${role}\``),
    "or",
  )}.
  Upper and lower case, spaces and hyphens make no difference. Any other is kept as sent, and warned about (\`role_unknown\`);
  in DataCite it becomes \`Other\`, as do \`Contributor\` and \`Translator\` (which readers of DataCite 4.5 do not know). Without a
  role somebody is a \`Contributor\`.
- **An organisation** (a hosting institution, a sponsor) is an author without a name and ORCID iD: its name is the
  \`affiliation\`. A Creator has a name of its own.
- **Affiliation and ROR id** belong together: the name is for people, the id for machines. A \`rorid\` that is none is warned
  about and left out.
- **Postal data** (\`address\`, \`zipCode\`, \`city\`, \`country\`) are personal. They are kept with what was sent, for those who
  may see the submission, and are in no package and no export.

## What is checked

| Member        | Taken                                                                                   | Otherwise                            |
| ------------- | --------------------------------------------------------------------------------------- | ------------------------------------ |
| \`title\`       | any text that is not blank                                                              | refused: \`required\`                  |
| \`authors\`     | at least one \`Creator\`, with a first or last name                                       | refused: \`creator_required\`, \`creator_name_required\` |
| \`description\` | 50 to 5,000 characters, as search engines want it                                       | warned about: \`description_short\`, \`description_long\` |
| \`language\`    | \`de\`, \`deu\`, \`de-CH\`, \`German\`                                                          | refused: \`language_unknown\`          |
| \`license\`     | \`CC-BY-4.0\`, \`cc by 4.0\`, \`MIT OR Apache-2.0\`, \`https://creativecommons.org/licenses/by/4.0/\` or any other web address | kept as sent, warned about: \`license_unknown\` |
| \`embargoDate\` | \`2027-06-30\`, a day or a time of ISO 8601                                               | refused: \`embargo_date_invalid\`      |
| \`orcid\`       | \`0000-0002-1825-0097\`, bare or as a URL, with a check digit that is right               | refused: \`orcid_invalid\`             |
| \`rorid\`       | \`https://ror.org/05gq02987\`, also bare, with a checksum that is right                   | left out, warned about: \`ror_invalid\` |
| \`country\`     | \`US\`, \`USA\`, \`840\`, \`United States\`                                                     | kept as sent, warned about: \`country_unknown\` |

A member that is not in the tables above is stored as sent, has no effect, and causes a warning (\`unknown_member\`).
If its name is close to a known one, such as \`licence\`, \`orcId\` or \`keywords\` (the word here is \`subjects\`), the request is
refused (\`misspelt_member\`): archived metadata cannot be corrected.

The web client of e!DAL-PGP sends an author’s affiliation, city and address as one \`address\`, joined by commas, and no
\`affiliation\` or \`city\`. In a form of that client (with a part \`s3access\` that has \`validated\`), the service uses the text before
the first comma as the affiliation and warns about it (\`affiliation_recovered\`). An affiliation that contains a comma is cut
there, because the next part can be part of the postal address. A text with a digit, or that reads like a street or a
post-office box, is not used, which a warning says (\`affiliation_unclear\`). The rest of the address is not published.

**The embargo is a statement, and no lock.** Who may read a dataset here is decided by [access](access.md) alone; the day is
for those to whom the metadata are handed on. In DataCite it becomes the day of availability and the year of publication.

## Where it ends up

What was sent stays as it was sent, in the log of the dataset (\`logs/v1/submission.json\`) and in \`metadata\` of the submission.
What a package says is made of the normalised form: \`German\` is \`de\`, \`cc by 4.0\` is \`CC-BY-4.0\`.

${placesTable({ ...placesOfDataset, ...prefixed(placesOfAuthor) })}

Names of DataCite are those of its JSON form; \`metadata/datacite.xml\` says the same in XML. Contributors have the members that
creators have. Where a standard demands what was not given there stands “Dataset <title>, no description given” or “No licence
stated; all rights reserved”. Exports ([datasets.md](datasets.md#descriptions)) are made of the same.
`;
}

function prefixed(places: Record<string, Places>): Record<string, Places> {
  return Object.fromEntries(Object.entries(places).map(([name, place]) => [`authors[].${name}`, place]));
}

function placesTable(places: Record<string, Places>): string {
  const rows = Object.entries(places).map(([name, { datacite, crate }]) => [
    `\`${name}\``,
    spans(datacite),
    spans(crate),
  ]);
  return table(["Member", "DataCite", "RO-Crate"], rows);
}

function spans(names: string[]): string {
  return names.map((name) => `\`${name}\``).join(", ") || "–";
}

import type { Author, Metadata } from "../../src/domain/metadata/schema.ts";
import { roles } from "../../src/domain/metadata/values/roles.ts";
import { inWords, memberTable, type Schema, type Schemas } from "./schemas.ts";
import { generated, table } from "./table.ts";

/** The location of a field in `metadata/datacite.json` and `ro-crate-metadata.json`; a test compares both. */
export interface Places {
  datacite: string[];
  crate: string[];
}

/** Personal data, which no package contains. */
const nowhere: Places = { datacite: [], crate: [] };

export const placesOfDataset: Partial<Record<keyof Metadata, Places>> = {
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

export const placesOfAuthor: Partial<Record<keyof Author, Places>> = {
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

/** docs/metadata.md: the fields of a dataset, how they are checked, and where they appear. */
export function metadataPage(schemas: Schemas, example: object): string {
  const { Metadata = {}, Author = {} } = schemas;
  const members = (schema: Schema) => memberTable(schema, schemas, () => "#authors", "Field");
  return `${generated("src/domain/metadata/schema.ts")}

# Metadata

This page is for submitters and for developers of clients. It lists the metadata fields, the checks, and where each field appears
in the archived dataset. The same fields are used in the form on the page, in \`accession submit --metadata FILE\`, and in the field
\`metadata\` of a request.

Required are a title and at least one author who has a name and the role \`Creator\`. A missing description or licence causes a warning
(\`description_missing\`, \`license_missing\`). \`""\` and \`null\` mean that a field is not set.

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`

To check metadata without submitting, send it to \`POST /submission/validate\` ([API](api.md#post-submissionvalidate)). The
response lists all errors and warnings, and the normalised metadata.

## The dataset

${members(Metadata)}

## Authors

Creators are cited in the given order. All other people and organisations have another role.

${members(Author)}

- **Role**: ${inWords(
    roles.map((role) => `\`${role}\``),
    "or",
  )}.
  Upper and lower case, spaces and hyphens do not matter. The default is \`Contributor\`. Other values are kept and cause a warning
  (\`role_unknown\`). \`Contributor\`, \`Translator\` and unknown roles become \`Other\` in DataCite.
- **Organisations** (a hosting institution, a sponsor) are authors with an \`affiliation\` and without a name or ORCID iD. For
  an organisation with the role Creator, write its name in \`lastName\`.
- **Affiliation and ROR id** describe the same institution, by name and by identifier. An invalid \`rorid\` causes
  a warning. Packages and exports omit it; only the log of the dataset contains it.
- **Postal data** (\`address\`, \`zipCode\`, \`city\`, \`country\`) are personal data. Only users with access to the submission see
  them. They are not part of packages and exports.

## Checks

| Field         | Accepted values                                                                         | Other values                         |
| ------------- | --------------------------------------------------------------------------------------- | ------------------------------------ |
| \`title\`       | any text that is not empty                                                              | refused: \`required\`                  |
| \`authors\`     | at least one \`Creator\`, with a first or last name                                       | refused: \`creator_required\`, \`creator_name_required\` |
| \`description\` | 50 to 5,000 characters, as search engines recommend                                     | kept, warning: \`description_short\`, \`description_long\` |
| \`language\`    | for example \`de\`, \`deu\`, \`de-CH\`, \`German\`                                              | refused: \`language_unknown\`          |
| \`license\`     | for example \`CC-BY-4.0\`, \`cc by 4.0\`, \`MIT OR Apache-2.0\`, or a web address such as \`https://creativecommons.org/licenses/by/4.0/\` | kept, warning: \`license_unknown\` |
| \`embargoDate\` | \`2027-06-30\`, a day or a time in ISO 8601                                               | refused: \`embargo_date_invalid\`      |
| \`orcid\`       | \`0000-0002-1825-0097\`, also as a URL, with a correct check digit                        | refused: \`orcid_invalid\`             |
| \`rorid\`       | \`https://ror.org/05gq02987\`, also without the host, with a correct checksum             | left out, warning: \`ror_invalid\`     |
| \`country\`     | for example \`US\`, \`USA\`, \`840\`, \`United States\`                                         | kept, warning: \`country_unknown\`     |

- **Unknown fields** are stored, have no effect, and cause a warning (\`unknown_member\`).
- **Misspelt fields**, such as \`licence\`, \`orcId\` or \`keywords\` (instead of \`subjects\`), are refused (\`misspelt_member\`),
  because archived metadata cannot be corrected.
- **Only for submissions from the e!DAL-PGP client** (recognised by \`validated\` in \`s3access\`): this client writes affiliation,
  city and address into \`address\`. The service uses the text before the first comma as affiliation, with a warning (\`affiliation_recovered\`). Text that
  contains a digit, or looks like a street or post-office box, is not used (\`affiliation_unclear\`).
- **The embargo date** does not restrict access here. Access depends only on [roles](access.md#roles). The date informs systems that receive
  the metadata. In DataCite it is the date of availability and determines the year of publication.

## Location in the archived dataset

The submitted metadata is kept unchanged in the log of the dataset (\`logs/v1/submission.json\`) and in \`metadata\` of the
submission. Packages and [exports](datasets.md#descriptions) contain normalised values: \`German\` becomes \`de\`, and \`cc by 4.0\`
becomes \`CC-BY-4.0\`.

${placesTable({ ...placesOfDataset, ...prefixed(placesOfAuthor) })}

The DataCite names are those of the JSON format; \`metadata/datacite.xml\` has the same content. Contributors have the same fields as
creators. If a standard requires a value that is not set, the package contains “Dataset <title>, no description given” or “No
licence stated; all rights reserved”.
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
  return table(["Field", "DataCite", "RO-Crate"], rows);
}

function spans(names: string[]): string {
  return names.map((name) => `\`${name}\``).join(", ") || "–";
}

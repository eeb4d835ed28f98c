import { metadataSections } from "./metadata-sections.ts";
import { formats, placesOf } from "./places.ts";
import { anchorOf, inWords, memberTable, type Schema, type Schemas } from "./schemas.ts";
import { generated, table } from "./table.ts";

/** docs/metadata.md: the fields of a dataset, how they are checked, and where they appear. */
export function metadataPage(schemas: Schemas, example: object): string {
  const { Metadata = {} } = schemas;
  const anchors = Object.fromEntries(metadataSections.map(({ schema, title }) => [schema, `#${anchorOf(title)}`]));
  anchors.Fields = "how-to/own-fields.md";
  const members = (schema: Schema) => memberTable(schema, schemas, (name) => anchors[name] ?? "", "Field");
  const sections = metadataSections.map(
    ({ schema, title, text, notes = "" }) => `## ${title}\n\n${text}\n\n${members(schemas[schema] ?? {})}${notes}`,
  );
  return `${generated("src/describe/metadata/schema.ts")}

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

${sections.join("\n\n")}

## Checks

${table(["Field", "Accepted values", "Other values"], CHECKS)}

- **Unknown fields** are stored, have no effect, and cause a warning (\`unknown_member\`). If the name resembles that of a field, or
  another standard uses it, the warning names the field: \`fundingReferences\` for \`funding\`.
- **Misspelt fields**, such as \`licence\`, \`orcId\`, \`keywords\` (instead of \`subjects\`) or \`fundingReference\`, are refused
  (\`misspelt_member\`), because their content would be lost unnoticed.
- **Suggestions**: if a value is not accepted, the message names the one that was probably meant: \`IsDescribedBy\` for
  \`DescribedBy\`, \`de\` for “Deutsch”, \`CC-BY-4.0\` for “CC BY”.
- **Only for submissions from the e!DAL-PGP client** (recognised by \`validated\` in \`s3access\`): this client writes affiliation,
  city and address into \`address\`. The service uses the text before the first comma as affiliation, with a warning (\`affiliation_recovered\`). Text that
  contains a digit, or looks like a street or post-office box, is not used (\`affiliation_unclear\`). A ROR id that is not valid
  is left out, with a warning (\`ror_invalid\`), because this client does not show errors of single fields.
- **The embargo date** in the metadata is the proposed choice of the [access](publication.md#access) when publication is requested.
  A request with another access is refused (\`embargo_differs\`). The date itself gives and takes no permissions: before publication,
  access depends on [roles](access.md#roles), and afterwards on the access of the publication.

## Location in the archived dataset

The submitted metadata is kept unchanged in the log of the dataset (\`logs/v1/submission.json\`) and in \`metadata\` of the
submission. Packages and [exports](datasets.md#descriptions) contain normalised values: \`German\` becomes \`de\`, and \`cc by 4.0\`
becomes \`CC-BY-4.0\`.

A dash means that the format has no place for the field.

${placesTables()}

- \`metadata/datacite.xml\` has the same content as the JSON format of DataCite. RO-Crate properties are named after the type of the
  entity. \`.\` separates nested properties.
- If a standard requires a value that is not set, the package contains “Dataset <title>, no description given” or “No licence
  stated; all rights reserved”.
- **Properties that depend on a value**: \`role\` separates authors from contributors, and \`nameType\` persons from organisations.
  \`dateType\`, \`descriptionType\`, \`titleType\` and \`relationType\` select the property in formats with separate ones: RO-Crate has
  \`isBasedOn\` (\`IsDerivedFrom\`), \`isPartOf\`, \`citation\` (publications and references with a web address) and \`mentions\`.
- **Related resources with an identifier and a citation**: DataCite contains only the identifier. If there is only a citation, it
  is a \`relatedItem\`.
- **Contact**: RO-Crate and schema.org state it as a contact of the publisher, because a dataset cannot have one. A contact that
  is not \`public\` is in no package and no export.
- **Fields of the operator** (\`fields\`) are properties of any kind; fields that name variables are \`variableMeasured\`. See the
  [guide](how-to/own-fields.md#where-the-values-appear).
- **Languages** are stated only for texts that have a \`language\`, never from the language of the data.
`;
}

/** Members of the page's table of checks. A test checks that the accepted values are accepted. */
const CHECKS: string[][] = [
  ["`title`", "any text that is not empty", "refused: `required`"],
  [
    "`authors`",
    "at least one `Creator`, with a first or last name",
    "refused: `creator_required`, `creator_name_required`; other authors without a name: warning `author_name_missing`",
  ],
  [
    "`description`",
    "50 to 5,000 characters, as search engines recommend",
    "kept, warning: `description_short`, `description_long`",
  ],
  ["`language`", "for example `de`, `deu`, `de-CH`, `German`; also of single texts", "refused: `language_unknown`"],
  [
    "`license`",
    "for example `CC-BY-4.0`, `cc by 4.0`, `MIT OR Apache-2.0`, or a web address such as `https://creativecommons.org/licenses/by/4.0/`",
    "kept, warning: `license_unknown`",
  ],
  [
    "`embargoDate`",
    "`2027-06-30`, a day or a time in ISO 8601",
    "refused: `embargo_date_invalid`; a day in the past is kept, warning: `embargo_date_past`; after publication without effect, warning: `embargo_date_unused`",
  ],
  [
    "`orcid`",
    "`0000-0002-1825-0097`, also as a URL, with a correct check digit and within the ranges of ORCID",
    "refused: `orcid_invalid`",
  ],
  ["`rorid`", "`https://ror.org/05gq02987`, also without the host, with a correct checksum", "refused: `ror_invalid`"],
  ["`country`", "for example `US`, `USA`, `840`, `United States`", "kept, warning: `country_unknown`"],
  ["`nameType`", "`Personal`, `person`, `Organizational`, `organisation`", "refused: `term_unknown`"],
  [
    "`authors[].name`",
    "the name of an organisation or, with the `nameType` `Personal`, of a person",
    "without `nameType` refused: `required`; together with other parts of a name: warning `name_ambiguous`",
  ],
  [
    "`titles[].titleType`",
    "a value of the list, as `TranslatedTitle` or `translated title`; the same for all other lists of values",
    "refused: `term_unknown`",
  ],
  ["`contact.email`", "one mail address, as `data@example.org`", "refused: `mail_address_invalid`"],
  [
    "`subjectTerms[].valueUri`",
    "`https://example.org/page`, without a password; the same for `schemeUri` and `awardUri`",
    "refused: `address_invalid`",
  ],
  [
    "`fundingReferences[].funderIdentifier`",
    "`https://ror.org/00k4n6c32`, `10.13039/501100000780`, an ISNI or a GRID id; any text if the type is “Other”",
    "refused: `identifier_invalid`",
  ],
  [
    "`relatedIdentifiers[].relatedIdentifier`",
    "for example `10.1234/abcd`, `https://doi.org/10.1234/abcd`, `arXiv:2101.00001`, `978-3-16-148410-0`, `https://example.org/page`; other types if they are stated",
    "refused: `identifier_invalid`",
  ],
  [
    "`dates[].date`",
    "`2024`, `2024-05`, `2024-05-17`, `17.5.2024`, `2024-05/2024-07`, `2024/`, `500 BCE`",
    "refused: `date_invalid`",
  ],
  [
    "`geoLocations[].geoLocationPoint.pointLatitude`",
    "`51.8267`, `51° 49′ 36″ N`; the same for all coordinates",
    "refused: `coordinate_invalid`",
  ],
];

/** Tables of the formats that are used together. */
const TABLES = [
  ["DataCite", "RO-Crate"],
  ["schema.org", "DCAT"],
  ["Dublin Core", "BibTeX", "RIS", "CSL-JSON"],
];

function placesTables(): string {
  const places = [...placesOf()];
  return TABLES.map((names) => {
    const shown = formats.map(({ name }) => name).filter((name) => names.includes(name));
    const rows = places.map(([member, byFormat]) => [`\`${member}\``, ...shown.map((name) => spans(byFormat[name]))]);
    return `### ${inWords(shown)}\n\n${table(["Field", ...shown], rows)}`;
  }).join("\n\n");
}

function spans(names: string[] = []): string {
  return names.map((name) => `\`${name}\``).join(", ") || "–";
}

import { type Static, type TSchema, Type } from "typebox";
import {
  dateTypes,
  descriptionTypes,
  funderIdentifierTypes,
  identifierTypes,
  LONGEST_DESCRIPTION,
  nameTypes,
  relationTypes,
  resourceTypes,
  roles,
  titleTypes,
} from "../../../packages/rules/src/index.ts";

/**
 * The schema of the metadata as sent. Unknown members are kept and cause a warning. Members are named after DataCite 4.7
 * where it has a name.
 */

const text = (description: string, ...examples: string[]) => Type.Optional(requiredText(description, ...examples));

const requiredText = (description: string, ...examples: string[]) =>
  Type.String({ maxLength: 1_000, description, examples });

const longText = (description: string, ...examples: string[]) =>
  Type.Optional(Type.String({ maxLength: LONGEST_DESCRIPTION, description, examples }));

/** A text from a list. Any case and spacing are accepted, so the list is not part of the schema. */
const term = (description: string, terms: readonly string[], example: string) =>
  Type.Optional(requiredTerm(description, terms, example));

const requiredTerm = (description: string, terms: readonly string[], example: string) =>
  requiredText(`${description} One of ${terms.map((one) => `\`${one}\``).join(", ")}.`, example);

const list = <T extends TSchema>(items: T, maxItems: number, description: string) =>
  Type.Optional(Type.Array(items, { maxItems, description }));

const coordinate = (description: string, example: number) =>
  Type.Union([Type.Number(), Type.String({ maxLength: 100 })], { description, examples: [example] });

const object = <T extends Record<string, TSchema>>(title: string, description: string, members: T) =>
  Type.Object(members, { title, additionalProperties: true, description });

const languageOfText = text("Language of the text, in the same forms as `language` of the dataset.", "de");

export const Affiliation = object("Affiliation", "An institution to which an author belongs.", {
  name: text("Name of the institution.", "Brown University"),
  rorid: text("ROR id of the institution, with or without `https://ror.org/`.", "https://ror.org/05gq02987"),
});
export type Affiliation = Static<typeof Affiliation>;

export const Author = object("Author", "A person or organisation that created the dataset or contributed to it.", {
  role: text(
    "Role: `Creator`, `Contributor` or a contributor type of DataCite. At least one author must be a `Creator`.",
    ...roles,
  ),
  nameType: term(
    "Whether the author is a person or an organisation; `person` and `organisation` are accepted, too.",
    nameTypes,
    "Personal",
  ),
  name: text("Name of an organisation.", "Brown University Library"),
  orcid: text("ORCID iD, with or without `https://orcid.org/`.", "0000-0002-1825-0097"),
  firstName: text("Given names.", "Josiah"),
  lastName: text("Family name.", "Carberry"),
  affiliation: text("Name of the institution.", "Brown University"),
  rorid: text(
    "ROR id of the institution, with or without `https://ror.org/`. For an organisation, its own id.",
    "https://ror.org/05gq02987",
  ),
  affiliations: list(Affiliation, 100, "Further institutions, or all of them."),
  address: text("Postal address. Postal data is not included in the package.", "1 Prospect Street"),
  zipCode: text("Postal code.", "02912"),
  city: text("City.", "Providence"),
  country: text("Country as ISO 3166 code or English name.", "US"),
});
export type Author = Static<typeof Author>;

export const Title = object("Title", "A further title of the dataset.", {
  title: Type.String({ maxLength: 2_000, description: "The title.", examples: ["Gerstenwurzelbilder 2026"] }),
  titleType: term("Kind of title. The default is `AlternativeTitle`.", titleTypes, "TranslatedTitle"),
  language: languageOfText,
});
export type Title = Static<typeof Title>;

export const Description = object("Description", "A further description of the dataset.", {
  description: Type.String({
    maxLength: LONGEST_DESCRIPTION,
    description: "The text.",
    examples: ["Roots were photographed weekly in rhizotrons with a camera at a distance of 40 cm."],
  }),
  descriptionType: term("What the text describes. The default is `Other`.", descriptionTypes, "Methods"),
  language: languageOfText,
});
export type Description = Static<typeof Description>;

export const Contact = object("Contact", "Whom to ask about the dataset.", {
  name: text("Name of the person or office.", "Data office"),
  email: requiredText("Mail address.", "data@example.org"),
  public: Type.Optional(
    Type.Boolean({
      description: "Whether the contact is part of public metadata and packages. The default is `false`.",
      examples: [true],
    }),
  ),
});
export type Contact = Static<typeof Contact>;

export const SubjectTerm = object("SubjectTerm", "A subject from a controlled vocabulary.", {
  subject: Type.String({ maxLength: 1_000, description: "The term.", examples: ["barley"] }),
  subjectScheme: text("Name of the vocabulary.", "AGROVOC"),
  schemeUri: text("Web address of the vocabulary.", "https://aims.fao.org/aos/agrovoc"),
  valueUri: text("Web address of the term.", "http://aims.fao.org/aos/agrovoc/c_823"),
  classificationCode: text("Code of the term in the vocabulary.", "c_823"),
  language: languageOfText,
});
export type SubjectTerm = Static<typeof SubjectTerm>;

export const FundingReference = object("FundingReference", "Funding of the work from which the dataset results.", {
  funderName: requiredText("Name of the funder.", "European Commission"),
  funderIdentifier: text(
    "Identifier of the funder: a ROR id, a Crossref Funder id, an ISNI or a GRID id.",
    "https://ror.org/00k4n6c32",
  ),
  funderIdentifierType: term(
    "Type of the identifier; needed only if the service does not recognise it.",
    funderIdentifierTypes,
    "ROR",
  ),
  awardNumber: text("Number of the grant.", "101017502"),
  awardTitle: text("Title of the grant or project.", "Phenotyping of crops"),
  awardUri: text("Web address of the grant.", "https://cordis.europa.eu/project/id/101017502"),
});
export type FundingReference = Static<typeof FundingReference>;

export const RelatedIdentifier = object(
  "RelatedIdentifier",
  "A related publication, dataset, program or other resource, with an identifier, a citation, or both.",
  {
    relationType: requiredTerm("How the dataset relates to the resource.", relationTypes, "IsDescribedBy"),
    relatedIdentifier: text("Identifier of the resource, for example its DOI or web address.", "10.1234/abcd"),
    relatedIdentifierType: term(
      "Type of the identifier; needed only if the service does not recognise it.",
      identifierTypes,
      "DOI",
    ),
    resourceTypeGeneral: term("Kind of resource.", resourceTypes, "JournalArticle"),
    citation: text("The resource as it is cited.", "Carberry J (2026): Roots of barley. Journal of Psychoceramics 5."),
  },
);
export type RelatedIdentifier = Static<typeof RelatedIdentifier>;

export const MetadataDate = object("MetadataDate", "A date or period of the data.", {
  date: requiredText(
    "Year, month, day, or two of them with a slash between: `2024`, `2024-05`, `2024-05-17`, `2024-05/2024-07`, `2024/` (open end); before the common era `-0499` or `500 BCE`.",
    "2026-05-04/2026-07-27",
  ),
  dateType: requiredTerm("What happened at this time.", dateTypes, "Collected"),
  dateInformation: text("Explanation.", "Field season"),
});
export type MetadataDate = Static<typeof MetadataDate>;

export const GeoLocationPoint = object("GeoLocationPoint", "A point, in degrees of WGS 84.", {
  pointLatitude: coordinate("Latitude, −90 to 90; also as text such as `51° 49′ N`.", 51.8267),
  pointLongitude: coordinate("Longitude, −180 to 180; also as text.", 11.2799),
});
export type GeoLocationPoint = Static<typeof GeoLocationPoint>;

export const GeoLocationBox = object("GeoLocationBox", "An area between two meridians and two parallels.", {
  westBoundLongitude: coordinate("Western longitude.", 11.2),
  eastBoundLongitude: coordinate("Eastern longitude.", 11.4),
  southBoundLatitude: coordinate("Southern latitude.", 51.8),
  northBoundLatitude: coordinate("Northern latitude.", 51.9),
});
export type GeoLocationBox = Static<typeof GeoLocationBox>;

export const GeoLocation = object(
  "GeoLocation",
  "A place that the data are about: a name, a point, an area, or several.",
  {
    geoLocationPlace: text("Name of the place.", "Gatersleben, Germany"),
    geoLocationPoint: Type.Optional(GeoLocationPoint),
    geoLocationBox: Type.Optional(GeoLocationBox),
  },
);
export type GeoLocation = Static<typeof GeoLocation>;

export const AlternateIdentifier = object("AlternateIdentifier", "An identifier of the same dataset elsewhere.", {
  alternateIdentifier: Type.String({
    maxLength: 1_000,
    description: "The identifier.",
    examples: ["PRJEB12345"],
  }),
  alternateIdentifierType: text("Kind of identifier.", "ENA accession number"),
});
export type AlternateIdentifier = Static<typeof AlternateIdentifier>;

export const PartLicense = object("PartLicense", "A licence that applies to a part of the dataset.", {
  license: requiredText("Licence, in the same forms as `license` of the dataset.", "MIT"),
  appliesTo: text("The part, such as `code` or `documentation`.", "code"),
});
export type PartLicense = Static<typeof PartLicense>;

export const Metadata = object(
  "Metadata",
  "The description of the dataset and its authors; at most 4 MiB as compact JSON in UTF-8.",
  {
    title: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Title of the dataset.",
      examples: ["Barley root images, field season 2026"],
    }),
    description: longText(
      "Description of the data: content, method and purpose. 50 to 5,000 characters are recommended for search engines.",
      "Photographs of barley roots taken weekly from May to July 2026 in the greenhouses of the institute",
    ),
    authors: Type.Array(Author, {
      minItems: 1,
      maxItems: 10_000,
      description: "Authors and contributors. Creators are cited in this order.",
    }),
    language: text("Language of the data as BCP 47 tag, ISO 639 code or English name.", "en"),
    subjects: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000 }), {
        maxItems: 1_000,
        description: "Keywords.",
        examples: [["barley", "phenotyping"]],
      }),
    ),
    license: text("Licence as SPDX id or expression, web address, or common name such as `CC BY 4.0`.", "CC-BY-4.0"),
    embargoDate: text(
      "Date as `YYYY-MM-DD` on which an embargo of the files ends. A request for publication proposes it.",
      "2027-06-30",
    ),
    titles: list(Title, 100, "Subtitle, translated and alternative titles."),
    descriptions: list(Description, 100, "Further descriptions: methods, technical information, translations."),
    contact: Type.Optional(Contact),
    subjectTerms: list(SubjectTerm, 1_000, "Subjects from controlled vocabularies."),
    fundingReferences: list(FundingReference, 1_000, "Funders and grants."),
    relatedIdentifiers: list(RelatedIdentifier, 1_000, "Related publications, datasets and programs."),
    dates: list(MetadataDate, 100, "When the data were collected or created, or are valid."),
    geoLocations: list(GeoLocation, 1_000, "Places that the data are about."),
    resourceTypeGeneral: term("Kind of dataset. The default is `Dataset`.", resourceTypes, "Image"),
    resourceType: text("More exact kind, in your own words.", "Root images"),
    alternateIdentifiers: list(AlternateIdentifier, 100, "Identifiers of the same dataset elsewhere."),
    versionLabel: text("Your own name of this version. Without it, the version is its number.", "2026.1"),
    licenses: list(PartLicense, 100, "Licences of parts of the dataset, if they differ from `license`."),
    acknowledgements: longText("Whom you thank.", "We thank the gardeners of the institute."),
    fields: Type.Optional(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object(
          {},
          {
            title: "Fields",
            additionalProperties: true,
            description:
              "Values of fields that the operator has defined, by the name of their group. `GET /field-groups` lists the groups.",
            examples: [{ plants: { organism: "Hordeum vulgare", plants: 96 } }],
          },
        ),
      ),
    ),
  },
);
export type Metadata = Static<typeof Metadata>;

import { type Static, Type } from "typebox";
import { roles } from "./roles.ts";

/** The schema of the metadata as sent. Unknown members are kept and cause a warning. */

const text = (description: string, ...examples: string[]) =>
  Type.Optional(Type.String({ maxLength: 1_000, description, examples }));

export const Author = Type.Object(
  {
    role: text(
      "Role: `Creator`, `Contributor` or a contributor type of DataCite. At least one author must be a `Creator`.",
      ...roles,
    ),
    orcid: text("ORCID iD, with or without `https://orcid.org/`.", "0000-0002-1825-0097"),
    firstName: text("Given names.", "Josiah"),
    lastName: text("Family name.", "Carberry"),
    affiliation: text("Name of the institution.", "Brown University"),
    rorid: text("ROR id of the institution, with or without `https://ror.org/`.", "https://ror.org/05gq02987"),
    address: text("Postal address. Postal data is not included in the package.", "1 Prospect Street"),
    zipCode: text("Postal code.", "02912"),
    city: text("City.", "Providence"),
    country: text("Country as ISO 3166 code or English name.", "US"),
  },
  {
    title: "Author",
    additionalProperties: true,
    description: "A person or organisation that created the dataset or contributed to it.",
  },
);
export type Author = Static<typeof Author>;

export const Metadata = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Title of the dataset.",
      examples: ["Barley root images, field season 2026"],
    }),
    description: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description:
          "Description of the data: content, method and purpose. 50 to 5,000 characters are recommended for search engines.",
        examples: [
          "Photographs of barley roots taken weekly from May to July 2026 in the greenhouses of the institute",
        ],
      }),
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
    embargoDate: text("Date as `YYYY-MM-DD`. The data should not be published earlier.", "2027-06-30"),
  },
  {
    title: "Metadata",
    additionalProperties: true,
    description: "The description of the dataset and its authors; at most 4 MiB as compact JSON in UTF-8.",
  },
);
export type Metadata = Static<typeof Metadata>;

import { type Static, Type } from "typebox";
import { roles } from "./roles.ts";

/** The shape of the metadata as sent. Unknown members are kept and warned about. */

const text = (description: string, ...examples: string[]) =>
  Type.Optional(Type.String({ maxLength: 1_000, description, examples }));

export const Author = Type.Object(
  {
    role: text(
      "`Creator`, `Contributor` or a contributor type of DataCite; at least one author is a Creator.",
      ...roles,
    ),
    orcid: text("ORCID iD, bare or as a URL.", "0000-0002-1825-0097"),
    firstName: text("Given names.", "Josiah"),
    lastName: text("Family name.", "Carberry"),
    affiliation: text("Name of the institution.", "Brown University"),
    rorid: text("ROR id of the institution, bare or as a URL.", "https://ror.org/05gq02987"),
    address: text("Postal address. Like all postal data it never reaches the package’s metadata.", "1 Prospect Street"),
    zipCode: text("Postal code.", "02912"),
    city: text("City.", "Providence"),
    country: text("ISO 3166 code or English name.", "US"),
  },
  { title: "Author", additionalProperties: true, description: "Somebody who made or contributed to the dataset." },
);
export type Author = Static<typeof Author>;

export const Metadata = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "What the dataset is called.",
      examples: ["Barley root images, field season 2026"],
    }),
    description: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description:
          "What the data are, how they were made, what they are good for. Search engines want 50 to 5,000 characters.",
        examples: [
          "Photographs of barley roots taken weekly from May to July 2026 in the greenhouses of the institute.",
        ],
      }),
    ),
    authors: Type.Array(Author, {
      minItems: 1,
      maxItems: 10_000,
      description: "In the order in which they are to be cited.",
    }),
    language: text("BCP 47 tag, ISO 639 code or English name of the data’s language.", "en"),
    subjects: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000 }), {
        maxItems: 1_000,
        description: "Keywords.",
        examples: [["barley", "phenotyping"]],
      }),
    ),
    license: text("SPDX id or expression, web address, or a usual spelling such as `CC BY 4.0`.", "CC-BY-4.0"),
    embargoDate: text("The day on which the data may be published, `YYYY-MM-DD`.", "2027-06-30"),
  },
  {
    title: "Metadata",
    additionalProperties: true,
    description: "What the dataset is and who made it: at most 4 MiB as compact JSON in UTF-8.",
  },
);
export type Metadata = Static<typeof Metadata>;

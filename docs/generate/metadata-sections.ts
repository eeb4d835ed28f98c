import { roles } from "../../packages/rules/src/index.ts";
import { inWords } from "./schemas.ts";

/** A section of docs/metadata.md: the members of a schema, with text before and after them. */
interface Section {
  /** The title of the schema. */
  schema: string;
  title: string;
  text: string;
  notes?: string;
}

const ROLES = inWords(
  roles.map((role) => `\`${role}\``),
  "or",
);

/** The sections after that of the dataset, in the order of the page. */
export const metadataSections: readonly Section[] = [
  {
    schema: "Author",
    title: "Authors",
    text: "Creators are cited in the given order. All other people and organisations have another role.",
    notes: `

- **Role**: ${ROLES}.
  Upper and lower case, spaces and hyphens do not matter. The default is \`Contributor\`. Other values are kept and cause a warning
  (\`role_unknown\`). \`Contributor\` and unknown roles become \`Other\` in DataCite.
- **Organisations** (a hosting institution, a sponsor) have the \`nameType\` \`Organizational\` and a \`name\`. Without \`nameType\`,
  an author with an \`affiliation\` and without a name or ORCID iD is an organisation, too.
- **Affiliation and ROR id** describe the same institution, by name and by identifier. An invalid \`rorid\` causes
  a warning. Packages and exports omit it; only the log of the dataset contains it.
- **Postal data** (\`address\`, \`zipCode\`, \`city\`, \`country\`) are personal data. Only users with access to the submission see
  them. They are not part of packages and exports.`,
  },
  {
    schema: "Affiliation",
    title: "Affiliations",
    text: "For an author with several institutions. `affiliation` and `rorid` of the author are the first one.",
  },
  { schema: "Title", title: "Further titles", text: "The main title is `title` of the dataset." },
  {
    schema: "Description",
    title: "Further descriptions",
    text: "The main description is `description` of the dataset. Methods are best described here.",
  },
  {
    schema: "Contact",
    title: "Contact",
    text: "Only users with access to the submission see a contact that is not public.",
  },
  {
    schema: "SubjectTerm",
    title: "Subject terms",
    text: "Keywords without a vocabulary belong to `subjects`.",
  },
  { schema: "FundingReference", title: "Funding references", text: "The name of the funder is required." },
  {
    schema: "RelatedIdentifier",
    title: "Related resources",
    text: "The relation, and an identifier or a citation are required. The service adds relations between versions itself.",
  },
  {
    schema: "MetadataDate",
    title: "Dates",
    text: "Date and type are required. The service adds the dates of submission and availability itself.",
  },
  { schema: "GeoLocation", title: "Places", text: "A name, a point or an area is required." },
  { schema: "GeoLocationPoint", title: "Points", text: "Both coordinates are required." },
  {
    schema: "GeoLocationBox",
    title: "Areas",
    text: "All coordinates are required. If the area crosses the 180th meridian, the western longitude is greater than the eastern one.",
  },
  {
    schema: "AlternateIdentifier",
    title: "Alternate identifiers",
    text: "The type of a DOI, a web address and the like is recognised. For other identifiers without a type it is `Local`.",
  },
  {
    schema: "PartLicense",
    title: "Licences of parts",
    text: "`license` of the dataset applies to everything else.",
  },
];

import { Type } from "typebox";
import { dateTypes, descriptionTypes, resourceTypes, titleTypes } from "../../../packages/rules/src/index.ts";
import { count, nullable, time } from "./basics.ts";
import { PlaceView, PublicationStateName } from "./publication.ts";

const Language = Type.Optional(Type.String({ description: "Language of the text (BCP 47), if it is stated." }));

/** The metadata that every reviewer sees. */
const ReviewMetadata = Type.Object(
  {
    title: Type.String({ description: "Title of the dataset." }),
    description: Type.Optional(Type.String({ description: "Description of the dataset." })),
    titles: Type.Optional(
      Type.Array(
        Type.Object(
          {
            title: Type.String({ description: "Title." }),
            titleType: Type.Enum(titleTypes, { description: "Type of the title." }),
            language: Language,
          },
          { title: "ReviewTitle", description: "A further title." },
        ),
        { description: "Further titles." },
      ),
    ),
    descriptions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            description: Type.String({ description: "Text." }),
            descriptionType: Type.Enum(descriptionTypes, { description: "Type of the description." }),
            language: Language,
          },
          { title: "ReviewDescription", description: "A further description." },
        ),
        { description: "Further descriptions." },
      ),
    ),
    subjects: Type.Array(Type.String(), { description: "Keywords." }),
    subjectTerms: Type.Optional(
      Type.Array(
        Type.Object(
          { subject: Type.String({ description: "Name of the term." }), language: Language },
          { title: "ReviewSubjectTerm", description: "A term from a vocabulary." },
        ),
        { description: "Terms from vocabularies." },
      ),
    ),
    dates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            date: Type.String({ description: "Date or period." }),
            dateType: Type.Enum(dateTypes, { description: "Type of the date." }),
          },
          { title: "ReviewDate", description: "A date of the dataset." },
        ),
        { description: "Dates of the dataset." },
      ),
    ),
    embargoDate: Type.Optional(Type.String({ description: "End of the embargo (YYYY-MM-DD)." })),
    resourceTypeGeneral: Type.Optional(Type.Enum(resourceTypes, { description: "Type of the resource." })),
    language: Language,
    license: Type.Optional(
      Type.Object(
        {
          spdx: Type.Optional(Type.String({ description: "SPDX id or expression." })),
          name: Type.String({ description: "Name of the licence." }),
          url: Type.Optional(Type.String({ description: "Address of the licence." })),
        },
        { title: "ReviewLicence", description: "The licence, if it is an SPDX licence." },
      ),
    ),
  },
  { title: "ReviewMetadata", description: "Metadata that describe the data, without people and institutions." },
);

export const Named = Type.Object(
  {
    people: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: "Name of the person or organisation." }),
          role: Type.String({ description: "Role, such as `Creator`." }),
          orcid: nullable(Type.String(), "ORCID iD as a URL."),
          affiliations: Type.Array(Type.String(), { description: "Names of the institutions." }),
        },
        { title: "ReviewPerson", description: "A creator or contributor." },
      ),
      { description: "Creators and contributors." },
    ),
    publisher: Type.String({ description: "The repository." }),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description: "All other metadata, as they will be published.",
    }),
  },
  { title: "ReviewNames", description: "Metadata that name people and institutions." },
);

export const Commitment = Type.Object(
  {
    sha512: Type.String({
      pattern: "^[0-9a-f]{128}$",
      description:
        "SHA-512 of the inventory, which has the digests of all files and metadata. After publication, the publication record names the digest of the reviewed version.",
    }),
    metadataRevision: Type.Integer({ minimum: 1, description: "Number of the metadata revision." }),
    since: time("Since when the version has this state."),
  },
  { title: "DigestCommitment", description: "A digest that commits to the files and metadata of a version." },
);

export const ReviewView = Type.Object(
  {
    anonymous: Type.Boolean({ description: "Whether the view excludes people and institutions." }),
    expiresAt: time("Time until which the link can be used."),
    state: PublicationStateName,
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
    metadata: ReviewMetadata,
    named: nullable(Named, "Null in an anonymous view."),
    files: Type.Object(
      {
        number: count("Number of files of the dataset that the view contains."),
        bytes: count("Their total size in bytes."),
        leftOut: count("Number of files that describe the dataset and are excluded from an anonymous view."),
      },
      { title: "ReviewTotals", description: "Number and size of the files." },
    ),
    commitment: Commitment,
    earlierCommitments: Type.Array(Commitment, {
      description: "Digests before the metadata were changed, newest first. The files are the same.",
    }),
  },
  { title: "Review", description: "A version of a dataset, as reviewers see it." },
);

export const ReviewFileView = Type.Object(
  {
    path: Type.String({ description: "Path of the file." }),
    bytes: count("Size in bytes."),
    sha512: Type.String({ description: "SHA-512 in lower-case hex." }),
  },
  { title: "ReviewFile", description: "A file of the dataset." },
);

export const ReviewerLinkView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the link, not its secret." }),
    version: Type.Integer({ minimum: 1, description: "Version that the link opens." }),
    label: Type.String({ description: "Label for the owner and curators; can be empty. Reviewers do not see it." }),
    anonymous: Type.Boolean({ description: "Whether the view excludes people and institutions." }),
    state: Type.Enum(["usable", "expired", "revoked"], { description: "Whether the link can be used." }),
    createdBy: Type.String({ description: "Who created the link." }),
    createdAt: time("Time of creation."),
    expiresAt: time("Time until which the link can be used."),
    revokedAt: nullable(Type.String({ format: "date-time" }), "Time of revocation; null if it was not revoked."),
    revokedBy: nullable(Type.String(), "Who revoked the link; null if it was not revoked."),
    visits: count("How often the view was opened. Nothing about visitors is stored."),
    lastVisitAt: nullable(Type.String({ format: "date-time" }), "Time of the last visit; null before the first."),
    filesLeftOut: count("Number of files that describe the dataset and are excluded from an anonymous view."),
  },
  { title: "ReviewerLink", description: "A link with which people without an account read a version of a dataset." },
);

const TellingView = Type.Object(
  {
    kind: Type.Enum(["name", "email", "orcid", "link", "excluded"], {
      description:
        "`name`: a person, institution or funder of the metadata is named. `email`, `orcid`, `link`: such a text can lead to people. `excluded`: the file is excluded from the view.",
    }),
    text: Type.String({ description: "The name as the metadata state it, the passage, or the name of the file." }),
    place: PlaceView,
  },
  { title: "AnonymityFinding", description: "What of an anonymous view can tell who made the dataset." },
);

export const NewReviewerLink = Type.Object(
  {
    ...ReviewerLinkView.properties,
    url: Type.String({
      description:
        "Address for reviewers. It contains the secret after `#`, which browsers do not send to servers. It is returned only once.",
    }),
    findings: Type.Array(TellingView, {
      description: "For an anonymous link: places to check before the address is sent; the first 200.",
    }),
    findingsTotal: count("Number of these places."),
  },
  { title: "NewReviewerLink", description: "A reviewer link with its address." },
);

import { Type } from "typebox";
import { dateTypes, descriptionTypes, resourceTypes, titleTypes } from "../../../packages/rules/src/index.ts";
import { count, flag, list, nullable, object, text, textOrNull, time, timeOrNull, uuid } from "./basics.ts";
import { PagePartsView } from "./page-parts.ts";
import { PlaceView, PublicationStateName } from "./publication.ts";

const Language = Type.Optional(text("Language of the text (BCP 47), if it is stated."));

/** The metadata that every reviewer sees. */
const ReviewMetadata = object("ReviewMetadata", "Metadata that describe the data, without people and institutions.", {
  title: text("Title of the dataset."),
  description: Type.Optional(text("Description of the dataset.")),
  titles: Type.Optional(
    list(
      object("ReviewTitle", "A further title.", {
        title: text("Title."),
        titleType: Type.Enum(titleTypes, { description: "Type of the title." }),
        language: Language,
      }),
      "Further titles.",
    ),
  ),
  descriptions: Type.Optional(
    list(
      object("ReviewDescription", "A further description.", {
        description: text("Text."),
        descriptionType: Type.Enum(descriptionTypes, { description: "Type of the description." }),
        language: Language,
      }),
      "Further descriptions.",
    ),
  ),
  subjects: list(Type.String(), "Keywords."),
  subjectTerms: Type.Optional(
    list(
      object("ReviewSubjectTerm", "A term from a vocabulary.", {
        subject: text("Name of the term."),
        language: Language,
      }),
      "Terms from vocabularies.",
    ),
  ),
  dates: Type.Optional(
    list(
      object("ReviewDate", "A date of the dataset.", {
        date: text("Date or period."),
        dateType: Type.Enum(dateTypes, { description: "Type of the date." }),
      }),
      "Dates of the dataset.",
    ),
  ),
  embargoDate: Type.Optional(text("End of the embargo (YYYY-MM-DD).")),
  resourceTypeGeneral: Type.Optional(Type.Enum(resourceTypes, { description: "Type of the resource." })),
  language: Language,
  license: Type.Optional(
    object("ReviewLicence", "The licence, if it is an SPDX licence.", {
      spdx: Type.Optional(text("SPDX id or expression.")),
      name: text("Name of the licence."),
      url: Type.Optional(text("Address of the licence.")),
    }),
  ),
});

export const Named = object("ReviewNames", "Metadata that name people and institutions.", {
  people: list(
    object("ReviewPerson", "A creator or contributor.", {
      name: text("Name of the person or organisation."),
      role: text("Role, such as `Creator`."),
      orcid: textOrNull("ORCID iD as a URL."),
      affiliations: list(Type.String(), "Names of the institutions."),
    }),
    "Creators and contributors.",
  ),
  publisher: text("The repository."),
  metadata: Type.Record(Type.String(), Type.Unknown(), {
    description: "All other metadata, as they will be published.",
  }),
});

export const Commitment = object("DigestCommitment", "A digest that commits to the files and metadata of a version.", {
  sha512: Type.String({
    pattern: "^[0-9a-f]{128}$",
    description:
      "SHA-512 of the inventory, which has the digests of all files and metadata. After publication, the publication record names the digest of the reviewed version.",
  }),
  metadataRevision: Type.Integer({ minimum: 1, description: "Number of the metadata revision." }),
  since: time("Since when the version has this state."),
});

export const ReviewView = object("Review", "A version of a dataset, as reviewers see it.", {
  page: PagePartsView,
  anonymous: flag("Whether the view excludes people and institutions."),
  expiresAt: time("Time until which the link can be used."),
  state: PublicationStateName,
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
  metadata: ReviewMetadata,
  named: nullable(Named, "Null in an anonymous view."),
  files: object("ReviewTotals", "Number and size of the files.", {
    number: count("Number of files of the dataset that the view contains."),
    bytes: count("Their total size in bytes."),
    leftOut: count("Number of files that describe the dataset and are excluded from an anonymous view."),
  }),
  commitment: Commitment,
  earlierCommitments: list(
    Commitment,
    "Digests before the metadata were changed, newest first. The files are the same.",
  ),
});

export const ReviewFileView = object("ReviewFile", "A file of the dataset.", {
  path: text("Path of the file."),
  bytes: count("Size in bytes."),
  sha512: text("SHA-512 in lower-case hex."),
});

export const ReviewerLinkView = object(
  "ReviewerLink",
  "A link with which people without an account read a version of a dataset.",
  {
    id: uuid("Id of the link, not its secret."),
    version: Type.Integer({ minimum: 1, description: "Version that the link opens." }),
    label: text("Label for the owner and curators; can be empty. Reviewers do not see it."),
    anonymous: flag("Whether the view excludes people and institutions."),
    state: Type.Enum(["usable", "expired", "revoked"], { description: "Whether the link can be used." }),
    createdBy: text("Who created the link."),
    createdAt: time("Time of creation."),
    expiresAt: time("Time until which the link can be used."),
    revokedAt: timeOrNull("Time of revocation; null if it was not revoked."),
    revokedBy: textOrNull("Who revoked the link; null if it was not revoked."),
    visits: count("How often the view was opened. Nothing about visitors is stored."),
    lastVisitAt: timeOrNull("Time of the last visit; null before the first."),
    filesLeftOut: count("Number of files that describe the dataset and are excluded from an anonymous view."),
  },
);

const TellingView = object("AnonymityFinding", "What of an anonymous view can tell who made the dataset.", {
  kind: Type.Enum(["name", "email", "orcid", "link", "excluded"], {
    description:
      "`name`: a person, institution or funder of the metadata is named. `email`, `orcid`, `link`: such a text can lead to people. `excluded`: the file is excluded from the view.",
  }),
  text: text("The name as the metadata state it, the passage, or the name of the file."),
  place: PlaceView,
});

export const NewReviewerLink = object("NewReviewerLink", "A reviewer link with its address.", {
  ...ReviewerLinkView.properties,
  url: text(
    "Address for reviewers. It contains the secret after `#`, which browsers do not send to servers. It is returned only once.",
  ),
  findings: list(TellingView, "For an anonymous link: places to check before the address is sent; the first 200."),
  findingsTotal: count("Number of these places."),
});

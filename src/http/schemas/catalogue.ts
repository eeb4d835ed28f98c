import { Type } from "typebox";
import { ACCESS_KINDS } from "../../../packages/rules/src/index.ts";
import { MATCHED_PARTS, TERM_KINDS } from "../../public/catalogue/entry.ts";
import { IdentifierType, list, object, text, textOrNull, time, uuid } from "./basics.ts";

export const PublishedDataset = object("PublishedDataset", "A published dataset in the catalogue.", {
  id: uuid("Id of the dataset."),
  url: text("Landing page."),
  identifier: text("Persistent identifier of the version: a DOI as URL, or a URN."),
  identifierType: IdentifierType,
  version: Type.Integer({ description: "Number of the newest published version." }),
  versionLabel: text("The submitter’s name of the version, or its number."),
  title: text("Title."),
  creators: list(Type.String(), "Names of the first ten creators."),
  creatorCount: Type.Integer({ description: "Number of all creators." }),
  description: text("The first 2,000 characters of the description."),
  keywords: list(Type.String(), "The first twenty keywords."),
  year: text("Year of publication, as in citations."),
  licence: textOrNull("Name of the licence."),
  resourceType: text("General resource type of DataCite."),
  access: Type.Enum(ACCESS_KINDS, { description: "Access to the files now." }),
  embargoDate: textOrNull("Day on which the files become open (`YYYY-MM-DD`, UTC); null without an embargo in force."),
  publishedAt: time("Time of publication."),
  changedAt: time("Last change of the public metadata."),
  objects: Type.Integer({ description: "Number of files." }),
  bytes: Type.Integer({ description: "Size of the files in bytes." }),
  matchedIn: list(
    Type.Enum(MATCHED_PARTS),
    "Where words of the search text were found: in the title, in names of people or keywords, in other metadata, or in names of open files. Empty without a search text.",
  ),
});

const CatalogueFacet = object("CatalogueFacet", "A value by which a search can be narrowed down.", {
  kind: Type.Enum([...TERM_KINDS, "access"], {
    description: "The query parameter that restricts a search to the value.",
  }),
  value: text("Value of the query parameter."),
  label: text("Name for people."),
  datasets: Type.Integer({ description: "Number of found datasets with this value." }),
  isEstimated: Type.Boolean({
    description: "Whether the number is estimated from a part of the found datasets, because they are many.",
  }),
});

export const Catalogue = object("Catalogue", "Published datasets that a search has found.", {
  total: Type.Integer({ description: "Number of found datasets." }),
  datasets: list(PublishedDataset, "This page of the found datasets."),
  facets: list(
    CatalogueFacet,
    "The most frequent values of each kind. For a kind with chosen values: as if none were chosen. Empty unless `facets=true`.",
  ),
  matches: list(Type.String(), "Words of this page that match the search text, in lower case and without diacritics."),
});

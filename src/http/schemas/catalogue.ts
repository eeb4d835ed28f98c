import { Type } from "typebox";
import { ACCESS_KINDS } from "../../../packages/rules/src/index.ts";
import { TERM_KINDS } from "../../public/catalogue/entry.ts";
import { IdentifierType, nullable, time } from "./basics.ts";

export const PublishedDataset = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    url: Type.String({ description: "Landing page." }),
    identifier: Type.String({ description: "Persistent identifier of the version: a DOI as URL, or a URN." }),
    identifierType: IdentifierType,
    version: Type.Integer({ description: "Number of the newest published version." }),
    versionLabel: Type.String({ description: "The submitter’s name of the version, or its number." }),
    title: Type.String({ description: "Title." }),
    creators: Type.Array(Type.String(), { description: "Names of the first ten creators." }),
    creatorCount: Type.Integer({ description: "Number of all creators." }),
    description: Type.String({ description: "The first 2,000 characters of the description." }),
    keywords: Type.Array(Type.String(), { description: "The first twenty keywords." }),
    year: Type.String({ description: "Year of publication, as in citations." }),
    licence: nullable(Type.String(), "Name of the licence."),
    resourceType: Type.String({ description: "General resource type of DataCite." }),
    access: Type.Enum(ACCESS_KINDS, { description: "Access to the files now." }),
    embargoDate: nullable(
      Type.String(),
      "Day on which the files become open (`YYYY-MM-DD`, UTC); null without an embargo in force.",
    ),
    publishedAt: time("Time of publication."),
    changedAt: time("Last change of the public metadata."),
    objects: Type.Integer({ description: "Number of files." }),
    bytes: Type.Integer({ description: "Size of the files in bytes." }),
  },
  { title: "PublishedDataset", description: "A published dataset in the catalogue." },
);

const CatalogueFacet = Type.Object(
  {
    kind: Type.Enum([...TERM_KINDS, "access"], {
      description: "The query parameter that restricts a search to the value.",
    }),
    value: Type.String({ description: "Value of the query parameter." }),
    label: Type.String({ description: "Name for people." }),
    datasets: Type.Integer({ description: "Number of found datasets with this value." }),
  },
  { title: "CatalogueFacet", description: "A value by which a search can be narrowed down." },
);

export const Catalogue = Type.Object(
  {
    total: Type.Integer({ description: "Number of found datasets." }),
    datasets: Type.Array(PublishedDataset, { description: "This page of the found datasets." }),
    facets: Type.Array(CatalogueFacet, {
      description:
        "The ten most frequent values of each kind. For a kind with chosen values: as if none were chosen. Empty unless `facets=true`.",
    }),
    matches: Type.Array(Type.String(), {
      description: "Words of this page that match the search text, in lower case and without diacritics.",
    }),
  },
  { title: "Catalogue", description: "Published datasets that a search has found." },
);

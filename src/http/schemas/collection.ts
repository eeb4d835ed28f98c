import { Type } from "typebox";
import { COLLECTION_ID } from "../../domain/collection.ts";
import { DATASET } from "../openapi/examples.ts";
import { closedObject, count, list, object, text, time } from "./basics.ts";

const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 10_000;
const MOST_CURATORS = 100;
const MOST_LICENCES = 100;

const localText = (title: string, description: string, { min, max }: { min: number; max: number }) =>
  closedObject(title, description, {
    en: Type.String({ minLength: min, maxLength: max, description: "English text." }),
    de: Type.Optional(Type.String({ maxLength: max, description: "German text. Missing: the English one is shown." })),
  });

const EXAMPLE = "barley";

/** The name of a collection. */
export const CollectionName = localText("CollectionName", "Name by language.", { min: 1, max: LONGEST_NAME });
const DESCRIPTION = localText("CollectionDescription", "Description by language; can contain simple HTML markup.", {
  min: 0,
  max: LONGEST_DESCRIPTION,
});
const CURATORS =
  "Account names of the curators who decide which datasets belong to the collection. Empty: all curators.";
const LICENCES = "SPDX ids of the licences that the collection accepts. Empty: all.";

/** What admins decide about a collection. */
export const CollectionContent = closedObject("CollectionContent", "What admins decide about a collection.", {
  name: CollectionName,
  description: Type.Optional(DESCRIPTION),
  curators: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: MOST_CURATORS, description: CURATORS }),
  ),
  licences: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MOST_LICENCES, description: LICENCES }),
  ),
});

export const CollectionView = object("Collection", "A collection of datasets.", {
  id: text("Id of the collection."),
  url: text("Page of the collection."),
  name: CollectionName,
  description: DESCRIPTION,
  licences: list(Type.String(), LICENCES),
  datasets: count("Number of its datasets that are published now."),
  changedAt: time("Time of the last change of the collection itself."),
  curators: Type.Optional(list(Type.String(), `${CURATORS} For curators and admins.`)),
});

export const CollectionParams = Type.Object({
  id: Type.String({ description: "Id of the collection.", examples: [EXAMPLE] }),
});

/** The path of a collection that may be new. */
export const NewCollectionParams = Type.Object({
  id: Type.String({
    pattern: COLLECTION_ID,
    description:
      "Id of the collection: 2 to 64 lower-case letters, digits and hyphens, beginning and ending with a letter or digit. It never changes.",
    examples: [EXAMPLE],
  }),
});

export const MemberParams = Type.Object({
  ...CollectionParams.properties,
  dataset: Type.String({ description: "Id of the dataset, with or without `urn:uuid:`.", examples: [DATASET] }),
});

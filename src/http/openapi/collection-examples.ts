import type { Static } from "typebox";
import type { CollectionContent, CollectionView } from "../schemas/collection.ts";

/** Answers and requests about collections. */
export const collection = {
  id: "barley",
  url: "https://archive.example.org/collections/barley",
  name: { en: "Barley", de: "Gerste" },
  description: { en: "Field trials with barley.", de: "Feldversuche mit Gerste." },
  licences: ["CC-BY-4.0", "CC0-1.0"],
  datasets: 12,
  changedAt: "2026-11-03T09:00:00.000Z",
  curators: [],
} satisfies Static<typeof CollectionView>;

/** The beginning of a page. */
export const page = { "text/html": '<!doctype html>\n<html lang="en">\n…' };

export const collectionContent = {
  name: collection.name,
  description: collection.description,
  curators: [],
  licences: collection.licences,
} satisfies Static<typeof CollectionContent>;

import type { ProblemEntry } from "./entry.ts";

/** Problems of collections. */
export const collectionProblems = {
  collection_licence: {
    status: 409,
    title: "The collection does not accept the licence of the dataset",
    action:
      "Choose another collection, or change the licence of the dataset to one that the message names. Admins can change which licences the collection accepts.",
  },
  collection_curators: {
    status: 403,
    title: "You are not a curator of this collection",
    action: "Ask one of the curators whom the message names, or an admin.",
  },
  collection_conflict: {
    status: 412,
    title: "The collection was changed in the meantime",
    action: "Load the collection again, check the change, and repeat yours.",
  },
  too_many_collections: {
    status: 409,
    title: "The limit of collections has been reached",
    action: "Delete a collection that is no longer needed.",
  },
} as const satisfies Record<string, ProblemEntry>;

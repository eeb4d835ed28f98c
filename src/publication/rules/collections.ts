/** Actions of the entries that state that a curator has added a dataset to a collection, or removed it. */
export const ADDED_TO_COLLECTION = "added-to-collection";
export const REMOVED_FROM_COLLECTION = "removed-from-collection";

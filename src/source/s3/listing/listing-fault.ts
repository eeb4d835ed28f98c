import { inMessage } from "../../../domain/in-message.ts";

/** The document contradicts itself or the request. The message states the contradiction. */
export class ListingFault extends Error {}

/** The fault of a listing that repeats a key with another size or ETag. */
export function twoDifferent(key: string): ListingFault {
  return new ListingFault(`it lists two different objects under the key “${inMessage(key)}”`);
}

/** The fault of a listing that hides keys behind a common beginning. */
export function groups(): ListingFault {
  return new ListingFault("it groups keys, although no grouping was requested");
}

/** The document contradicts itself or the request. The message states the contradiction. */
export class ListingFault extends Error {}

/** How a webhook wants its bodies: as Standard Webhooks recommends, or as CloudEvents 1.0 in structured mode. */
export const FORMATS = ["json", "cloudevents"] as const;
export type Format = (typeof FORMATS)[number];

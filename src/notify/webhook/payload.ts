import type { EventRow } from "../../db/submissions/events.ts";
import type { Format } from "../../domain/webhook/url.ts";

export interface EventDeliveryInput {
  submission: { id: string; title: string; dataset: string | null };
  event: EventRow;
  /** The service's URL, without a trailing slash. */
  publicBaseUrl: string;
}

/** Input of a test delivery. */
interface TestDeliveryInput {
  delivery: { id: string; createdAt: Date };
  webhook: string;
  /** The service's URL, without a trailing slash. */
  publicBaseUrl: string;
}

export interface Body {
  type: string;
  text: string;
}

/** In characters. JSON needs at most six bytes for each, so a body stays below 20 kB. */
const LONGEST_TITLE = 300;
const LONGEST_MESSAGE = 1_000;
/** In bytes. */
const MOST_DETAILS = 8_000;

/**
 * The body of a delivery: as Standard Webhooks recommends (“Payload structure”), or a CloudEvent 1.0 in structured mode
 * (JSON Event Format 1.0.2, section 3). It contains only values that never change, so every try sends the same body.
 */
export function bodyOf(format: Format, input: EventDeliveryInput): Body {
  const { submission, event, publicBaseUrl } = input;
  return envelope(format, {
    id: `${submission.id}/${event.seq}`,
    source: publicBaseUrl,
    type: `submission.${event.type}`,
    subject: submission.id,
    time: event.at.toISOString(),
    data: dataOf(input),
  });
}

/** The body of a test delivery, in the same forms. */
export function testBodyOf(format: Format, { delivery, webhook, publicBaseUrl }: TestDeliveryInput): Body {
  return envelope(format, {
    id: delivery.id,
    source: publicBaseUrl,
    type: "webhook.test",
    subject: webhook,
    time: delivery.createdAt.toISOString(),
    data: { webhook, message: "This is a test delivery", links: { webhook: `${publicBaseUrl}/webhook/${webhook}` } },
  });
}

/** Context attributes of CloudEvents 1.0, and the data. */
interface Attributes {
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  data: object;
}

function envelope(format: Format, { id, source, type, subject, time, data }: Attributes): Body {
  if (format === "json") return { type: "application/json", text: JSON.stringify({ type, timestamp: time, data }) };
  const cloudEvent = { specversion: "1.0", id, source, type, subject, time, datacontenttype: "application/json", data };
  return { type: "application/cloudevents+json", text: JSON.stringify(cloudEvent) };
}

function dataOf({ submission, event, publicBaseUrl }: EventDeliveryInput): object {
  const self = `${publicBaseUrl}/submission/${submission.id}`;
  const title = cut(submission.title, LONGEST_TITLE);
  const message = cut(event.message, LONGEST_MESSAGE);
  const details = Buffer.byteLength(JSON.stringify(event.data)) > MOST_DETAILS ? null : event.data;
  const isCut = title !== submission.title || message !== event.message || details !== event.data;
  return {
    submission: submission.id,
    event: event.seq,
    attempt: event.attempt,
    title,
    message,
    details,
    ...(isCut && { cut: true }),
    links: {
      submission: self,
      // This link returns the complete event, also if details were cut here.
      event: `${self}/events?after=${event.seq - 1}&limit=1`,
      ...(event.type === "completed" && {
        receipt: `${self}/receipt`,
        dataset: `${publicBaseUrl}/dataset/${submission.dataset}`,
      }),
    },
  };
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

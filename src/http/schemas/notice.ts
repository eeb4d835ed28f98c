import { type TSchema, Type } from "typebox";
import { WEBHOOK_EVENT_TYPES } from "../../domain/submission/events.ts";
import { nullable, object, text, time, uuid } from "./basics.ts";
import {
  AccessData,
  AccessReminderData,
  CompletedData,
  DelayData,
  EmbargoData,
  MetadataChangedData,
  PublicationData,
  PublishedData,
  ReminderData,
  ReservationDelayData,
  StandstillData,
  VersionData,
  WithdrawalData,
} from "./event.ts";

/* Bodies of webhook deliveries. src/notify/webhook/payload.ts creates them, and tests check every delivery against these schemas. */

const address = (description: string) => Type.String({ format: "uri", description });

const NoticeType = Type.Enum(
  WEBHOOK_EVENT_TYPES.map((type) => `submission.${type}` as const),
  { title: "NoticeType", description: "`submission.` and the type of the event. Later versions can add types." },
);

const NoticeData = object("NoticeData", "The event and its submission.", {
  submission: uuid("Id of the submission."),
  event: Type.Integer({
    minimum: 1,
    description: "Number of the event in the event history of the submission. Events are ordered by it.",
  }),
  attempt: Type.Integer({ minimum: 1, description: "Number of the attempt." }),
  title: text("Title of the submission."),
  message: text("Human-readable description."),
  details: nullable(
    Type.Union([
      CompletedData,
      MetadataChangedData,
      PublicationData,
      AccessData,
      PublishedData,
      ReminderData,
      ReservationDelayData,
      AccessReminderData,
      DelayData,
      EmbargoData,
      VersionData,
      StandstillData,
      WithdrawalData,
    ]),
    "`data` of the event; null if it has none or if it is too long for a delivery.",
  ),
  cut: Type.Optional(
    Type.Literal(true, {
      description: "Set if texts were shortened or omitted. `links.event` has the complete event.",
    }),
  ),
  links: object("NoticeLinks", "Addresses of related resources.", {
    submission: address("Address of the submission."),
    event: address("Address of the complete event."),
    receipt: Type.Optional(address("Address of the receipt, once the submission is completed.")),
    dataset: Type.Optional(address("Address of the dataset, once the submission is completed.")),
  }),
});

/** The body in the format `json`. */
export const Notice = object("Notice", "A delivery in the payload structure of Standard Webhooks.", {
  type: NoticeType,
  timestamp: time("Time of the event."),
  data: NoticeData,
});

const TestData = object("TestData", "The webhook that is tested.", {
  webhook: uuid("Id of the webhook."),
  message: text("Human-readable description."),
  links: object("TestLinks", "Addresses of related resources.", {
    webhook: address("Address of the webhook."),
  }),
});
const TestType = Type.Literal("webhook.test", { description: "Type of a test delivery." });

/** The body of a test delivery in the format `json`. */
export const TestNotice = object("TestNotice", "A test delivery.", {
  type: TestType,
  timestamp: time("Time at which the test was requested."),
  data: TestData,
});

/** A CloudEvent 1.0 in structured mode. @param own what differs between deliveries of events and tests */
const cloudEvent = <Kind extends TSchema, Data extends TSchema>(
  title: string,
  description: string,
  own: { id: string; type: Kind; subject: string; time: string; data: Data },
) =>
  object(title, description, {
    specversion: Type.Literal("1.0", { description: "Version of the CloudEvents specification." }),
    id: text(own.id),
    source: address("Address of this service."),
    type: own.type,
    subject: uuid(own.subject),
    time: time(own.time),
    datacontenttype: Type.Literal("application/json", { description: "Media type of `data`." }),
    data: own.data,
  });

/** The body of a test delivery in the format `cloudevents`. */
export const TestCloudEvent = cloudEvent("TestCloudEvent", "A test delivery as a CloudEvent 1.0 in structured mode.", {
  ...{ id: "Id of the delivery.", subject: "Id of the webhook.", time: "Time at which the test was requested." },
  ...{ type: TestType, data: TestData },
});

/** The body in the format `cloudevents`. */
export const CloudEvent = cloudEvent("CloudEvent", "A CloudEvent 1.0 in structured mode.", {
  id: "Id of the submission, a slash, and the number of the event.",
  ...{ subject: "Id of the submission.", time: "Time of the event." },
  ...{ type: NoticeType, data: NoticeData },
});

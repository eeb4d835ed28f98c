import { Type } from "typebox";
import { WEBHOOK_EVENT_TYPES } from "../../domain/events.ts";
import { nullable, time } from "./basics.ts";
import { CompletedData, StandstillData, VersionData, WithdrawalData } from "./event.ts";

/* What webhooks are sent; src/notify/webhook/payload.ts makes it, and tests hold every delivery against this. */

const NoticeType = Type.Enum(
  WEBHOOK_EVENT_TYPES.map((type) => `submission.${type}` as const),
  { title: "NoticeType", description: "The type of the log’s entry. There can be more in a later version." },
);

const NoticeData = Type.Object(
  {
    submission: Type.String({ format: "uuid", description: "Id of the submission." }),
    event: Type.Integer({ minimum: 1, description: "Number in the submission’s log, which tells the order." }),
    attempt: Type.Integer({ minimum: 1, description: "Which attempt of the submission." }),
    title: Type.String({ description: "Of the submission." }),
    message: Type.String({ description: "For people." }),
    details: nullable(
      Type.Union([CompletedData, VersionData, StandstillData, WithdrawalData]),
      "For programs: `data` of the log’s entry. Null for none, or where they were too long.",
    ),
    cut: Type.Optional(Type.Literal(true, { description: "There where `links.event` has more than this." })),
    links: Type.Object(
      {
        submission: Type.String({ format: "uri", description: "The submission." }),
        event: Type.String({ format: "uri", description: "The log’s entry, whole." }),
        receipt: Type.Optional(Type.String({ format: "uri", description: "Once completed." })),
        dataset: Type.Optional(Type.String({ format: "uri", description: "Once completed." })),
      },
      { title: "NoticeLinks", description: "Where more of it is." },
    ),
  },
  { title: "NoticeData", description: "What happened to which submission." },
);

/** The body in the format `json`. */
export const Notice = Type.Object(
  { type: NoticeType, timestamp: time("When it happened."), data: NoticeData },
  { title: "Notice", description: "By the recommendations of Standard Webhooks (“Payload structure”)." },
);

const TestData = Type.Object(
  {
    webhook: Type.String({ format: "uuid", description: "Id of the webhook." }),
    message: Type.String({ description: "For people." }),
    links: Type.Object(
      { webhook: Type.String({ format: "uri", description: "The webhook." }) },
      { title: "TestLinks", description: "Where the webhook is described." },
    ),
  },
  { title: "TestData", description: "Which webhook is tested." },
);
const TestType = Type.Literal("webhook.test", { description: "A test delivery." });

/** The body of a test delivery in the format `json`. */
export const TestNotice = Type.Object(
  { type: TestType, timestamp: time("When the test was requested."), data: TestData },
  { title: "TestNotice", description: "A test delivery." },
);

/** The body of a test delivery in the format `cloudevents`. */
export const TestCloudEvent = Type.Object(
  {
    specversion: Type.Literal("1.0", { description: "Version of CloudEvents." }),
    id: Type.String({ description: "Id of the delivery." }),
    source: Type.String({ format: "uri", description: "This service." }),
    type: TestType,
    subject: Type.String({ format: "uuid", description: "The webhook." }),
    time: time("When the test was requested."),
    datacontenttype: Type.Literal("application/json", { description: "Media type of `data`." }),
    data: TestData,
  },
  { title: "TestCloudEvent", description: "A test delivery as a CloudEvent 1.0 in structured mode." },
);

/** The body in the format `cloudevents`. */
export const CloudEvent = Type.Object(
  {
    specversion: Type.Literal("1.0"),
    id: Type.String({ description: "The submission, and the number of the event in its log." }),
    source: Type.String({ format: "uri", description: "This service." }),
    type: NoticeType,
    subject: Type.String({ format: "uuid", description: "The submission." }),
    time: time("When it happened."),
    datacontenttype: Type.Literal("application/json"),
    data: NoticeData,
  },
  { title: "CloudEvent", description: "A CloudEvent 1.0 in structured mode." },
);

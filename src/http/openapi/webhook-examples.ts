import { DATASET, SUBMISSION } from "./examples.ts";

/** Examples of webhooks: a laboratory is notified of the submission of the other examples. */

export const WEBHOOK = {
  id: "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
  url: "https://lab.example.org/accession",
  format: "json",
  events: null,
  submission: null,
  owner: "josiah",
  publicKey: "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  oldKeysUntil: null,
  createdAt: "2026-11-01T12:00:00.000Z",
  deliveredAt: "2026-11-02T08:30:04.900Z",
  disabledAt: null,
  disabledBecause: null,
} as const;

export const NEW_WEBHOOK = { ...WEBHOOK, deliveredAt: null, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };

export const DELIVERY = {
  id: "5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24",
  submission: SUBMISSION,
  event: 9,
  type: "completed",
  status: "pending",
  attempts: 1,
  createdAt: "2026-11-02T08:30:04.100Z",
  attemptedAt: "2026-11-02T08:30:04.900Z",
  nextAttemptAt: "2026-11-03T10:00:00.000Z",
  answer: 204,
  error: null,
};

export const DELIVERED = { ...DELIVERY, status: "delivered", nextAttemptAt: null };

export const TEST_DELIVERY = {
  ...DELIVERY,
  submission: null,
  event: null,
  type: "test",
  attempts: 0,
  attemptedAt: null,
  nextAttemptAt: DELIVERY.createdAt,
  answer: null,
};

const archive = "https://archive.example.org";

export const COMPLETED_NOTICE = {
  type: "submission.completed",
  timestamp: "2026-11-02T08:30:04.100Z",
  data: {
    submission: SUBMISSION,
    event: 9,
    attempt: 1,
    title: "Soil moisture of 24 wheat plots",
    message: "The dataset is archived: 24 objects, 1.9 MiB",
    details: { dataset: DATASET, version: 1 },
    links: {
      submission: `${archive}/submission/${SUBMISSION}`,
      event: `${archive}/submission/${SUBMISSION}/events?after=8&limit=1`,
      receipt: `${archive}/submission/${SUBMISSION}/receipt`,
      dataset: `${archive}/dataset/${DATASET}`,
    },
  },
};

export const TEST_NOTICE = {
  type: "webhook.test",
  timestamp: DELIVERY.createdAt,
  data: {
    webhook: WEBHOOK.id,
    message: "This is a test delivery",
    links: { webhook: `${archive}/webhook/${WEBHOOK.id}` },
  },
};

export const WEBHOOK_HEADERS = {
  "webhook-id": DELIVERY.id,
  "webhook-timestamp": "1793608204",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhq",
};

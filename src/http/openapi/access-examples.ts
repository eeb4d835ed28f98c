import type { Static } from "typebox";
import type { AccessGrantUseView, AccessGrantView, AccessRequestView, NewAccessGrantView } from "../schemas/access.ts";
import { DATASET } from "./examples.ts";

/** Examples about access to closed files: a colleague asks for the tables of the wheat trial. */

export const GRANT = "9a4f7d0b-6a35-4e0b-8f0c-2f1de7c4b611";
export const ACCESS_REQUEST = "2d1c8a54-7b7e-4a52-9b8b-5f0a3c9de722";

export const accessGrant: Static<typeof AccessGrantView> = {
  id: GRANT,
  dataset: DATASET,
  version: 1,
  kind: "email",
  person: "ada@example.org",
  note: "For the comparison with the plots in Gatersleben",
  grantedBy: "josiah",
  createdAt: "2026-06-05T09:00:00.000Z",
  expiresAt: "2027-06-05T00:00:00.000Z",
  revokedAt: null,
  revokedBy: null,
  uses: 3,
  firstUsedAt: "2026-06-05T09:30:00.000Z",
  usedAt: "2026-06-07T16:20:00.000Z",
  inForce: true,
};

export const accessGrantUse: Static<typeof AccessGrantUseView> = {
  kind: "file",
  path: "data/measurements/plot-01.csv",
  version: 1,
  uses: 2,
  firstUsedAt: "2026-06-05T09:31:00.000Z",
  lastUsedAt: "2026-06-07T16:20:00.000Z",
};

export const newAccessGrant: Static<typeof NewAccessGrantView> = {
  ...accessGrant,
  ...{ uses: 0, firstUsedAt: null, usedAt: null, secret: null, url: null },
};

export const accessRequest: Static<typeof AccessRequestView> = {
  id: ACCESS_REQUEST,
  dataset: DATASET,
  version: 1,
  account: null,
  name: "Ada Lovelace",
  email: "ada@example.org",
  emailVerified: false,
  reason: "I would like to compare the soil moisture with our plots.",
  createdAt: "2026-06-04T09:00:00.000Z",
  state: "open",
  decidedBy: null,
  decidedAt: null,
  answer: "",
  grant: null,
};

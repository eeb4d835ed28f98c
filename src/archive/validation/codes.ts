import {
  type CodeEntry,
  type Advice as OcflAdvice,
  type OcflCode,
  advice as ocflAdvice,
  codes as ocflCodes,
} from "../../../packages/ocfl/src/index.ts";

const { nothing, ...otherAdvice } = ocflAdvice;

/** How to fix what a finding names. */
export const advice = {
  ...otherAdvice,
  finish:
    "The service completes the publication. In a folder, “accession rebuild” can also complete it. If the code is still reported after an hour, see the status of the submission of that version (“accession status ID”).",
  nothing,
} as const;

export type Advice = OcflAdvice | "finish";

/** A code with its meaning and advice. */
export interface ServiceCodeEntry extends Omit<CodeEntry, "advice"> {
  advice: Advice;
}

/** Codes of this service: for the logs and receipts beside each version, and for versions that are being published. */
const serviceCodes = {
  EL01: {
    means: "A log’s digest differs from the one in the manifest of the logs: the log or the manifest was changed",
    advice: "restore",
  },
  EL02: {
    means:
      "A file named by the manifest of the logs or by the receipt is missing, or the receipt of a version is missing",
    advice: "restore",
  },
  EL03: { means: "A log that the manifest of the logs does not name, or that belongs to no version", advice: "remove" },
  EL04: { means: "The manifest of the logs is missing or has an invalid format", advice: "restore" },
  EL05: {
    means: "A receipt is invalid: its signature, key or dataset is wrong, or the service issued a different one",
    advice: "restore",
  },
  EL06: {
    means: "A version’s inventory is not the one that its receipt was signed for: content may have been replaced",
    advice: "restore",
  },
  WL01: { means: "A version outside an archive has no logs; copies may omit them", advice: "nothing" },
  WP01: {
    means:
      "A version is being published, or its publication was interrupted; the previous version may still be visible",
    advice: "finish",
  },
} as const satisfies Record<string, ServiceCodeEntry>;

export type ServiceCode = keyof typeof serviceCodes;

/** A code of OCFL or of the service. */
export type Code = OcflCode | ServiceCode;

/** In the archive, W000 has one more meaning. */
const W000 = {
  ...ocflCodes.W000,
  means: "A remark: something was not checked, or differs from what the service writes",
};

/** Every code that a check of the archive reports, in alphabetical order. */
export const codes = Object.fromEntries(
  Object.entries({ ...ocflCodes, ...serviceCodes, W000 }).sort(([one], [other]) => (one < other ? -1 : 1)),
) as Record<Code, ServiceCodeEntry>;

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
  finish: "The service, or accession rebuild, finishes it. Where nothing does, look at the submission of that version.",
  nothing,
} as const;

export type Advice = OcflAdvice | "finish";

/** A code with its meaning and advice. */
export interface ServiceCodeEntry extends Omit<CodeEntry, "advice"> {
  advice: Advice;
}

/** Codes of the service's own: about the logs and receipts beside each version, and about versions that are being published. */
const serviceCodes = {
  EL01: {
    means: "A log’s digest differs from the one in the manifest of the logs: one of the two was changed",
    advice: "restore",
  },
  EL02: {
    means: "A file that the manifest of the logs or the receipt names is missing, or the receipt of a version is",
    advice: "restore",
  },
  EL03: { means: "A log that the manifest of the logs does not name, or that belongs to no version", advice: "remove" },
  EL04: { means: "The manifest of the logs is missing or has an invalid format", advice: "restore" },
  EL05: {
    means: "A receipt is invalid: its signature, its key or its dataset, or it is not the one that the service issued",
    advice: "restore",
  },
  EL06: {
    means: "A version’s inventory is not the one that its receipt was signed for: content may have been replaced",
    advice: "restore",
  },
  WL01: { means: "A version outside of an archive has no logs; they may be left out", advice: "nothing" },
  WP01: {
    means: "A version is being published, or that was interrupted; the one before may be what is visible",
    advice: "finish",
  },
} as const satisfies Record<string, ServiceCodeEntry>;

export type ServiceCode = keyof typeof serviceCodes;

/** A code of OCFL or of the service. */
export type Code = OcflCode | ServiceCode;

/** In the archive, W000 has one more meaning. */
const W000 = { ...ocflCodes.W000, means: "A remark: something was not checked, or is not as this archive writes it" };

/** Every code that a check of the archive reports, in alphabetical order. */
export const codes = Object.fromEntries(
  Object.entries({ ...ocflCodes, ...serviceCodes, W000 }).sort(([one], [other]) => (one < other ? -1 : 1)),
) as Record<Code, ServiceCodeEntry>;

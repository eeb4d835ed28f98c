import { join } from "node:path";
import type { Static } from "typebox";
import { Type } from "typebox";
import { writeDurably } from "../folder/durable-writes.ts";

/** The file in a version's `logs/` with the digests of all other files there, in the format of `sha512sum -c`. */
export const LOGS_MANIFEST = "manifest-sha512.txt";

const LINE = /^([0-9a-f]{128}) {2}([^/\s][^/]*)$/;

/** The logs of a version, by their names in its folder (`logsOf`, docs/package-format.md). */
export const RECEIPT = "receipt.jws";
export const SUBMISSION = "submission.json";
export const REVISION = "revision.json";
export const EVENTS = "events.jsonl";
/** Absent in packages that were written before the command `rebuild` existed. */
export const READS = "reads.jsonl";

/** A digest list of the request, as it was sent. @param no its position in the request, from 0 */
export function digestListFile(no: number): string {
  return `digests-${no + 1}.txt`;
}

/** The format of `toISOString`. */
export const Time = Type.String({
  pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$",
});
const Drift = Type.Object({ key: Type.String(), change: Type.String() });

/**
 * `submission.json`. Optional members are absent in packages that were written before the command `rebuild` existed.
 */
export const LoggedSubmission = Type.Object({
  id: Type.String(),
  attempt: Type.Integer(),
  owner: Type.String(),
  createdAt: Time,
  /** When publication was committed. */
  publishedAt: Time,
  sent: Type.Unknown(),
  metadata: Type.Object({}),
  warnings: Type.Array(Type.Object({})),
  source: Type.Object({
    endpoint: Type.String(),
    region: Type.Union([Type.String(), Type.Null()]),
    bucket: Type.String(),
    addressing: Type.Optional(Type.String()),
    anonymous: Type.Optional(Type.Boolean()),
    selection: Type.Object({}),
  }),
  drift: Type.Optional(Type.Array(Drift)),
  driftTotal: Type.Optional(Type.Integer()),
});
export type LoggedSubmission = Static<typeof LoggedSubmission>;

/** `revision.json`, in the logs of a version of the OCFL object that only changed the metadata. */
export const LoggedRevision = Type.Object({
  id: Type.String(),
  /** The version of the dataset that it describes. */
  version: Type.Integer({ minimum: 1 }),
  revision: Type.Integer({ minimum: 2 }),
  changedBy: Type.String(),
  note: Type.String(),
  createdAt: Time,
  /** When publication was committed. */
  publishedAt: Time,
  sent: Type.Unknown(),
  metadata: Type.Object({}),
  warnings: Type.Array(Type.Object({})),
});
export type LoggedRevision = Static<typeof LoggedRevision>;

/** A line of `events.jsonl`. */
export const LoggedEvent = Type.Object({
  seq: Type.Integer(),
  at: Time,
  attempt: Type.Integer(),
  type: Type.String(),
  message: Type.String(),
  data: Type.Union([Type.Object({}), Type.Null()]),
});
export type LoggedEvent = Static<typeof LoggedEvent>;

/** A line of `reads.jsonl`: an object that was not read exactly once. */
export const LoggedRead = Type.Object({
  key: Type.String(),
  attempts: Type.Integer(),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
});
export type LoggedRead = Static<typeof LoggedRead>;

/** Writes the digests of the files of a `logs/vN`, durably. @param digests name → SHA-512 in lower-case hex */
export async function writeLogsManifest(folder: string, digests: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...digests].map(([name, digest]) => `${digest}  ${name}\n`);
  await writeDurably(join(folder, LOGS_MANIFEST), lines.sort().join(""));
}

/** Parses a manifest: name → digest. Undefined if the text does not have the format of {@link writeLogsManifest}. */
export function readLogsManifest(text: string): Map<string, string> | undefined {
  const digests = new Map<string, string>();
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.length === 0) return undefined;
  for (const line of lines) {
    const [, digest = "", name = ""] = LINE.exec(line) ?? [];
    if (name === "" || digests.has(name)) return undefined;
    digests.set(name, digest);
  }
  return digests;
}

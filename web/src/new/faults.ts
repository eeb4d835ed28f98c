import type { Remark } from "../api/intake.ts";
import type { Draft, Keys, Where } from "./draft.ts";
import { judgeOrcid } from "./orcid.ts";
import { isWithin } from "./parts.ts";
import { linesOf, nameOf } from "./request.ts";
import { EVERYTHING } from "./where/patterns.ts";

/** What the page itself finds wrong, each with words in every language. */
export type FaultWord =
  | "endpoint"
  | "endpointPlaceholder"
  | "bucket"
  | "accessKey"
  | "secretKey"
  | "title"
  | "creator"
  | "creatorName"
  | "orcid"
  | "nothingSelected"
  | "nothingThere";

/** Something that has to be done before the bucket can be submitted. */
export interface Fault {
  /** Into the request. */
  pointer: string;
  kind: "missing" | "wrong";
  /** Which words say so; or the words themselves and the code of their kind, where the service said so. */
  word?: FaultWord;
  detail?: string;
  code?: string;
  /** A test of the connection found it, and may find it no more when it is repeated. */
  isTested?: true;
}

/** What is missing and wrong, as far as the page can tell by itself. */
export function ownFaults({ where, what, authors }: Draft, keys: Keys): Fault[] {
  const faults = accessFaults(where, keys);
  if ([...where.leftOut, ...linesOf(where.exclude)].includes(EVERYTHING)) {
    faults.push({ pointer: "/selection", kind: "missing", word: "nothingSelected" });
  }
  if (what.title.trim() === "") faults.push({ pointer: "/metadata/title", kind: "missing", word: "title" });
  if (!authors.some(({ role }) => role === "Creator")) {
    faults.push({ pointer: "/metadata/authors", kind: "missing", word: "creator" });
  }
  for (const [index, author] of authors.entries()) {
    const at = `/metadata/authors/${index}`;
    if (author.role === "Creator" && nameOf(author) === "") {
      faults.push({ pointer: at, kind: "missing", word: "creatorName" });
    }
    if (judgeOrcid(author.orcid) !== "empty" && judgeOrcid(author.orcid) !== "right") {
      faults.push({ pointer: `${at}/orcid`, kind: "wrong", word: "orcid" });
    }
  }
  return faults;
}

function accessFaults({ endpoint, bucket, anonymous }: Where, { accessKey, secretKey }: Keys): Fault[] {
  const faults: Fault[] = [];
  const miss = (word: "endpoint" | "bucket" | "accessKey" | "secretKey", value: string) => {
    if (value.trim() === "") faults.push({ pointer: `/s3Access/${word}`, kind: "missing", word });
  };
  miss("endpoint", endpoint);
  if (endpoint.includes("<")) {
    faults.push({ pointer: "/s3Access/endpoint", kind: "wrong", word: "endpointPlaceholder" });
  }
  miss("bucket", bucket);
  if (!anonymous) {
    miss("accessKey", accessKey);
    miss("secretKey", secretKey);
  }
  return faults;
}

/** The page's own faults, those that a test found, and those of the service that the page has not found itself. */
export function mergeFaults(own: readonly Fault[], tested: readonly Fault[], said: readonly Remark[]): Fault[] {
  const isNew = ({ pointer }: { pointer: string }) => !own.some((fault) => isWithin(pointer, fault.pointer));
  const distinct = new Map(
    said.filter(isNew).map(({ pointer, code, detail }) => [`${pointer} ${code}`, { pointer, code, detail }]),
  );
  const others = [...distinct.values()].map((fault) => ({ ...fault, kind: "wrong" as const }));
  return [...own, ...tested.filter(isNew), ...others];
}

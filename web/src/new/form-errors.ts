import type { Remark } from "../api/intake.ts";
import { isOrganisation } from "../metadata-form/affiliations.ts";
import { judgeOrcid } from "../metadata-form/orcid.ts";
import { EVERYTHING } from "./data-source/patterns.ts";
import type { DataSource, Draft, Keys, MetadataEntries } from "./draft.ts";
import { isWithin } from "./parts.ts";
import { linesOf, nameOf } from "./request.ts";

/** Errors that the page itself detects, with texts in each language. */
type FormErrorKey =
  | "endpoint"
  | "endpointPlaceholder"
  | "bucket"
  | "accessKey"
  | "secretKey"
  | "title"
  | "creator"
  | "creatorName"
  | "organisationName"
  | "orcid"
  | "nothingSelected"
  | "nothingThere";

/** An error that prevents a submission. */
export interface FormError {
  /** A pointer into the request. */
  pointer: string;
  kind: "missing" | "wrong";
  /** The text of the page; for errors that the service reported, the code and the service's text instead. */
  word?: FormErrorKey;
  detail?: string;
  code?: string;
  /** A connection test found it; the next test decides again. */
  isTested?: true;
}

/** The missing and wrong entries that the page itself can detect. */
export function findFormErrors(draft: Draft, keys: Keys): FormError[] {
  const { dataSource } = draft;
  const formErrors = findAccessErrors(dataSource, keys);
  if ([...dataSource.leftOut, ...linesOf(dataSource.exclude)].includes(EVERYTHING)) {
    formErrors.push({ pointer: "/selection", kind: "missing", word: "nothingSelected" });
  }
  return [...formErrors, ...findMetadataErrors(draft)];
}

/** The missing and wrong entries of the metadata that the page itself can detect. */
export function findMetadataErrors({ description, authors }: MetadataEntries): FormError[] {
  const formErrors: FormError[] = [];
  if (description.title.trim() === "") formErrors.push({ pointer: "/metadata/title", kind: "missing", word: "title" });
  if (!authors.some(({ role }) => role === "Creator")) {
    formErrors.push({ pointer: "/metadata/authors", kind: "missing", word: "creator" });
  }
  for (const [index, author] of authors.entries()) {
    const at = `/metadata/authors/${index}`;
    if (isOrganisation(author)) {
      if (author.name.trim() === "")
        formErrors.push({ pointer: `${at}/name`, kind: "missing", word: "organisationName" });
      continue;
    }
    if (author.role === "Creator" && nameOf(author) === "") {
      formErrors.push({ pointer: at, kind: "missing", word: "creatorName" });
    }
    if (judgeOrcid(author.orcid) !== "empty" && judgeOrcid(author.orcid) !== "right") {
      formErrors.push({ pointer: `${at}/orcid`, kind: "wrong", word: "orcid" });
    }
  }
  return formErrors;
}

function findAccessErrors({ endpoint, bucket, anonymous }: DataSource, { accessKey, secretKey }: Keys): FormError[] {
  const formErrors: FormError[] = [];
  const miss = (word: "endpoint" | "bucket" | "accessKey" | "secretKey", value: string) => {
    if (value.trim() === "") formErrors.push({ pointer: `/s3Access/${word}`, kind: "missing", word });
  };
  miss("endpoint", endpoint);
  if (endpoint.includes("<")) {
    formErrors.push({ pointer: "/s3Access/endpoint", kind: "wrong", word: "endpointPlaceholder" });
  }
  miss("bucket", bucket);
  if (!anonymous) {
    miss("accessKey", accessKey);
    miss("secretKey", secretKey);
  }
  return formErrors;
}

/** The page's own errors, those that a test found, and those of the service that the page has not detected itself. */
export function mergeFormErrors(
  own: readonly FormError[],
  tested: readonly FormError[],
  said: readonly Remark[],
): FormError[] {
  const isNew = ({ pointer }: { pointer: string }) => !own.some((formError) => isWithin(pointer, formError.pointer));
  const distinct = new Map(
    said.filter(isNew).map(({ pointer, code, detail }) => [`${pointer} ${code}`, { pointer, code, detail }]),
  );
  const others = [...distinct.values()].map((formError) => ({ ...formError, kind: "wrong" as const }));
  return [...own, ...tested.filter(isNew), ...others];
}

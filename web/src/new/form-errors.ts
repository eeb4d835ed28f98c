import type { Step } from "../api/intake.ts";
import { type FormError, findMetadataErrors } from "../metadata-form/errors/form-errors.ts";
import { EVERYTHING } from "./data-source/patterns.ts";
import { type DataSource, type Draft, type Keys, type Lists, NO_LISTS } from "./draft.ts";
import type { Connection, Warning } from "./form.ts";
import { hasRole, linesOf } from "./request.ts";
import { UPLOAD_ERRORS, type UploadStatus } from "./upload/status.ts";

/** The missing and wrong entries that the page itself can detect. */
export function findFormErrors(draft: Draft, keys: Keys, upload: UploadStatus, lists: Lists = NO_LISTS): FormError[] {
  const { dataSource } = draft;
  const ofSource =
    dataSource.kind === "upload" ? [UPLOAD_ERRORS[upload] ?? []].flat() : findBucketErrors(dataSource, keys);
  const unchosen = dataSource.lists.some((name) => !lists.has(name));
  const ofLists: FormError[] = unchosen ? [{ pointer: "/digests", kind: "missing", word: "listsUnchosen" }] : [];
  return [...ofSource, ...ofLists, ...findMetadataErrors(draft)];
}

function findBucketErrors(dataSource: DataSource, keys: Keys): FormError[] {
  const formErrors = findAccessErrors(dataSource, keys);
  if ([...dataSource.leftOut, ...linesOf(dataSource.exclude)].includes(EVERYTHING)) {
    formErrors.push({ pointer: "/selection", kind: "missing", word: "nothingSelected" });
  }
  return formErrors;
}

function findAccessErrors(dataSource: DataSource, { accessKey, secretKey }: Keys): FormError[] {
  const { endpoint, bucket, anonymous } = dataSource;
  const formErrors: FormError[] = [];
  const miss = (word: "endpoint" | "bucket" | "accessKey" | "secretKey", value: string) => {
    if (value.trim() === "") formErrors.push({ pointer: `/s3Access/${word}`, kind: "missing", word });
  };
  miss("endpoint", endpoint);
  if (endpoint.includes("<")) {
    formErrors.push({ pointer: "/s3Access/endpoint", kind: "wrong", word: "endpointPlaceholder" });
  }
  miss("bucket", bucket);
  if (!anonymous && !hasRole(dataSource)) {
    miss("accessKey", accessKey);
    miss("secretKey", secretKey);
  }
  return formErrors;
}

/** The errors and warnings that a connection test found. */
export interface TestFindings {
  formErrors: FormError[];
  warnings: Warning[];
}

/** The findings of the last test, if the data source is a bucket and has not changed since. */
export function testFindings(dataSource: DataSource, { report, preview, isStale }: Connection): TestFindings {
  if (isStale || dataSource.kind === "upload") return { formErrors: [], warnings: [] };
  const failed = report?.steps.find(({ status }) => status === "failed");
  const formErrors: FormError[] = failed === undefined ? [] : [formErrorOf(failed, dataSource)];
  if (preview?.complete && preview.objects === 0) {
    formErrors.push({ pointer: narrowestOf(dataSource), kind: "wrong", word: "nothingThere", isTested: true });
  }
  const codes = [
    ...(preview !== undefined && !preview.fits ? ["no_space"] : []),
    ...(preview !== undefined && preview.unreadableStorageClasses.length > 0 ? ["to_be_restored"] : []),
  ];
  return { formErrors, warnings: codes.map((code) => ({ pointer: "/s3Access/bucket", code, detail: "" })) };
}

function formErrorOf({ name, code, detail }: Step, dataSource: DataSource): FormError {
  const field = name === "signature" ? fieldOfIdentity(dataSource) : FIELDS[name];
  return { pointer: `/s3Access/${field}`, kind: "wrong", isTested: true, detail, ...(code !== null && { code }) };
}

function fieldOfIdentity(dataSource: DataSource): string {
  if (dataSource.anonymous) return "bucket";
  return hasRole(dataSource) ? "roleArn" : FIELDS.signature;
}

/** The field to check first when a step fails. */
const FIELDS: Record<Step["name"], string> = {
  address: "endpoint",
  connect: "endpoint",
  tls: "endpoint",
  clock: "endpoint",
  signature: "secretKey",
  bucket: "bucket",
  list: "bucket",
  read: "bucket",
};

/** The field that narrows the selection most. */
function narrowestOf({ prefix, include, exclude, chosen, leftOut }: DataSource): string {
  if (chosen.length > 0 || leftOut.length > 0) return "/selection";
  if (prefix !== "") return "/selection/prefix";
  if (include.trim() !== "") return "/selection/include";
  return exclude.trim() !== "" ? "/selection/exclude" : "/s3Access/bucket";
}

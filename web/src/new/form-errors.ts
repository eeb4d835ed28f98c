import { type FormError, findMetadataErrors } from "../metadata-form/errors/form-errors.ts";
import { EVERYTHING } from "./data-source/patterns.ts";
import type { DataSource, Draft, Keys } from "./draft.ts";
import { linesOf } from "./request.ts";

/** The missing and wrong entries that the page itself can detect. */
export function findFormErrors(draft: Draft, keys: Keys): FormError[] {
  const { dataSource } = draft;
  const formErrors = findAccessErrors(dataSource, keys);
  if ([...dataSource.leftOut, ...linesOf(dataSource.exclude)].includes(EVERYTHING)) {
    formErrors.push({ pointer: "/selection", kind: "missing", word: "nothingSelected" });
  }
  return [...formErrors, ...findMetadataErrors(draft)];
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

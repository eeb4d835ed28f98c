import { Type } from "typebox";
import type { RevisionDocuments } from "../db/datasets/revisions.ts";
import { checkMetadata } from "../describe/metadata/check.ts";
import { isFromEdal, withAffiliations, withoutInvalidRors } from "../describe/metadata/edal.ts";
import type { FieldRules } from "../describe/metadata/fields/check-fields.ts";
import type { FieldGroup } from "../describe/metadata/fields/field.ts";
import type { NormalizedMetadata } from "../describe/metadata/normalized.ts";
import { Metadata } from "../describe/metadata/schema.ts";
import { isBlank, isMailAddress } from "../domain/blank.ts";
import { Problem, type Remark } from "../domain/problems.ts";
import { pointerTo } from "../domain/remarks.ts";
import { shapeFaults, textFaults, withoutEmpty } from "../domain/shape.ts";
import { checkAccess, S3Access, type SourceAccess } from "../domain/source-access/access.ts";
import { checkSelection, Selection } from "../domain/submission/selection.ts";
import { checkDigests, DigestLists, type SentDigests } from "./digests/digest-lists.ts";
import { DatasetReference } from "./source/dataset-reference.ts";
import { bucketFaults, UploadReference } from "./source/upload-reference.ts";

/** Recipient of e-mails about a submission, an upload or a publication. */
export const Notify = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        description:
          "E-mail address that is notified when the submission is accepted, requires action by the submitter, is completed or fails; for an upload, before it expires; in a request for publication, when the owner must act, and about comments and outcomes. It is stored while needed and is not part of the package.",
        examples: ["ada@example.org"],
      }),
    ),
  },
  {
    title: "Notify",
    additionalProperties: false,
    description: "The recipient of e-mails about the submission, upload or publication.",
  },
);

/** The body of uploadS3. */
export const UploadRequest = Type.Object(
  {
    metadata: Metadata,
    s3Access: Type.Optional(S3Access),
    upload: Type.Optional(UploadReference),
    selection: Type.Optional(Selection),
    digests: Type.Optional(DigestLists),
    dataset: Type.Optional(DatasetReference),
    notify: Type.Optional(Notify),
    reserveDoi: Type.Optional(
      Type.Boolean({
        description:
          "Whether the service reserves a DOI for the version now, for example to cite it in a manuscript. It resolves after publication.",
        examples: [true],
      }),
    ),
  },
  { title: "UploadRequest", additionalProperties: false, description: "A request to archive a bucket." },
);

/** The body of the bucket check: the members of `S3Access`, and a selection. */
export const CheckRequest = Type.Object(
  { ...S3Access.properties, selection: Type.Optional(Selection) },
  {
    title: "CheckRequest",
    additionalProperties: true,
    description: "The location of the bucket and the credentials to read it.",
  },
);

/** The body of the preview: the members of a bucket check, and the dataset to compare with. */
export const PreviewRequest = Type.Object(
  { ...CheckRequest.properties, digests: Type.Optional(DigestLists), dataset: Type.Optional(DatasetReference) },
  {
    title: "PreviewRequest",
    additionalProperties: true,
    description: "The bucket to preview, and the dataset to which it would add a version.",
  },
);

export interface Upload {
  /** As sent. */
  sent: unknown;
  metadata: NormalizedMetadata;
  /** The bucket; or the id of the upload area, and the revision of it that the client has seen. */
  source: { access: SourceAccess } | { area: string; revision: number | undefined };
  selection: Selection;
  /** Undefined if the request has no lists. */
  digests: SentDigests | undefined;
  dataset: { id: string } | undefined;
  /** An e-mail address. */
  notify: string | undefined;
  /** Whether a DOI is reserved with the submission. */
  reserveDoi: boolean;
  warnings: Remark[];
}

/**
 * Parses the body of uploadS3 and reports all errors together.
 *
 * @param groups fields that the operator has defined
 * @param isEdal whether e!DAL's client sent the metadata, also if the access does not show it
 * @throws Problem `invalid_request` with all errors, `bad_request` for characters that text must not contain
 */
export function readUpload(body: unknown, groups: readonly FieldGroup[] = [], isEdal = false): Upload {
  const members = objectOf(body);
  const { request, faults } = withOneAccess(members);
  const uploaded = request.upload as { id?: unknown; revision?: number } | undefined;
  const area = typeof uploaded?.id === "string" ? { area: uploaded.id, revision: uploaded.revision } : undefined;
  const access = uploaded === undefined ? checkAccess(request.s3Access) : NO_ACCESS;
  const rawMetadata = (body as { metadata?: unknown }).metadata;
  const recovered = isEdal || isFromEdal(members.s3access) ? ofEdal(request.metadata, rawMetadata) : undefined;
  const metadata = checkMetadata(recovered === undefined ? request.metadata : recovered.metadata, { groups });
  const selection = checkSelection(request.selection);
  const { digests, errors: digestErrors } = checkDigests(request.digests, selection.selection);
  const outer = shapeFaults(outerOf(UploadRequest), request, "");
  const notify = (request.notify as { email?: unknown } | undefined)?.email;
  const mail = addressFaults(notify);
  const twofold = uploaded === undefined ? [] : bucketFaults(request);
  const source = access.access === undefined ? (area ?? false) : { access: access.access };
  const errors = distinct([
    ...[...faults, ...outer, ...metadata.errors],
    ...[...access.errors, ...selection.errors, ...mail, ...twofold],
  ]).concat(digestErrors);
  const warnings = [...(recovered?.warnings ?? []), ...metadata.warnings, ...access.warnings];
  if (errors.length > 0 || !metadata.normalized || source === false || !selection.selection)
    throw invalid(errors, warnings);
  return {
    sent: members.metadata,
    metadata: metadata.normalized,
    source,
    selection: selection.selection,
    digests,
    dataset: request.dataset as { id: string } | undefined,
    notify: notify as string | undefined,
    reserveDoi: request.reserveDoi === true,
    warnings,
  };
}

/**
 * Parses a change of metadata: `metadata`, and a `note` on the reason.
 *
 * @throws Problem `invalid_request` with all errors
 */
export function readMetadataChange(
  body: unknown,
  fieldRules: FieldRules,
): { documents: RevisionDocuments; note: string } {
  const members = objectOf(body);
  const { errors: faults, normalized, warnings } = checkMetadata(members.metadata, fieldRules);
  const note = Type.Object({ note: Type.Optional(Type.String({ maxLength: 2_000 })) }, { additionalProperties: false });
  const { metadata: _, ...others } = members;
  const errors = distinct([...faults, ...shapeFaults(note, others, ""), ...textFaults(others, "")]);
  if (errors.length > 0 || normalized === undefined) throw invalid(errors, warnings);
  const documents = { sent: members.metadata, metadata: normalized, warnings };
  return { documents, note: ((others.note as string | undefined) ?? "").trim() };
}

/** A submission with an upload names no bucket. */
const NO_ACCESS: ReturnType<typeof checkAccess> = { errors: [], warnings: [] };

/** Metadata of e!DAL's client in the form that the service checks. */
function ofEdal(metadata: unknown, raw: unknown): { metadata: unknown; warnings: Remark[] } {
  const recovered = withAffiliations(metadata, raw);
  const valid = withoutInvalidRors(recovered.metadata);
  return { metadata: valid.metadata, warnings: [...recovered.warnings, ...valid.warnings] };
}

/** Accepts the spelling `s3access` of e!DAL's client. A request with both spellings would be ambiguous. */
function withOneAccess({ s3access, ...rest }: Record<string, unknown>): {
  request: Record<string, unknown>;
  faults: Remark[];
} {
  if (s3access === undefined) return { request: rest, faults: [] };
  const isTwice = rest.s3Access !== undefined;
  return { request: { s3Access: s3access, ...rest }, faults: isTwice ? [sentTwice("s3access", "s3Access")] : [] };
}

/** @param other the second spelling, if the request has both */
export function sentTwice(name: string, other = name): Remark {
  const detail = other === name ? "The field was sent more than once." : `The field was also sent as “${other}”.`;
  return { pointer: pointerTo("", name), code: "duplicate_member", detail };
}

/** Errors of the member `notify`. */
export function addressFaults(address: unknown): Remark[] {
  if (typeof address !== "string" || isMailAddress(address)) return [];
  return [{ pointer: "/notify/email", code: "email_invalid", detail: "The value is not a plain e-mail address." }];
}

/** The address in the member `notify`. @throws Problem `invalid_request` if it is not a plain address */
export function statedAddress(address: string | undefined): string | undefined {
  const errors = addressFaults(address);
  if (errors.length > 0) throw invalid(errors, []);
  return address;
}

/** Parses the body of the check. @throws Problem `invalid_request` */
export function readCheck(body: unknown): { access: SourceAccess; selection: Selection; warnings: Remark[] } {
  const { selection: sent, ...rest } = objectOf(body);
  const access = checkAccess(rest, "");
  const selection = checkSelection(sent);
  const errors = [...access.errors, ...selection.errors];
  if (errors.length > 0 || !access.access || !selection.selection) throw invalid(errors, access.warnings);
  return { access: access.access, selection: selection.selection, warnings: access.warnings };
}

/** Parses the body of the preview. @throws Problem `invalid_request` */
export function readPreview(
  body: unknown,
): ReturnType<typeof readCheck> & { dataset: { id: string } | undefined; digests: SentDigests | undefined } {
  const { dataset, digests: sent, ...rest } = objectOf(body);
  const faults = dataset === undefined ? [] : shapeFaults(DatasetReference, dataset, "/dataset");
  const { digests, errors } = checkDigests(sent, checkSelection(rest.selection).selection);
  if (faults.length + errors.length > 0) throw invalid([...faults, ...errors], []);
  return { ...readCheck(rest), dataset: dataset as { id: string } | undefined, digests };
}

/**
 * Parses new credentials for the bucket of a submission. Other members of the access must equal those of the submission.
 *
 * @throws Problem `invalid_request`
 */
export function readCredentials(body: unknown, known: { endpoint: string; bucket: string }): SourceAccess | undefined {
  const { request, faults: twice } = withOneAccess(objectOf(body ?? {}));
  const { s3Access, ...others } = request;
  const unknown = Object.keys(others).map((name): Remark => {
    return { pointer: pointerTo("", name), code: "unknown_member", detail: "This field is not known here." };
  });
  if (s3Access === undefined) {
    if (unknown.length > 0) throw invalid(unknown, []);
    return undefined;
  }
  const sent = objectOf(s3Access);
  const { access, errors } = checkAccess({
    ...sent,
    endpoint: sent.endpoint ?? known.endpoint,
    bucket: sent.bucket ?? known.bucket,
  });
  const foreign: Remark[] = [];
  if (access !== undefined && access.endpoint !== known.endpoint) foreign.push(other("/s3Access/endpoint"));
  if (access !== undefined && access.bucket !== known.bucket) foreign.push(other("/s3Access/bucket"));
  const faults = [...twice, ...unknown, ...errors, ...foreign];
  if (faults.length > 0 || access === undefined) throw invalid(faults, []);
  return access;
}

function other(pointer: string): Remark {
  return {
    pointer,
    code: "wrong_value",
    detail: "The value differs from that of the submission. To archive a different bucket, create a new submission.",
  };
}

/** Requires a text with visible characters. @throws Problem `invalid_request` if it is blank */
export function requireText(text: string, pointer: string): void {
  if (isBlank(text)) throw invalid([{ pointer, code: "required", detail: "The text is empty." }], []);
}

/** The problem that reports all errors of a request together. */
export function invalid(errors: Remark[], warnings: Remark[]): Problem {
  const count = errors.length === 1 ? "one error" : `${errors.length.toLocaleString("en")} errors`;
  return new Problem("invalid_request", `The request contains ${count}`, {
    errors,
    ...(warnings.length > 0 && { extra: { warnings } }),
  });
}

/** Removes duplicates by place and code: the outer schema and a separate check can report the same missing member. */
function distinct(remarks: Remark[]): Remark[] {
  return [
    ...new Map(remarks.toReversed().map((remark) => [`${remark.pointer} ${remark.code}`, remark])).values(),
  ].toReversed();
}

/** The outer schema only: metadata, access and selection have separate checks with more specific messages. */
function outerOf(schema: typeof UploadRequest) {
  const { upload, dataset, notify, reserveDoi } = schema.properties;
  const unknown = Type.Unknown();
  const others = {
    s3Access: Type.Optional(unknown),
    selection: Type.Optional(unknown),
    digests: Type.Optional(unknown),
  };
  return Type.Object(
    { metadata: unknown, ...others, upload, dataset, notify, reserveDoi },
    { additionalProperties: false },
  );
}

function objectOf(body: unknown): Record<string, unknown> {
  const value = withoutEmpty(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid([{ pointer: "", code: "wrong_type", detail: "The body must be a JSON object." }], []);
  }
  const faults = textFaults(value, "");
  if (faults.length > 0)
    throw new Problem("bad_request", "The body contains characters that text must not contain", { errors: faults });
  return value as Record<string, unknown>;
}

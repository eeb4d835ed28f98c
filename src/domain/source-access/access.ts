import { type Static, Type } from "typebox";
import { Findings } from "../findings.ts";
import type { Code, Remark } from "../problems.ts";
import { pointerTo } from "../remarks.ts";
import { shapeFaults, textFaults, unknownMembers, withoutEmpty, withoutUndefined } from "../shape.ts";
import { bucketNameFault, isHostLabel } from "./bucket-name.ts";
import { type Endpoint, endpointText, isAmazonHost, readEndpoint, withoutBucket } from "./endpoint.ts";

/** Access to a bucket, as sent. Unknown members are kept and cause a warning, because e!DAL's client sends two additional ones. */
export const S3Access = Type.Object(
  {
    endpoint: Type.String({
      maxLength: 2_048,
      description: "Address of the S3 server. Without a scheme, `https` is used.",
      examples: ["https://s3.example.org"],
    }),
    region: Type.Optional(
      Type.String({
        description: "Region of the bucket. Default: detected automatically.",
        examples: ["eu-central-1"],
      }),
    ),
    bucket: Type.String({
      description:
        "Name of the bucket, without address or path. On servers with tenants, it can be `tenant:bucket`, as the server expects it.",
      examples: ["barley-roots"],
    }),
    accessKey: Type.Optional(
      Type.String({
        description: "Access key id. Required unless `anonymous` is true or `roleArn` is given.",
        examples: ["AKIAIOSFODNN7EXAMPLE"],
      }),
    ),
    secretKey: Type.Optional(
      Type.String({ description: "Secret access key. It is stored encrypted and erased when it is no longer needed." }),
    ),
    sessionToken: Type.Optional(Type.String({ description: "Session token of temporary credentials." })),
    roleArn: Type.Optional(
      Type.String({
        description:
          "ARN of a role with which the service reads the bucket, instead of keys. Its trust policy must require your external id (`GET /caller`).",
        examples: ["arn:aws:iam::123456789012:role/barley-roots-reader"],
      }),
    ),
    pathStyle: Type.Optional(
      Type.Boolean({
        description:
          "Whether requests use path-style addresses (`host/bucket`) instead of virtual-hosted ones (`bucket.host`). Default: detected from the endpoint.",
      }),
    ),
    anonymous: Type.Optional(
      Type.Boolean({ description: "Whether the bucket is public and is read without credentials." }),
    ),
    requesterPays: Type.Optional(
      Type.Boolean({
        description:
          "Whether the owner of the access key pays for requests and downloads, which requester-pays buckets require. Requests then have the header `x-amz-request-payer`.",
      }),
    ),
  },
  {
    title: "S3Access",
    additionalProperties: true,
    description: "The location of the bucket and the credentials to read it.",
  },
);
export type S3Access = Static<typeof S3Access>;

/** Keys that sign requests to an object store. `sessionToken` exists only for temporary credentials. */
export interface S3Credentials {
  accessKey: string;
  secretKey: string;
  sessionToken?: string;
}

/** A role of the owner of a bucket, which the service assumes to read it. */
export interface AssumedRole {
  arn: string;
  /**
   * The external id of the owner of the submission, which the service derives and no caller can choose. A role is not assumed
   * without it.
   */
  externalId?: string;
}

/** Access to a bucket, checked and normalised. The same value is passed on until requests are signed. */
export interface SourceAccess {
  /** Origin and base path without a trailing slash: `https://s3.example.org`. */
  endpoint: string;
  region?: string;
  bucket: string;
  pathStyle?: boolean;
  /** Absent for access with a role, and for anonymous access, whose requests are not signed. */
  credentials?: S3Credentials;
  /** Signs requests with temporary keys of this role instead. */
  role?: AssumedRole;
  /** Whether requests state that the owner of the credentials pays for them. Undefined if the caller has not said so. */
  requesterPays?: boolean;
}

/** Whether requests are not signed. */
export function isAnonymous({ credentials, role }: Pick<SourceAccess, "credentials" | "role">): boolean {
  return credentials === undefined && role === undefined;
}

/** The result of {@link checkAccess}. `access` is present if there are no errors. */
interface AccessCheck {
  access?: SourceAccess;
  errors: Remark[];
  warnings: Remark[];
}

/** The ARN of an IAM role (any partition). Other servers have accounts of other forms, or none. */
const ROLE_ARN = /^arn:[a-z][a-z-]{0,30}:iam::[\w-]{0,64}:role\/[\w+=,.@/-]{1,512}$/;

type KeyName = "accessKey" | "secretKey" | "sessionToken";

/**
 * Checks the access as sent and reports all errors together. Accepted values are safe in a request line, a header and a
 * SigV4 credential scope. No detail quotes a key. Whether the address may be called is checked elsewhere.
 * @throws Problem as {@link withoutEmpty} does.
 */
export function checkAccess(sent: unknown, base = "/s3Access"): AccessCheck {
  const value = withoutEmpty(sent);
  const findings = new Findings([...shapeFaults(S3Access, value, base), ...textFaults(value, base)]);
  if (findings.isIncomplete || typeof value !== "object" || value === null || Array.isArray(value)) {
    return { errors: findings.errors, warnings: [] };
  }
  findings.warnAll(unknownMembers(S3Access, value, base));
  const access = rules(value, base, findings);
  const { errors, warnings } = findings;
  return errors.length === 0 ? { access, errors, warnings } : { errors, warnings };
}

/** `sent` may violate the schema of S3Access; `findings` contains the violations. */
function rules(sent: Partial<S3Access>, base: string, findings: Findings): SourceAccess {
  const at = (name: keyof S3Access) => pointerTo(base, name);
  const matching = (
    name: KeyName | "region" | "roleArn",
    form: RegExp,
    code: Code,
    detail: string,
  ): string | undefined => {
    const text = findings.sound(sent[name], at(name));
    if (text !== undefined && !form.test(text)) findings.error(at(name), code, detail);
    return text;
  };

  const bucket = findings.sound(sent.bucket, at("bucket")) ?? "";
  const sentEndpoint = findings.sound(sent.endpoint, at("endpoint"));
  const read = sentEndpoint === undefined ? undefined : readEndpoint(sentEndpoint);
  const isAmazon = typeof read === "object" && isAmazonHost(read.host);
  const bucketFault = bucket === "" ? undefined : bucketNameFault(bucket, isAmazon);
  if (bucketFault !== undefined) findings.error(at("bucket"), "bucket_name_invalid", bucketFault);
  const anonymous = findings.sound(sent.anonymous, at("anonymous")) ?? false;
  checkKeysGiven(sent, anonymous, base, findings);

  const endpoint = checkEndpoint(read, bucketFault === undefined ? bucket : "", at("endpoint"), findings);
  const region = matching(
    "region",
    /^[A-Za-z0-9-]{1,64}$/,
    "region_invalid",
    "A region consists of 1 to 64 letters, digits and hyphens.",
  );
  // A slash in the access key would end the first part of SigV4's credential scope.
  const accessKey = matching(
    "accessKey",
    /^[\x21-\x2e\x30-\x7e]{1,256}$/,
    "access_key_invalid",
    "An access key has 1 to 256 printable ASCII characters, without spaces and slashes.",
  );
  const secretKey = matching(
    "secretKey",
    /^(?! )[\x20-\x7e]{1,1024}(?<! )$/,
    "secret_key_invalid",
    "A secret key has 1 to 1,024 printable ASCII characters, without spaces at the beginning or end.",
  );
  const sessionToken = matching(
    "sessionToken",
    /^[\x21-\x7e]{1,16384}$/,
    "session_token_invalid",
    "A session token has 1 to 16,384 printable ASCII characters, without spaces.",
  );
  const roleArn = matching("roleArn", ROLE_ARN, "role_invalid", "The value is not the ARN of a role.");
  const pathStyle = findings.sound(sent.pathStyle, at("pathStyle"));
  if (pathStyle === false && bucket !== "" && bucketFault === undefined && !isHostLabel(bucket)) {
    const detail = "A bucket with this name cannot be part of the host name. Leave “pathStyle” out, or set it to true.";
    findings.error(at("bucket"), "bucket_name_invalid", detail);
  }
  const credentials =
    accessKey === undefined || secretKey === undefined
      ? undefined
      : withoutUndefined<S3Credentials>({ accessKey, secretKey, sessionToken });
  const requesterPays = findings.sound(sent.requesterPays, at("requesterPays"));
  if (anonymous && requesterPays) {
    const detail = "Without an access key, the storage provider has no account to charge.";
    findings.error(at("requesterPays"), "requester_unknown", detail);
  }
  return withoutUndefined<SourceAccess>({
    endpoint,
    region,
    bucket,
    pathStyle,
    credentials,
    role: roleArn === undefined ? undefined : { arn: roleArn },
    requesterPays,
  });
}

/** @param endpoint as read; a text is its fault */
function checkEndpoint(
  endpoint: Endpoint | string | undefined,
  bucket: string,
  pointer: string,
  findings: Findings,
): string {
  if (endpoint === undefined) return "";
  if (typeof endpoint === "string") {
    findings.error(pointer, "endpoint_invalid", endpoint);
    return "";
  }
  const bare = bucket === "" ? undefined : withoutBucket(endpoint, bucket);
  if (bare) findings.warn(pointer, "bucket_in_endpoint", `The service uses the endpoint ${endpointText(bare)}.`);
  return endpointText(bare ?? endpoint);
}

function checkKeysGiven(sent: Partial<S3Access>, anonymous: boolean, base: string, findings: Findings): void {
  const keys: Record<KeyName, string> = {
    accessKey: "An access key is required unless “anonymous” is true or a role is given.",
    secretKey: "A secret key is required unless “anonymous” is true or a role is given.",
    sessionToken: "",
  };
  const hasRole = sent.roleArn !== undefined;
  if (anonymous && hasRole) {
    findings.error(pointerTo(base, "roleArn"), "keys_not_wanted", "Anonymous access does not use a role.");
  }
  for (const [name, need] of Object.entries(keys) as [KeyName, string][]) {
    const pointer = pointerTo(base, name);
    if (anonymous && sent[name] !== undefined)
      findings.error(pointer, "keys_not_wanted", "Anonymous access does not use keys.");
    if (hasRole && !anonymous && sent[name] !== undefined)
      findings.error(pointer, "keys_not_wanted", "Access with a role uses no other keys.");
    if (!anonymous && !hasRole && sent[name] === undefined && need !== "") findings.error(pointer, "required", need);
  }
}

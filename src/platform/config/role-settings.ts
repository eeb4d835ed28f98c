import { parseEndpoint } from "./archive.ts";
import { parseText, SettingError } from "./parse.ts";
import { optional, setting } from "./setting.ts";

/** The ARN of a user or role, as the principal of a trust policy. */
function parsePrincipal(text: string): string {
  if (/^arn:[a-z][a-z-]*:(?:iam|sts)::[\w-]*:[\w+=,.@:/-]+$/.test(text)) return text;
  throw new SettingError("is not an ARN such as arn:aws:iam::123456789012:user/accession");
}

function parseRegion(text: string): string {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)) return text;
  throw new SettingError("is not a region such as eu-central-1");
}

/** Settings of the identity with which the service assumes roles of submitters. */
export const roleSettings = {
  STS_ACCESS_KEY: optional(
    parseText,
    "none",
    "Access key with which the service assumes roles of submitters. Without it, roles are refused.",
    { secret: true },
  ),
  STS_SECRET_KEY: optional(parseText, "none", "Its secret key.", { secret: true }),
  STS_PRINCIPAL: optional(
    parsePrincipal,
    "none",
    "ARN of the user that the access key belongs to, which submitters trust: `arn:aws:iam::123456789012:user/accession`.",
  ),
  STS_REGION: setting(parseRegion, "us-east-1", "Region of the token service."),
  STS_ENDPOINT: optional(
    parseEndpoint,
    "AWS STS in the region",
    "URL of the token service that issues keys of roles (AssumeRole).",
  ),
};

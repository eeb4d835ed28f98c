import { type Static, Type } from "typebox";
import { LONGEST_NOTE } from "../../../packages/rules/src/index.ts";
import type { GrantRow } from "../../db/publication/access-grants.ts";
import { isBlank, isMailAddress } from "../../domain/blank.ts";
import type { Remark } from "../../domain/problems.ts";
import { invalid } from "../../intake/request.ts";
import { newGrantSecret } from "../../people/grants.ts";
import type { GrantWish } from "../../publication/commands/access-grants.ts";
import { comparableEmail, type GrantKind, LINK_DAYS, LONGEST_LINK_DAYS } from "../../publication/rules/grants.ts";
import type { HttpContext } from "../context.ts";
import { viewGrant } from "../responses/access-views.ts";
import { timeIn } from "../responses/paging.ts";
import type { NewAccessGrantView } from "../schemas/access.ts";
import { flag, optionalText } from "../schemas/basics.ts";
import { accessPage } from "./closed-files.ts";

const DAY_MS = 86_400_000;

/** Members of requests that grant access. */
export const terms = {
  expiresAt: Type.Optional(
    Type.Union([Type.String({ maxLength: 40, format: "date-time" }), Type.Null()], {
      description: `Time at which the access ends; null for never. Default: never for people, and in ${LINK_DAYS} days for a link, which can be valid for at most ${LONGEST_LINK_DAYS} days.`,
    }),
  ),
  note: optionalText({ maxLength: LONGEST_NOTE, description: "What the grant is for, for owner and curators." }),
  allVersions: Type.Optional(flag("Whether the grant is for all published versions, also later ones. Default: false.")),
};

type SentTerms = { [Name in keyof typeof terms]?: Static<(typeof terms)[Name]> };

type Wish = Omit<GrantWish, "dataset" | "version" | "by">;

/**
 * Reads what is to be granted.
 * @returns the wish, and the secret of a link, which is not stored
 * @throws Problem `invalid_request` with all errors
 */
export function readWish(
  context: HttpContext,
  kind: GrantKind,
  person: string | null,
  { expiresAt, note = "", allVersions = false }: SentTerms,
): { wish: Wish; secret: string | null } {
  const errors: Remark[] = [];
  const add = (pointer: string, code: Remark["code"], detail: string) => errors.push({ pointer, code, detail });
  const ends = endOf(kind, expiresAt, add);
  const named = personOf(context, kind, person, add);
  if (errors.length > 0) throw invalid(errors, []);
  const { secret, hash } = kind === "link" ? newGrantSecret() : { secret: null, hash: null };
  return { wish: { kind, person: named, hash, note: note.trim(), expiresAt: ends, isForAll: allVersions }, secret };
}

type Add = (pointer: string, code: Remark["code"], detail: string) => void;

function endOf(kind: GrantKind, sent: string | null | undefined, add: Add): Date | null {
  if (sent === undefined) return kind === "link" ? new Date(Date.now() + LINK_DAYS * DAY_MS) : null;
  if (sent === null) {
    if (kind === "link") add("/expiresAt", "wrong_value", "A link needs a time at which it expires.");
    return null;
  }
  const time = timeIn(sent);
  if (time === undefined || time.getTime() <= Date.now())
    add("/expiresAt", "wrong_value", "The time must be in the future.");
  else if (kind === "link" && time.getTime() > Date.now() + LONGEST_LINK_DAYS * DAY_MS) {
    add("/expiresAt", "wrong_value", `A link can be valid for at most ${LONGEST_LINK_DAYS} days.`);
  }
  return time ?? null;
}

function personOf(context: HttpContext, kind: GrantKind, sent: string | null, add: Add): string | null {
  const person = sent?.trim() ?? "";
  if (kind === "link") {
    if (person !== "") add("/person", "wrong_value", "A link is for all who have it. Use “note” to name the person.");
    return null;
  }
  if (isBlank(person)) {
    add("/person", "required", "State the account, or the e-mail address.");
    return null;
  }
  const { signIn } = context;
  if (kind === "subject") {
    const isShort = signIn.method === "oidc" && !person.startsWith(`${signIn.issuer}#`);
    return isShort ? `${signIn.issuer}#${person}` : person;
  }
  if (signIn.method !== "oidc") {
    add("/kind", "wrong_value", "This service has no identity provider that verifies e-mail addresses. Create a link.");
  }
  if (!isMailAddress(person)) add("/person", "email_invalid", "The value is not a plain e-mail address.");
  return comparableEmail(person);
}

/** Returns the API view of a new grant, with the link if it has a secret. @param version to which the link leads */
export function viewNewGrant(
  context: HttpContext,
  grant: GrantRow,
  version: number,
  secret: string | null,
): Static<typeof NewAccessGrantView> {
  // Behind “#”, so that neither the service nor a proxy logs it.
  const url = secret === null ? null : `${accessPage(context, grant.dataset_id, version)}#${secret}`;
  return { ...viewGrant(grant), secret, url };
}

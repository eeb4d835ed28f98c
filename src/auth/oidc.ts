import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import { isMailAddress } from "../domain/blank.ts";
import { Problem } from "../domain/problems.ts";
import type { Caller } from "./caller.ts";
import { ROLES, type Role } from "./rules.ts";

interface OidcOptions {
  /** Exactly as the provider names itself. */
  issuer: string;
  audience: string;
  /** Dots lead into objects. */
  rolesClaim: string;
}

/** Signatures that a provider alone can make. With a shared key, or with none, whoever checks could also sign. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const LONGEST_SUBJECT = 255;
const CLOCK_TOLERANCE_SECONDS = 60;
const PROVIDER_MS = 5_000;
/** After a failure to find the provider's keys it is left alone for so long. */
const PAUSE_MS = 1_000;
/** An unknown key makes the keys be fetched again, but not more often than this. */
const COOLDOWN_MS = 30_000;
/** How long keys may have been withdrawn by the provider before this is noticed. */
const KEYS_FRESH_MS = 10 * 60_000;

/** What the keys themselves say of a token; every other fault in finding its key is the provider's. */
const KEY_FAULTS = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** Knows callers by the access tokens (JWT, RFC 9068) of an OpenID provider. */
export class OidcIssuer {
  readonly #options: OidcOptions;
  #found: Promise<Discovered> | undefined;
  #failed: { at: number; problem: Problem } | undefined;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  /**
   * Whose token this is: their subject at this issuer, and those of the named roles that there are.
   *
   * @throws Problem `token_invalid`, or `identity_unavailable` when the provider cannot be asked
   */
  async caller(token: string): Promise<Caller> {
    requireShape(token);
    const { issuer, audience, rolesClaim } = this.#options;
    const { keys } = await this.#discovered();
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ["exp", "sub"],
    }).catch((cause: unknown) => {
      if (cause instanceof Problem) throw cause;
      throw new Problem("token_invalid", cause instanceof errors.JWTExpired ? "The token has expired" : undefined, {
        cause,
      });
    });
    requireAccessToken(payload);
    // An issuer has no fragment, so that no two pairs of issuer and subject are the same text.
    return {
      owner: `${issuer}#${subjectIn(payload)}`,
      roles: rolesIn(payload, rolesClaim),
      ...emailIn(payload),
      ...untilIn(payload),
    };
  }

  /** Where pages speak to the provider themselves: where it describes itself and, if it can be asked, gives out tokens. */
  async origins(): Promise<string[]> {
    // A provider that cannot be asked is what the page, and every request, tells of.
    const { tokenEndpoint } = await this.#discovered().catch(() => ({ tokenEndpoint: [] }));
    return [...new Set([this.#options.issuer, ...tokenEndpoint].map((address) => new URL(address).origin))];
  }

  /** What the provider says of itself, asked once; a failure is kept for a moment. */
  async #discovered(): Promise<Discovered> {
    if (this.#failed !== undefined && Date.now() - this.#failed.at < PAUSE_MS) throw this.#failed.problem;
    this.#found ??= discover(this.#options.issuer).catch((cause: unknown) => {
      this.#found = undefined;
      const problem = new Problem("identity_unavailable", undefined, { cause });
      this.#failed = { at: Date.now(), problem };
      throw problem;
    });
    return this.#found;
  }
}

/** Members that providers put into tokens which are for the page that signs in, or for signing out, and never for an API. */
const OTHER_PURPOSES = ["nonce", "at_hash", "c_hash", "s_hash", "events"];

/**
 * RFC 9068 has a type for access tokens, but many providers still write plain JWTs. So it is told by what the others have:
 * ID tokens (OpenID Connect Core 1.0, section 2), logout tokens (Back-Channel Logout 1.0, section 2.4).
 *
 * @throws Problem `token_invalid`
 */
function requireAccessToken(payload: JWTPayload): void {
  const isOther =
    OTHER_PURPOSES.some((name) => Object.hasOwn(payload, name)) ||
    (typeof payload.typ === "string" && /^(id|logout|refresh)$/i.test(payload.typ));
  if (isOther) throw new Problem("token_invalid", "This is no access token");
}

/** What cannot be a token of this provider is not worth asking the provider about. */
function requireShape(token: string): void {
  try {
    const { alg, typ = "JWT" } = decodeProtectedHeader(token);
    const isKind = ["jwt", "at+jwt", "application/at+jwt"].includes(typ.toLowerCase());
    if (token.split(".").length === 3 && isKind && alg !== undefined && ALGORITHMS.includes(alg)) return;
  } catch (cause) {
    throw new Problem("token_invalid", undefined, { cause });
  }
  throw new Problem("token_invalid");
}

interface Discovered {
  keys: JWTVerifyGetKey;
  /** Empty for a provider that names none. */
  tokenEndpoint: string[];
}

/** OpenID Connect Discovery 1.0, section 4. The answer must be about this very issuer (section 4.3). */
async function discover(issuer: string): Promise<Discovered> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(address, {
    redirect: "error",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(PROVIDER_MS),
  });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  const found = (await response.json()) as {
    issuer?: unknown;
    jwks_uri?: unknown;
    token_endpoint?: unknown;
  };
  if (found.issuer !== issuer) throw new Error(`${address} is about another issuer`);
  if (typeof found.jwks_uri !== "string" || !URL.canParse(found.jwks_uri)) throw new Error(`${address} names no keys`);
  if (new URL(issuer).protocol === "https:" && new URL(found.jwks_uri).protocol !== "https:") {
    throw new Error(`${address} names keys that anybody on the way could change`);
  }
  const { token_endpoint: token } = found;
  const isWeb = typeof token === "string" && /^https?:$/.test(URL.parse(token)?.protocol ?? "");
  return { keys: keysAt(new URL(found.jwks_uri)), tokenEndpoint: isWeb ? [token] : [] };
}

function keysAt(address: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(address, {
    timeoutDuration: PROVIDER_MS,
    cooldownDuration: COOLDOWN_MS,
    // Refreshed below: nobody waits for that, and keys that are known stay good while the provider is away.
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let refreshedAt = Date.now();
  return async (header, token) => {
    try {
      const key = await keys(header, token);
      if (Date.now() - refreshedAt > KEYS_FRESH_MS) {
        refreshedAt = Date.now();
        // One in vain is made again after the same time.
        keys.reload().catch(() => undefined);
      }
      return key;
    } catch (error) {
      if (KEY_FAULTS.some((fault) => error instanceof fault)) throw error;
      throw new Problem("identity_unavailable", undefined, { cause: error });
    }
  };
}

/**
 * Whom the token is about (RFC 7519, section 4.1.2): 1 to 255 ASCII characters by OpenID Connect Core 1.0, section 2.
 * Other letters are accepted, controls and blank texts are not.
 *
 * @throws Problem `token_invalid`
 */
function subjectIn({ sub }: { sub?: unknown }): string {
  const isSubject =
    typeof sub === "string" && sub.length <= LONGEST_SUBJECT && sub.isWellFormed() && /^(?!\s*$)[^\p{Cc}]+$/u.test(sub);
  if (!isSubject) throw new Problem("token_invalid", "The token’s subject (sub) is not a text of 1 to 255 characters");
  return sub;
}

/** The caller’s address, when the provider has verified that it is theirs (OpenID Connect Core 1.0, section 5.1). */
function emailIn({ email, email_verified: isVerified }: JWTPayload): { email?: string } {
  return isVerified === true && typeof email === "string" && isMailAddress(email) ? { email } : {};
}

/** Until when the token is accepted; nothing for a number that is no time. */
function untilIn({ exp = Number.NaN }: JWTPayload): { until?: Date } {
  const until = new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000);
  return Number.isNaN(until.getTime()) ? {} : { until };
}

/** Claims whose texts are lists separated by spaces (RFC 8693, section 4.2; `scp` of some providers). */
const SCOPES = ["scope", "scp"];

/**
 * The roles that a claim names: a list of texts, or a text that is one role. Any other text may be what a person wrote
 * about themselves, so only scopes are split into words.
 */
function rolesIn(payload: JWTPayload, claim: string): Role[] {
  const named = Object.hasOwn(payload, claim) ? payload[claim] : claim.split(".").reduce<unknown>(member, payload);
  const isScope = typeof named === "string" && SCOPES.includes(claim);
  const texts = Array.isArray(named) ? named : isScope ? named.split(" ") : [named];
  return ROLES.filter((role) => texts.includes(role));
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

import { setTimeout as sleep } from "node:timers/promises";
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
import { ROLES, type Role } from "./route-permissions.ts";

interface OidcOptions {
  /** The issuer, exactly as in the provider's tokens. */
  issuer: string;
  audience: string;
  /** Dots select nested members. */
  rolesClaim: string;
}

/** Asymmetric signature algorithms, which only the provider can use. With a shared key, every recipient could also sign. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
const LONGEST_SUBJECT = 255;
const CLOCK_TOLERANCE_SECONDS = 60;
const PROVIDER_MS = 5_000;
/** Pause after a failure to get the provider's keys. */
const PAUSE_MS = 1_000;
/** Minimum interval between fetches of the keys because of an unknown key. */
const COOLDOWN_MS = 30_000;
/** Maximum time until a key withdrawn by the provider is no longer accepted. */
const KEYS_FRESH_MS = 10 * 60_000;

/** Errors in finding a key that are caused by the token. All others are attributed to the provider. */
const KEY_FAULTS = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** Identifies callers by the access tokens (JWT, RFC 9068) of an OpenID provider. */
export class OidcIssuer {
  readonly #options: OidcOptions;
  #found: Promise<Discovered> | undefined;
  /** The last failure, until the pause after it is over. */
  #failed: { problem: Problem; over: Promise<void> } | undefined;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  /**
   * The caller of a token: its subject at this issuer, and the roles in it that the service knows.
   *
   * @throws Problem `token_invalid`, or `identity_unavailable` if the provider cannot be reached
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
    // An issuer has no fragment, so different pairs of issuer and subject give different texts.
    return {
      owner: `${issuer}#${subjectIn(payload)}`,
      roles: rolesIn(payload, rolesClaim),
      ...emailIn(payload),
      ...untilIn(payload),
    };
  }

  /** @throws Problem `identity_unavailable` if the provider cannot be reached, with the cause */
  async reach(): Promise<void> {
    await this.#discovered();
  }

  /**
   * The origins that pages contact directly: that of the provider's metadata and, if it can be reached, of its token endpoint.
   * Waits for the pause after a failure, because a page without the token endpoint cannot complete a sign-in.
   */
  async origins(): Promise<string[]> {
    await this.#failed?.over;
    // If the provider cannot be reached, the page and every request report it.
    const { tokenEndpoint } = await this.#discovered().catch(() => ({ tokenEndpoint: [] }));
    return [...new Set([this.#options.issuer, ...tokenEndpoint].map((address) => new URL(address).origin))];
  }

  /** The provider's metadata, fetched once. A failure is cached for a short time. */
  async #discovered(): Promise<Discovered> {
    if (this.#failed !== undefined) throw this.#failed.problem;
    this.#found ??= discover(this.#options.issuer).catch((cause: unknown) => {
      this.#found = undefined;
      const problem = new Problem("identity_unavailable", undefined, { cause });
      const over = sleep(PAUSE_MS, undefined, { ref: false }).then(() => {
        this.#failed = undefined;
      });
      this.#failed = { problem, over };
      throw problem;
    });
    return this.#found;
  }
}

/** Members of tokens that are for the page that signs in, or for signing out, and not for an API. */
const OTHER_PURPOSES = ["nonce", "at_hash", "c_hash", "s_hash", "events"];

/**
 * Refuses tokens that are not access tokens. RFC 9068 defines a type for access tokens, but many providers do not set it.
 * Other tokens are therefore recognised by their members: ID tokens (OpenID Connect Core 1.0, section 2) and logout tokens
 * (Back-Channel Logout 1.0, section 2.4).
 *
 * @throws Problem `token_invalid`
 */
function requireAccessToken(payload: JWTPayload): void {
  const isOther =
    OTHER_PURPOSES.some((name) => Object.hasOwn(payload, name)) ||
    (typeof payload.typ === "string" && /^(id|logout|refresh)$/i.test(payload.typ));
  if (isOther) throw new Problem("token_invalid", "The token is not an access token");
}

/** Refuses tokens that cannot be from this provider, without contacting it. */
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
  /** Empty if the provider names none. */
  tokenEndpoint: string[];
}

/** Fetches the provider's metadata (OpenID Connect Discovery 1.0, section 4). It must name the same issuer (section 4.3). */
async function discover(issuer: string): Promise<Discovered> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(address, {
    redirect: "error",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(PROVIDER_MS),
  });
  if (!response.ok) throw new Error(`${address} answered with HTTP ${response.status}`);
  const found = (await response.json()) as {
    issuer?: unknown;
    jwks_uri?: unknown;
    token_endpoint?: unknown;
  };
  if (found.issuer !== issuer) throw new Error(`${address} names a different issuer`);
  if (typeof found.jwks_uri !== "string" || !URL.canParse(found.jwks_uri))
    throw new Error(`${address} does not name a valid jwks_uri`);
  if (new URL(issuer).protocol === "https:" && new URL(found.jwks_uri).protocol !== "https:") {
    throw new Error(`${address} names a jwks_uri without TLS, so its keys could be changed in transit`);
  }
  const { token_endpoint: token } = found;
  const isWeb = typeof token === "string" && /^https?:$/.test(URL.parse(token)?.protocol ?? "");
  return { keys: keysAt(new URL(found.jwks_uri)), tokenEndpoint: isWeb ? [token] : [] };
}

function keysAt(address: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(address, {
    timeoutDuration: PROVIDER_MS,
    cooldownDuration: COOLDOWN_MS,
    // Refreshed in the background below, so no request waits, and known keys stay valid while the provider is unavailable.
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let refreshedAt = Date.now();
  return async (header, token) => {
    try {
      const key = await keys(header, token);
      if (Date.now() - refreshedAt > KEYS_FRESH_MS) {
        refreshedAt = Date.now();
        // A failed refresh is repeated after the same time.
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
 * The subject of the token (RFC 7519, section 4.1.2): 1 to 255 ASCII characters by OpenID Connect Core 1.0, section 2.
 * Other letters are accepted, control characters and blank texts are not.
 *
 * @throws Problem `token_invalid`
 */
function subjectIn({ sub }: { sub?: unknown }): string {
  const isSubject =
    typeof sub === "string" && sub.length <= LONGEST_SUBJECT && sub.isWellFormed() && /^(?!\s*$)[^\p{Cc}]+$/u.test(sub);
  if (!isSubject) throw new Problem("token_invalid", "The token’s subject (sub) is not a text of 1 to 255 characters");
  return sub;
}

/** The caller’s address, if the provider has verified it (OpenID Connect Core 1.0, section 5.1). */
function emailIn({ email, email_verified: isVerified }: JWTPayload): { email?: string } {
  return isVerified === true && typeof email === "string" && isMailAddress(email) ? { email } : {};
}

/** When the token expires; empty if the number is not a valid time. */
function untilIn({ exp = Number.NaN }: JWTPayload): { until?: Date } {
  const until = new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000);
  return Number.isNaN(until.getTime()) ? {} : { until };
}

/** Claims whose texts are lists separated by spaces (RFC 8693, section 4.2; `scp` of some providers). */
const SCOPES = ["scope", "scp"];

/**
 * The roles in a claim: a list of texts, or a text that is one role. Only scopes are split into words, because any other text
 * may be free text that users enter about themselves.
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

import { hash, randomUUID } from "node:crypto";
import { Agent, type Dispatcher, ProxyAgent, request } from "undici";
import { type Code, Problem } from "../../../domain/problems.ts";
import type { AssumedRole, S3Credentials } from "../../../domain/source-access/access.ts";
import { readXml, XmlError } from "../listing/xml.ts";
import { sign } from "../transport/signer.ts";

/** The identity with which this service assumes roles, and where. Plain data, because threads open their own connections. */
export interface StsOptions {
  /** URL of the Security Token Service. The operator names it, so the rules for submitters’ endpoints do not apply. */
  endpoint: string;
  region: string;
  /** Keys of the service itself. */
  credentials: S3Credentials;
}

/** Keys that STS has issued. */
export interface TemporaryKeys {
  credentials: S3Credentials;
  /** When they expire, in milliseconds since 1970. */
  expiresAt: number;
}

/** The shortest maximum that a role can have. Longer sessions are refused if a role is assumed with another role’s keys. */
const SESSION_SECONDS = 3_600;
const SESSION_NAME = "accession";
const SILENCE_MS = 15_000;
const WHOLE_MS = 30_000;
/** Larger than a session with the longest token. */
const MOST_BYTES = 64 * 1024;

/** Codes about the keys of the service itself. */
const ABOUT_SERVICE =
  /^(?:InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|SignatureDoesNotMatch|IncompleteSignature|MissingAuthenticationToken|ExpiredToken|OptInRequired|RegionDisabled|InvalidAction)/;

/**
 * Assumes roles by AssumeRole of the AWS Security Token Service
 * (https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html). The requests are signed
 * with the service’s own keys, and are sent to the operator’s endpoint only. Redirects are not followed, and responses are of
 * limited size.
 */
export class StsClient {
  readonly #options: StsOptions;
  readonly #dispatcher: Dispatcher;

  /** @param more.ca PEM of certificate authorities that replace the default ones; @param more.proxy URL of an HTTP proxy */
  constructor(options: StsOptions, { ca, proxy }: { ca?: string[] | undefined; proxy?: string | undefined } = {}) {
    this.#options = options;
    const limits = { connections: 4, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
    const tls = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
    this.#dispatcher =
      proxy === undefined
        ? new Agent({ ...limits, connect: tls })
        : new ProxyAgent({ uri: proxy, ...limits, requestTls: tls });
  }

  /**
   * Temporary keys of a role, for an hour.
   *
   * A role that can also be assumed with another external id is refused: any other user of this service could name it, and would
   * read data with it that is not theirs (the confused deputy,
   * https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html).
   *
   * @throws Problem `role_denied`, `role_unprotected`, `sts_refused`, `sts_unavailable`, `clock_skewed`
   */
  async assume({ arn, externalId }: AssumedRole): Promise<TemporaryKeys> {
    if (externalId === undefined) throw new Error("A role is only assumed with the external id of an owner");
    const keys = await this.#assume(arn, externalId);
    const isOpen = await this.#assume(arn, randomUUID()).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem && error.code === "role_denied") return false;
        throw error;
      },
    );
    if (isOpen) {
      throw new Problem("role_unprotected", "The role does not require your external id");
    }
    return keys;
  }

  /**
   * The ARN to which the service's own keys belong, by GetCallerIdentity.
   * @throws Problem `sts_refused`, `sts_unavailable`, `clock_skewed`
   */
  async identity(): Promise<string> {
    const { status, body } = await this.#send("Action=GetCallerIdentity&Version=2011-06-15");
    const read = await readAnswer(body);
    if (status !== 200) throw refusal(status, read);
    const arn = read.get("GetCallerIdentityResult/Arn");
    if (arn === undefined) throw unavailable("did not answer with an ARN");
    return arn;
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #assume(arn: string, externalId: string): Promise<TemporaryKeys> {
    const { status, body } = await this.#send(
      new URLSearchParams({
        Action: "AssumeRole",
        Version: "2011-06-15",
        RoleArn: arn,
        RoleSessionName: SESSION_NAME,
        DurationSeconds: String(SESSION_SECONDS),
        ExternalId: externalId,
      }).toString(),
    );
    const read = await readAnswer(body);
    if (status !== 200) throw refusal(status, read);
    const keys = keysIn(read);
    if (keys === undefined) throw unavailable("did not answer with temporary keys");
    return keys;
  }

  async #send(form: string): Promise<{ status: number; body: Buffer }> {
    const { endpoint, region, credentials } = this.#options;
    const { origin, host, pathname } = new URL(endpoint);
    const plain = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
    const what = { method: "POST", host, path: pathname, query: [], headers: plain, region, at: new Date() } as const;
    const late = AbortSignal.timeout(WHOLE_MS);
    try {
      const answer = await request(`${origin}${pathname}`, {
        method: "POST",
        headers: sign({ ...what, service: "sts", bodySha256: hash("sha256", form) }, credentials),
        body: form,
        dispatcher: this.#dispatcher,
        signal: late,
      });
      return { status: answer.statusCode, body: await limited(answer.body) };
    } catch (error) {
      if (error instanceof Problem) throw error;
      const why = late.aborted ? "in time" : `(${(error as NodeJS.ErrnoException).code ?? "connection lost"})`;
      // Without the cause: an answer that cannot be parsed is part of its error, with the keys in it.
      throw unavailable(`did not answer ${why}`);
    }
  }
}

async function limited(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw unavailable("sent a response of more than 64 KiB");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The values of an answer by the name of the element and its parent, such as `Credentials/AccessKeyId`. Empty if it is not XML. */
async function readAnswer(body: Uint8Array): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  try {
    await readXml([body], { close: (path, text) => void values.set(path.slice(-2).join("/"), text.trim()) });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    values.clear();
  }
  return values;
}

const KEY = /^[\x21-\x2e\x30-\x7e]{1,256}$/;
const SECRET = /^[\x21-\x7e]{1,1024}$/;
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

function keysIn(answer: ReadonlyMap<string, string>): TemporaryKeys | undefined {
  const stated = (name: string) => answer.get(`Credentials/${name}`) ?? "";
  const accessKey = stated("AccessKeyId");
  const secretKey = stated("SecretAccessKey");
  const sessionToken = stated("SessionToken");
  const expiresAt = Date.parse(stated("Expiration"));
  const areKeys = KEY.test(accessKey) && SECRET.test(secretKey) && TOKEN.test(sessionToken);
  // Keys that have expired already would be requested again without end. NaN is not greater either.
  return areKeys && expiresAt > Date.now()
    ? { credentials: { accessKey, secretKey, sessionToken }, expiresAt }
    : undefined;
}

/** The texts of the server decide, but are not shown. */
function refusal(status: number, answer: ReadonlyMap<string, string>): Problem {
  const stated = answer.get("Error/Code") ?? "";
  const code = /^[A-Za-z][A-Za-z0-9.]{1,63}$/.test(stated) ? stated : undefined;
  const message = answer.get("Error/Message") ?? "";
  const reason = code === undefined ? `HTTP ${status}` : `${code}, HTTP ${status}`;
  if (code === undefined || status >= 500 || status === 429 || /^Throttl|^TooMany|^RequestLimit/.test(code)) {
    return unavailable(`did not issue keys (${reason})`);
  }
  if (isAboutTime(code, message)) {
    return new Problem("clock_skewed", "The clocks of this service and of the token service (STS) differ too much");
  }
  const own: Code = ABOUT_SERVICE.test(code) ? "sts_refused" : "role_denied";
  const texts = {
    sts_refused: `The token service (STS) refuses the keys of this service (${reason})`,
    role_denied: `This service may not assume the role (${reason})`,
  };
  return new Problem(own, texts[own]);
}

/** STS explains a wrong time as a wrong signature. */
function isAboutTime(code: string, message: string): boolean {
  if (/^RequestExpired|^RequestTimeTooSkewed/.test(code)) return true;
  return code === "SignatureDoesNotMatch" && /signature (?:not yet current|expired)/i.test(message);
}

function unavailable(what: string): Problem {
  return new Problem("sts_unavailable", `The token service (STS) of this service ${what}`);
}

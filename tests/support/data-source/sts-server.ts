/** A Security Token Service: AssumeRole and GetCallerIdentity of AWS, which verifies signatures with AWS's own signer. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignatureV4 } from "@smithy/signature-v4";
import type { S3Server } from "../../../packages/s3-test-server/src/index.ts";

/** The identity of the service. */
export const SERVICE_IDENTITY = { accessKey: "AKSERVICEIDENTITY", secretKey: "secret/of+the=service" };
export const PRINCIPAL = "arn:aws:iam::123456789012:user/accession";

/** A role, and whom it trusts. */
export interface TestRole {
  /** Condition on `sts:ExternalId`; undefined for none. */
  externalId?: string;
}

export interface StsServer {
  endpoint: string;
  /** The settings of a service that assumes roles at this server. */
  settings: Record<string, string>;
  /** The forms of all requests with a valid signature. */
  asked: URLSearchParams[];
  roles: Map<string, TestRole>;
  /** Of the keys that it issues; default an hour. */
  lifetimeMs: number;
  /** Keys that it has issued. */
  issued: { accessKey: string; secretKey: string; sessionToken: string }[];
  /** Answers instead, until it is removed. */
  answer: ((response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server whose keys are accounts of the S3 server. */
export async function startStsServer(s3?: S3Server): Promise<StsServer> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sts: StsServer = {
    endpoint,
    settings: {
      ACCESSION_STS_ENDPOINT: endpoint,
      ACCESSION_STS_ACCESS_KEY: SERVICE_IDENTITY.accessKey,
      ACCESSION_STS_SECRET_KEY: SERVICE_IDENTITY.secretKey,
      ACCESSION_STS_PRINCIPAL: PRINCIPAL,
    },
    asked: [],
    roles: new Map(),
    lifetimeMs: 3_600_000,
    issued: [],
    answer: undefined,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
    [Symbol.asyncDispose]: () => sts.close(),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    if (sts.answer !== undefined) return sts.answer(response);
    const refusal = await signatureFault(request, body);
    if (refusal !== undefined) return refuse(response, 403, refusal.code, refusal.message);
    const form = new URLSearchParams(body);
    sts.asked.push(form);
    if (form.get("Action") === "GetCallerIdentity") {
      response.end(
        `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${PRINCIPAL}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`,
      );
      return;
    }
    if (form.get("Action") !== "AssumeRole") return refuse(response, 400, "InvalidAction", "Unknown action");
    const role = sts.roles.get(form.get("RoleArn") ?? "");
    if (role === undefined || (role.externalId !== undefined && role.externalId !== form.get("ExternalId"))) {
      const message = `User: ${PRINCIPAL} is not authorized to perform: sts:AssumeRole on resource: ${form.get("RoleArn")}`;
      return refuse(response, 403, "AccessDenied", message);
    }
    const keys = {
      accessKey: `ASIA${sts.issued.length}`,
      secretKey: `temporary+${randomUUID()}`,
      sessionToken: `token/${randomUUID()}==`,
    };
    const expiresAt = new Date(Date.now() + sts.lifetimeMs);
    sts.issued.push(keys);
    s3?.addAccount({ ...keys, expiresAt });
    response.writeHead(200, { "content-type": "text/xml" });
    response.end(answerWith(keys, expiresAt));
  }

  return sts;
}

/** A successful answer, in the form of AWS. */
export function answerWith(
  { accessKey, secretKey, sessionToken }: StsServer["issued"][number],
  expiresAt: Date | string,
): string {
  const expiration = typeof expiresAt === "string" ? expiresAt : expiresAt.toISOString();
  return `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
<AssumedRoleUser><AssumedRoleId>AROA:accession</AssumedRoleId><Arn>arn:aws:sts::1:assumed-role/r/accession</Arn></AssumedRoleUser>
<Credentials><AccessKeyId>${accessKey}</AccessKeyId><SecretAccessKey>${secretKey}</SecretAccessKey>
<SessionToken>${sessionToken}</SessionToken><Expiration>${expiration}</Expiration></Credentials>
</AssumeRoleResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleResponse>`;
}

export function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "text/xml" });
  response.end(
    `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`,
  );
}

/** The hash interface that AWS's signer needs; with a secret it is an HMAC. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHmac> | ReturnType<typeof createHash>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string | Uint8Array);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

async function signatureFault(
  { headers, url = "/", method = "" }: IncomingMessage,
  body: string,
): Promise<{ code: string; message: string } | undefined> {
  const { authorization = "", host = "" } = headers;
  const date = String(headers["x-amz-date"]);
  const [, accessKey, region, names = ""] =
    /Credential=([^/]+)\/\d{8}\/([^/]+)\/sts\/aws4_request, ?SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  if (accessKey !== SERVICE_IDENTITY.accessKey || region === undefined) {
    return { code: "InvalidClientTokenId", message: "The security token included in the request is invalid." };
  }
  const signer = new SignatureV4({
    service: "sts",
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: SERVICE_IDENTITY.secretKey },
    sha256: Sha256,
  });
  const signedHeaders = Object.fromEntries(names.split(";").map((name) => [name, String(headers[name])]));
  const signingDate = new Date(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  const request = { method, protocol: "http:", hostname: host, path: url, query: {}, headers: signedHeaders, body };
  const signed = await signer.sign(request, { signingDate });
  const isBody = headers["x-amz-content-sha256"] === createHash("sha256").update(body).digest("hex");
  if (isBody && signed.headers.authorization === authorization) return undefined;
  return { code: "SignatureDoesNotMatch", message: "The request signature we calculated does not match" };
}

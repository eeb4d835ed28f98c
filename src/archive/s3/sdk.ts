import { hash } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import type { S3Credentials } from "../../domain/source-access/access.ts";
import type { S3Location } from "./layout.ts";

export type Sdk = typeof import("@aws-sdk/client-s3");

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Time without a byte in either direction after which a request fails. The store may need long to join the parts of a
 * large upload.
 */
const SOCKET_SILENCE_TIMEOUT_MS = 90_000;
const REQUEST_TIMEOUT_MS = 300_000;
const TRIES = 5;

/** Loads the SDK. It is large, so it is loaded only for an archive in an object store. */
export function loadSdk(): Promise<Sdk> {
  return import("@aws-sdk/client-s3");
}

/** Creates a client with explicit settings. AWS settings in the environment are ignored. */
export function makeClient(sdk: Sdk, place: S3Location, connections: number): S3Client {
  const agent = { keepAlive: true, maxSockets: connections };
  const client = new sdk.S3Client({
    region: place.region,
    ...(place.endpoint !== undefined && { endpoint: place.endpoint, forcePathStyle: true }),
    credentials: sdkCredentials(place.credentials),
    ignoreConfiguredEndpointUrls: true,
    defaultsMode: "standard",
    followRegionRedirects: false,
    useAccelerateEndpoint: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    disableS3ExpressSessionAuth: true,
    maxAttempts: TRIES,
    retryMode: "standard",
    // The SDK sends checksums as trailers of a framed body, which many servers do not support.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_SILENCE_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: { ...agent, ...(place.ca && { ca: place.ca }) },
    },
    logger: silent,
  });
  client.middlewareStack.add(
    (next) => (args) => {
      stateDigests(args.request as Parameters<typeof stateDigests>[0]);
      return next(args);
    },
    { step: "build", priority: "low", name: "stateDigests" },
  );
  return client;
}

function sdkCredentials({ accessKey, secretKey, sessionToken }: S3Credentials) {
  return { accessKeyId: accessKey, secretAccessKey: secretKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Suppresses the SDK's warnings, which can quote requests. */
const quiet = () => undefined;
const silent = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };

/**
 * Adds the digests of a body in the two forms that every server checks: Content-MD5, and the SHA-256 that the signature
 * covers. Removes the SDK's own checksum headers, because servers refuse unknown headers.
 */
function stateDigests({ headers, body }: { headers: Record<string, string>; body?: unknown }): void {
  for (const name of Object.keys(headers)) if (/^x-amz-(sdk-)?checksum-/i.test(name)) delete headers[name];
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return;
  headers["content-md5"] = hash("md5", body, "base64");
  headers["x-amz-content-sha256"] = hash("sha256", body);
}

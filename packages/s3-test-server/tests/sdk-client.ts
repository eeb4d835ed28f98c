import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import type { S3Server } from "../src/index.ts";

/** The account of the S3 server's own tests. */
export const owner = { accessKey: "AKOWNER", secretKey: "secret-of-owner" };

/** Differences from the usual client. */
export interface SdkOptions extends Partial<S3ClientConfig> {
  account?: { accessKey: string; secretKey: string };
  sessionToken?: string;
}

/** An AWS SDK client with explicit settings, so that AWS settings of the environment are ignored. */
export function sdkClient(server: Pick<S3Server, "endpoint">, options: SdkOptions = {}): S3Client {
  const { account = owner, sessionToken, ...config } = options;
  return new S3Client({
    endpoint: server.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: {
      accessKeyId: account.accessKey,
      secretAccessKey: account.secretKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    ...config,
  });
}

/** The error code of the SDK, and the HTTP status. */
export async function refusal(work: Promise<unknown>): Promise<[string, number]> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error("the request was not refused");
  const { name, $metadata } = error as { name: string; $metadata: { httpStatusCode: number } };
  return [name, $metadata.httpStatusCode];
}

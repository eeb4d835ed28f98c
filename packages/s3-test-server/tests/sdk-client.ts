import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import type { S3Server } from "../src/index.ts";

/** The account that the tests of the S3 server use for themselves. */
export const owner = { accessKey: "AKOWNER", secretKey: "secret-of-owner" };

/** What differs from the usual client. */
export interface SdkOptions extends Partial<S3ClientConfig> {
  account?: { accessKey: string; secretKey: string };
  sessionToken?: string;
}

/** An AWS SDK client with everything explicit, so that nothing of the environment's AWS settings counts. */
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

/** What went wrong, as the SDK names it, and the HTTP status. */
export async function refusal(work: Promise<unknown>): Promise<[string, number]> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error("the request was not refused");
  const { name, $metadata } = error as { name: string; $metadata: { httpStatusCode: number } };
  return [name, $metadata.httpStatusCode];
}

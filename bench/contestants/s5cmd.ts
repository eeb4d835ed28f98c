import { type Measured, runMeasured } from "../support/measure.ts";
import { type Bucket, KEYS } from "../support/source.ts";

/** `s5cmd cp` of the whole bucket into an empty folder. */
export async function runS5cmd({ endpoint, bucket, caFile, workload }: Bucket, target: string): Promise<Measured> {
  const environment = {
    AWS_ACCESS_KEY_ID: KEYS.accessKey,
    AWS_SECRET_ACCESS_KEY: KEYS.secretKey,
    AWS_REGION: "us-east-1",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  };
  const network = [
    ...(caFile === undefined ? [] : ["--no-verify-ssl"]),
    ...(workload.source === "failing" ? ["--retry-count", "20"] : []),
  ];
  const args = ["--endpoint-url", endpoint, ...network, "--log", "error", "cp", `s3://${bucket}/*`, `${target}/`];
  const { output: _, ...measured } = await runMeasured("s5cmd", args, environment);
  return measured;
}

#!/usr/bin/env node
import { parseArgs } from "node:util";
import { fillDemoBucket, startS3Server } from "./index.ts";

const HELP = `Usage: s3-test-server [options]

Starts an S3 server that keeps everything in memory, and stops at Ctrl-C. It listens on the loopback address unless
--host names another one.

  --host <address>       address to listen on (127.0.0.1)
  --port <number>        port to listen on (a free one)
  --region <region>      region of the server and its buckets (us-east-1)
  --access-key <key>     access key of an account that may do everything (test)
  --secret-key <key>     secret key of that account (test-secret)
  --bucket <name>        creates an empty bucket; may be repeated
  --demo                 creates the bucket demo-field-trial, with a small sample dataset
  --help                 prints this text
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      host: { type: "string" },
      port: { type: "string" },
      region: { type: "string" },
      "access-key": { type: "string", default: "test" },
      "secret-key": { type: "string", default: "test-secret" },
      bucket: { type: "string", multiple: true, default: [] },
      demo: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { host, port, region } = values;
  const server = await startS3Server({
    keepHistory: false,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port: portIn(port) }),
    ...(region !== undefined && { region }),
  });
  server.addAccount({ accessKey: values["access-key"], secretKey: values["secret-key"] });
  for (const name of values.bucket) server.createBucket(name);
  console.log(`The S3 server listens on ${server.endpoint}`);
  if (values.demo) {
    const { bucket, accessKey, secretKey, objects } = fillDemoBucket(server);
    console.log(`The bucket ${bucket} has ${objects} objects. Its keys: ${accessKey} ${secretKey}`);
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void server.close());
}

function portIn(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${text} is not a port number`);
  return port;
}

await main().catch((error: unknown) => {
  console.error(`s3-test-server: ${(error as Error).message}`);
  process.exitCode = 2;
});

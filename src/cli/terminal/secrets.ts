import { stat } from "node:fs/promises";
import { Option } from "@commander-js/extra-typings";
import type { Client } from "../client/client.ts";
import { Failure } from "./failure.ts";
import type { Output } from "./output.ts";
import { readTextFile } from "./read-input.ts";
import { show, WARNING } from "./text.ts";

interface Keys {
  accessKey: string;
  secretKey: string;
  sessionToken?: string;
}

/** The options for credentials. None takes a secret, because all users of the machine can read arguments. */
export const CREDENTIALS_FILE = new Option(
  "--credentials-file <file>",
  "file with credentials: JSON {accessKey, secretKey, sessionToken?}, or AWS format (profile “default”)",
);
export const ANONYMOUS = new Option("--anonymous", "read a public bucket without credentials");

export const ROLE = new Option(
  "--role-arn <arn>",
  "role with which the service reads the bucket, instead of credentials; its trust policy must require your external id",
).conflicts(["credentialsFile", "anonymous"]);
export const REQUESTER_PAYS = new Option(
  "--requester-pays",
  "let the storage provider charge the account of the access key for requests and downloads",
);

/**
 * Reads the credentials of the bucket from the file, the environment or a prompt, in this order.
 *
 * @throws Failure 2 that states how to pass them
 */
export async function readSecrets(
  options: { credentialsFile?: string; anonymous?: true; requesterPays?: true; roleArn?: string },
  { client, output }: { client: Client; output: Output },
): Promise<((Keys | { roleArn: string }) & { requesterPays?: true }) | { anonymous: true }> {
  if (options.anonymous && options.requesterPays) {
    throw new Failure(
      2,
      "--anonymous and --requester-pays cannot be used together: the storage provider charges the account of an access key",
    );
  }
  if (options.anonymous && options.credentialsFile !== undefined) {
    throw new Failure(2, "--anonymous and --credentials-file cannot be used together");
  }
  if (options.anonymous) return { anonymous: true };
  const pays = options.requesterPays && { requesterPays: true as const };
  if (options.roleArn !== undefined) return { roleArn: options.roleArn, ...pays };
  if (client.isExposed) {
    output.note(
      show`${WARNING} ${client.url} is unencrypted HTTP: others in the network can read the credentials of the bucket`,
    );
  }
  const found =
    options.credentialsFile === undefined
      ? await fromEnvironment(process.env)
      : await fromFile(options.credentialsFile, output);
  return { ...found, ...pays };
}

async function fromEnvironment(environment: NodeJS.ProcessEnv): Promise<Keys> {
  const accessKey = environment.ACCESSION_ACCESS_KEY?.trim() || undefined;
  const secretKey = environment.ACCESSION_SECRET_KEY?.trim() || undefined;
  const sessionToken = environment.ACCESSION_SESSION_TOKEN?.trim() || undefined;
  if (accessKey !== undefined && secretKey !== undefined) return keys(accessKey, secretKey, sessionToken);
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const missing = [
      ...(accessKey === undefined ? ["ACCESSION_ACCESS_KEY"] : []),
      ...(secretKey === undefined ? ["ACCESSION_SECRET_KEY"] : []),
    ];
    throw new Failure(
      2,
      `The credentials of the bucket are missing: set ${missing.join(" and ")}, or use --credentials-file FILE, or --anonymous for a public bucket`,
    );
  }
  return ask(accessKey, secretKey, sessionToken);
}

async function ask(accessKey?: string, secretKey?: string, sessionToken?: string): Promise<Keys> {
  const { password, text } = await import("@clack/prompts");
  const needed = (value: string | undefined) => (value?.trim() ? undefined : "A value is required.");
  // Standard output is reserved for results.
  const output = process.stderr;
  const answer = async (prompt: Promise<string | symbol>): Promise<string> => {
    const value = await prompt;
    if (typeof value === "symbol") throw new Failure(2, "No credentials were entered. Nothing was sent.");
    return value.trim();
  };
  const access = accessKey ?? (await answer(text({ message: "Access key of the bucket", validate: needed, output })));
  const secret = secretKey ?? (await answer(password({ message: "Secret key", validate: needed, output })));
  return keys(access, secret, sessionToken);
}

async function fromFile(file: string, output: Output): Promise<Keys> {
  const text = await readTextFile(file, "The credentials file");
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    output.note(show`${WARNING} ${file} can be read by other users. Restrict its permissions with “chmod 600”.`);
  }
  const found = text.trimStart().startsWith("{") ? parseJson(text) : parseProfile(text);
  const { accessKey, secretKey, sessionToken } = found;
  if (!accessKey || !secretKey) {
    // The message does not quote the file, which can contain secrets.
    throw new Failure(
      2,
      show`The credentials file ${file} contains no credentials. Use JSON {"accessKey", "secretKey"}, or aws_access_key_id and aws_secret_access_key under [default].`,
    );
  }
  return keys(accessKey, secretKey, sessionToken || undefined);
}

function parseJson(text: string): Partial<Keys> {
  try {
    const { accessKey, secretKey, sessionToken } = JSON.parse(text) as Partial<Keys>;
    const texts = [accessKey, secretKey, sessionToken].every(
      (value) => value === undefined || typeof value === "string",
    );
    return texts ? ({ accessKey, secretKey, sessionToken } as Partial<Keys>) : {};
  } catch {
    return {};
  }
}

/** Reads the `[default]` profile of an AWS credentials file. */
function parseProfile(text: string): Partial<Keys> {
  const values = new Map<string, string>();
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[\s*(.+?)\s*\]/.exec(line)?.[1] ?? section;
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (section === "default" && name !== undefined && value !== undefined) values.set(name, value);
  }
  const pick = (name: string) => values.get(name) ?? "";
  return {
    accessKey: pick("aws_access_key_id"),
    secretKey: pick("aws_secret_access_key"),
    sessionToken: pick("aws_session_token"),
  };
}

function keys(accessKey: string, secretKey: string, sessionToken?: string): Keys {
  return { accessKey, secretKey, ...(sessionToken !== undefined && { sessionToken }) };
}

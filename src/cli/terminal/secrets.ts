import { readFile, stat } from "node:fs/promises";
import type { Command } from "commander";
import type { Client } from "../client/client.ts";
import { Failure, reasonOf } from "./failure.ts";
import type { Output } from "./output.ts";
import { show, styled } from "./text.ts";

export interface SecretOptions {
  credentialsFile?: string;
  anonymous?: boolean;
}

export interface Keys {
  accessKey: string;
  secretKey: string;
  sessionToken?: string;
}

/** Nothing secret among them: arguments can be read by everybody on the machine. */
export function addSecretOptions(command: Command): Command {
  return command
    .option("--credentials-file <file>", "JSON {accessKey, secretKey, sessionToken?}, or an AWS-style file ([default])")
    .option("--anonymous", "the bucket is open to everyone: no keys");
}

/**
 * The bucket's keys: from the file, else from the environment, else from a prompt.
 *
 * @throws Failure 2 that says how to give them
 */
export async function readSecrets(
  options: SecretOptions,
  { client, output }: { client: Client; output: Output },
): Promise<Keys | { anonymous: true }> {
  if (options.anonymous && options.credentialsFile !== undefined) {
    throw new Failure(2, "--anonymous and --credentials-file contradict each other");
  }
  if (options.anonymous) return { anonymous: true };
  if (client.isExposed) {
    output.note(
      show`${styled("yellow", "!")} ${client.url} is plain HTTP: others on the way can read the bucket's keys`,
    );
  }
  return options.credentialsFile === undefined
    ? fromEnvironment(process.env)
    : fromFile(options.credentialsFile, output);
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
      `The bucket's keys are missing: set ${missing.join(" and ")}, or use --credentials-file FILE, or --anonymous for a bucket that is open to everyone`,
    );
  }
  return ask(accessKey, secretKey, sessionToken);
}

async function ask(accessKey?: string, secretKey?: string, sessionToken?: string): Promise<Keys> {
  const { password, text } = await import("@clack/prompts");
  const needed = (value: string | undefined) => (value?.trim() ? undefined : "This is needed.");
  // Standard output is for results, which may go to a file.
  const output = process.stderr;
  const answer = async (prompt: Promise<string | symbol>): Promise<string> => {
    const value = await prompt;
    if (typeof value === "symbol") throw new Failure(2, "No keys were given; nothing was sent");
    return value.trim();
  };
  const access = accessKey ?? (await answer(text({ message: "Access key of the bucket", validate: needed, output })));
  const secret = secretKey ?? (await answer(password({ message: "Secret key", validate: needed, output })));
  return keys(access, secret, sessionToken);
}

async function fromFile(file: string, output: Output): Promise<Keys> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Failure(2, show`The credentials file ${file} cannot be read: ${reasonOf(error)}`);
  });
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    output.note(show`${styled("yellow", "!")} ${file} can be read by others: chmod 600 it`);
  }
  const found = text.trimStart().startsWith("{") ? parseJson(text) : parseProfile(text);
  const { accessKey, secretKey, sessionToken } = found;
  if (!accessKey || !secretKey) {
    // The file's text is not quoted: it is a secret.
    throw new Failure(
      2,
      show`The credentials file ${file} holds no keys: it is JSON {"accessKey", "secretKey"}, or has aws_access_key_id and aws_secret_access_key under [default]`,
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

/** The `[default]` profile of an AWS credentials file. */
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

import { readFile } from "node:fs/promises";
import type { JSONWebKeySet } from "jose";
import { timeLimit } from "../../../packages/client/src/index.ts";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { show } from "../terminal/text.ts";

const ANSWER_MS = 20_000;

/** Reads the public keys from a file or URL. @throws Failure 2 or 3 that states the reason */
export async function readJwks(place: string): Promise<JSONWebKeySet> {
  const content = await (/^https?:\/\//.test(place) ? fetchText(place) : readFile(place, "utf8")).catch(
    (error: unknown) => {
      if (error instanceof Failure) throw error;
      throw new Failure(2, show`The keys in ${place} cannot be read: ${reasonOf(error)}`);
    },
  );
  return jwksIn(content, place);
}

/** Parses public keys. @throws Failure 2 that names the file or URL */
export function jwksIn(text: string, place: string): JSONWebKeySet {
  try {
    const jwks = JSON.parse(text) as Partial<JSONWebKeySet>;
    if (Array.isArray(jwks.keys)) return jwks as JSONWebKeySet;
  } catch {
    // Reported below.
  }
  throw new Failure(2, show`${place} does not contain a JWKS (a JSON object with “keys”)`);
}

async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: timeLimit(ANSWER_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new Failure(3, show`The keys cannot be fetched from ${url}: ${reasonOf((error as Error).cause ?? error)}`);
  }
}

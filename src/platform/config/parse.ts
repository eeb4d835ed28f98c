import { isIP } from "node:net";

/** A problem of one setting. All problems are collected and reported together. */
export class SettingError extends Error {}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new SettingError("is not a port (0 to 65535)");
  return port;
}

export function parseBasePath(text: string): string {
  const path = text.replace(/\/+$/, "");
  if (path !== "" && !/^(\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/.test(path))
    throw new SettingError("is not a path such as /accession");
  return path;
}

/** An origin as written by browsers: only scheme, host and port. */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new SettingError(`“${text}” is not an origin such as https://data.example.org`);
  }
  return url.origin;
}

export function parseCidr(text: string): string {
  const [address = "", bits = "", ...rest] = text.split("/");
  const family = address.includes("%") ? 0 : isIP(address);
  const most = family === 4 ? 32 : 128;
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) {
    throw new SettingError(`“${text}” is not a network such as 10.0.0.0/8`);
  }
  return text;
}

/** Items separated by commas. Empty items are ignored. */
export function parseList<T>(text: string, parse: (item: string) => T): T[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map(parse);
}

export function parseChoice<T extends string>(text: string, offered: readonly T[], later: readonly string[] = []): T {
  const found = offered.find((choice) => choice === text);
  if (found !== undefined) return found;
  if (later.includes(text)) throw new SettingError(`“${text}” is not supported by this version`);
  throw new SettingError(`must be ${offered.join(" or ")}`);
}

const UNITS: Record<string, number> = { "": 1, B: 1, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 };
const LEAST_RESERVE = 2 * 2 ** 30;

/** A percentage with at least 2 GiB, or a size. */
export function parseReserve(text: string): { share: number; bytes: number } {
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(text)?.[1];
  if (percent !== undefined) {
    if (Number(percent) >= 100) throw new SettingError("leaves no space for content");
    return { share: Number(percent) / 100, bytes: LEAST_RESERVE };
  }
  const bytes = sizeOf(text);
  if (bytes === undefined) throw new SettingError("is neither a percentage nor a size such as 50GiB");
  return { share: 0, bytes };
}

/** In bytes. */
export function parseSize(text: string): number {
  const bytes = sizeOf(text);
  if (bytes === undefined) throw new SettingError("is not a size such as 50GiB");
  return bytes;
}

function sizeOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]iB|B)?$/i.exec(text) ?? [];
  const factor = UNITS[(unit ?? "").toUpperCase()];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

export function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new SettingError("is not a whole number");
  return Number(text);
}

/** An issuer (OpenID Connect Discovery 1.0, section 3): no query, no fragment; TLS unless it is local. */
export function parseIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url?.protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url === undefined || !(local || url.protocol === "https:") || /[?#]/.test(text) || url.username || url.password) {
    throw new SettingError("is not an issuer such as https://id.example.org/realms/lab");
  }
  return text;
}

const DURATIONS: Record<string, number> = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** In milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d+)\s*(second|minute|hour|day)s?$/.exec(text) ?? [];
  const factor = DURATIONS[unit ?? ""];
  if (number === undefined || factor === undefined) throw new SettingError("is not a duration such as 30 days");
  return Number(number) * factor;
}

/** A duration from 1 second to 1 hour, in milliseconds. */
export function parseListingTimeout(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds < 1_000 || milliseconds > 3_600_000) throw new SettingError("is not from 1 second to 1 hour");
  return milliseconds;
}

/** A duration of at least a second, in milliseconds; undefined for “off”. */
export function parseInterval(text: string): number | undefined {
  if (text === "off") return undefined;
  const milliseconds = parseDuration(text);
  if (milliseconds === 0) throw new SettingError("must be longer than 0; use “off” to disable it");
  return milliseconds;
}

/** More than 0 % and at most 100 %, as a fraction. */
export function parseShare(text: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)\s*%$/.exec(text)?.[1] ?? Number.NaN);
  if (!(percent > 0 && percent <= 100)) throw new SettingError("is not a share such as 3.4%");
  return percent / 100;
}

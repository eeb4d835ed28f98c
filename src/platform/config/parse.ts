import { isIP } from "node:net";
import { resolve } from "node:path";

/** A problem of one setting. All problems are collected and reported together. */
export class SettingError extends Error {}

export function parseText(text: string): string {
  return text;
}

/** An absolute path. */
export function parsePath(text: string): string {
  return resolve(text);
}

/** Undefined in the result means that it is switched off. */
export function parsePathOrOff(text: string): { path: string | undefined } {
  return { path: text.toLowerCase() === "off" ? undefined : parsePath(text) };
}

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
export function listOf<T>(parse: (item: string) => T): (text: string) => T[] {
  return (text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
      .map(parse);
}

export function oneOf<const T extends string>(...offered: T[]): (text: string) => T {
  return (text) => {
    const found = offered.find((choice) => choice === text);
    if (found === undefined) throw new SettingError(`must be ${offered.join(" or ")}`);
    return found;
  };
}

export function parseSwitch(text: string): boolean {
  return oneOf("on", "off")(text) === "on";
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
  const local = url?.protocol === "http:" && isLoopback(url.hostname);
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

export function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new SettingError("is not a URL such as postgres://user@host/database");
  return text;
}

export function parseConnections(text: string): number {
  const connections = parseCount(text);
  if (connections < 2 || connections > 10_000) throw new SettingError("is not a number from 2 to 10000");
  return connections;
}

export function parseProxy(text: string): string {
  // A user name or password must be escaped correctly, or it could not be sent.
  const sound = URL.canParse(text) && !/%(?![0-9A-Fa-f]{2})/.test(text);
  if (!sound || !/^https?:\/\//.test(text)) throw new SettingError("is not a URL such as http://proxy:3128");
  return text;
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}

import { isMailAddress } from "../../domain/blank.ts";
import { SettingError } from "./parse.ts";

interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  user: string | undefined;
  password: string | undefined;
}

/** Parses the URL of a mail server. A query or path is refused, so that options such as disabling TLS checks cannot be set. */
export function parseMailServer(text: string): MailServer {
  const url = URL.canParse(text) && !/%(?![0-9A-Fa-f]{2})/.test(text) ? new URL(text) : undefined;
  const isBare = url !== undefined && /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "";
  if (!isBare || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new SettingError("is not a URL such as smtps://user:password@mail.example.org");
  }
  const secure = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    user: url.username === "" ? undefined : decodeURIComponent(url.username),
    password: url.password === "" ? undefined : decodeURIComponent(url.password),
  };
}

/** One address of a list. */
export function parseAddress(address: string): string {
  if (isMailAddress(address)) return address;
  throw new SettingError("is not a list of mail addresses such as curators@example.org");
}

/** `Name <address>`, or only the address. */
export function parseSender(text: string): { name: string; address: string } {
  const [, name = "", bracketed] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  if (!/^[^\s@<>",;:\p{C}]+@[A-Za-z0-9.-]+$/u.test(address)) {
    throw new SettingError("is not a sender such as Accession <accession@example.org>");
  }
  return { name: name.trim(), address };
}

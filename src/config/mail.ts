import { SettingError } from "./parse.ts";
import { PREFIX, type Read, type SettingName } from "./settings.ts";

/** Where mail is handed in, and from whom it is. */
export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  user: string | undefined;
  password: string | undefined;
  from: { name: string; address: string };
}

type MailServer = Omit<MailSettings, "from">;

/** Undefined: no mail is sent. */
export function mailOf(read: Read): MailSettings | undefined {
  const server = read<MailServer | undefined>("SMTP_URL", undefined, parseMailServer);
  const from = read<MailSettings["from"] | undefined>("MAIL_FROM", undefined, parseFrom);
  return server === undefined || from === undefined ? undefined : { ...server, from };
}

/** Half of it would be mail that somebody believes is sent. */
export function mailProblems(environment: NodeJS.ProcessEnv): string[] {
  const isSet = (name: SettingName) => (environment[PREFIX + name]?.trim() ?? "") !== "";
  if (isSet("SMTP_URL") === isSet("MAIL_FROM")) return [];
  const [missing, set] = isSet("SMTP_URL") ? ["MAIL_FROM", "SMTP_URL"] : ["SMTP_URL", "MAIL_FROM"];
  return [`${PREFIX}${missing} is mandatory with ${PREFIX}${set}`];
}

/** What URLs of mail servers can do elsewhere, such as switching off checks, is not offered: no query, no path. */
function parseMailServer(text: string): MailServer {
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

/** `Name <address>`, or the address alone. */
function parseFrom(text: string): MailSettings["from"] {
  const [, name = "", bracketed] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  if (!/^[^\s@<>",;:\p{C}]+@[A-Za-z0-9.-]+$/u.test(address)) {
    throw new SettingError("is not a sender such as Accession <accession@example.org>");
  }
  return { name: name.trim(), address };
}

import { isMailAddress } from "../../domain/blank.ts";
import { parseList, SettingError } from "./parse.ts";
import { PREFIX, type Read, type SettingName } from "./settings.ts";

/** The mail server and the sender of mails. */
export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  user: string | undefined;
  password: string | undefined;
  from: { name: string; address: string };
  /** Recipients of mails to curators about datasets without an assigned curator. */
  curators: string[];
  /** Recipients of mails about registrations that only the operator can correct. */
  operators: string[];
}

type MailServer = Omit<MailSettings, "from" | "curators" | "operators">;

/** The mail settings; undefined if the service sends no mail. */
export function mailOf(read: Read): MailSettings | undefined {
  const server = read<MailServer | undefined>("SMTP_URL", undefined, parseMailServer);
  const from = read<MailSettings["from"] | undefined>("MAIL_FROM", undefined, parseFrom);
  const curators = read("CURATOR_MAIL", [], parseAddresses);
  const operators = read("OPERATOR_MAIL", [], parseAddresses);
  return server === undefined || from === undefined ? undefined : { ...server, from, curators, operators };
}

/** Incomplete mail settings are refused, because operators would assume that mail is sent. */
export function mailProblems(environment: NodeJS.ProcessEnv): string[] {
  const isSet = (name: SettingName) => (environment[PREFIX + name]?.trim() ?? "") !== "";
  if (!isSet("SMTP_URL") && !isSet("MAIL_FROM")) {
    return (["CURATOR_MAIL", "OPERATOR_MAIL"] as const)
      .filter(isSet)
      .map((name) => `${PREFIX}${name} is only used with ${PREFIX}SMTP_URL`);
  }
  if (isSet("SMTP_URL") && isSet("MAIL_FROM")) return [];
  const [missing, set] = isSet("SMTP_URL") ? ["MAIL_FROM", "SMTP_URL"] : ["SMTP_URL", "MAIL_FROM"];
  return [`${PREFIX}${missing} is mandatory with ${PREFIX}${set}`];
}

/** Parses the URL of a mail server. A query or path is refused, so that options such as disabling TLS checks cannot be set. */
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

function parseAddresses(list: string): string[] {
  return parseList(list, (address) => {
    if (isMailAddress(address)) return address;
    throw new SettingError("is not a list of mail addresses such as curators@example.org");
  });
}

/** `Name <address>`, or only the address. */
function parseFrom(text: string): MailSettings["from"] {
  const [, name = "", bracketed] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  if (!/^[^\s@<>",;:\p{C}]+@[A-Za-z0-9.-]+$/u.test(address)) {
    throw new SettingError("is not a sender such as Accession <accession@example.org>");
  }
  return { name: name.trim(), address };
}

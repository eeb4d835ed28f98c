import { SettingError } from "./parse.ts";
import type { Read } from "./settings.ts";

/** The publisher of the datasets. */
export interface PublisherSettings {
  name: string;
  url?: string;
  email?: string;
  ror?: string;
}

export function publisherOf(read: Read): PublisherSettings {
  const url = read<string | undefined>("PUBLISHER_URL", undefined, parsePage);
  const email = read<string | undefined>("PUBLISHER_EMAIL", undefined, parseEmail);
  const ror = read<string | undefined>("PUBLISHER_ROR", undefined, parseRor);
  return {
    name: read("PUBLISHER", "Accession", (text) => text),
    ...(url !== undefined && { url }),
    ...(email !== undefined && { email }),
    ...(ror !== undefined && { ror }),
  };
}

/** The address of a web page. @throws SettingError */
export function parsePage(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new SettingError("is not the address of a web page such as https://archive.example.org");
  }
  return url.href;
}

function parseEmail(text: string): string {
  if (!/^[A-Za-z0-9.!#$&'*+/=_~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(text)) {
    throw new SettingError("is not a mail address such as help@example.org");
  }
  return text;
}

/** With or without `https://ror.org/`. */
function parseRor(text: string): string {
  const id = /^(?:https:\/\/ror\.org\/)?(0[0-9a-hjkmnp-tv-z]{6}\d{2})$/.exec(text.toLowerCase())?.[1];
  if (id === undefined) throw new SettingError("is not a ROR id such as https://ror.org/02skbsp27");
  return `https://ror.org/${id}`;
}

/** A repository account of DataCite. */
export interface Account {
  /** Its id, such as `TEST.REPO`. Case does not matter. */
  repository: string;
  password: string;
  /** DOI prefixes, such as `10.5072`. */
  prefixes: string[];
  /** Hosts to which its DOIs may lead; `*` for any, `*.example.org` for subdomains. */
  domains: string[];
}

/** The account that a request states with HTTP Basic (RFC 7617); undefined without credentials, false if they are wrong. */
export function accountOf(
  accounts: readonly Account[],
  authorization: string | undefined,
): Account | undefined | false {
  if (authorization === undefined) return undefined;
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  const [repository = "", ...password] = Buffer.from(encoded ?? "", "base64")
    .toString()
    .split(":");
  const found = accounts.find((one) => one.repository.toLowerCase() === repository.toLowerCase());
  return found !== undefined && found.password === password.join(":") ? found : false;
}

/** Whether an account may register this URL. `example.org` does not include its subdomains. */
export function allowsUrl({ domains }: Account, url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : undefined;
  if (host === undefined) return false;
  return domains.some(
    (domain) => domain === "*" || domain === host || (domain.startsWith("*.") && host.endsWith(domain.slice(1))),
  );
}

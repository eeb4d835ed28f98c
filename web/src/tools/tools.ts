/**
 * The script of landing pages: shows `<section data-tools="/dataset/ID/publication?version=1" data-application="/app" hidden>`
 * to people who are signed in to the application and are the owner, a curator or an admin. The service decides that: it names
 * the actions that the caller can take. Other readers get the page as it was sent.
 *
 * On pages that say that something is not public, it leads people who are signed in to the page of the application to which
 * `<a href="/app/datasets/ID" data-forward data-application="/app">` leads.
 */

/** As the application keeps the session (`api/session/session.ts`). */
const PLACE = "accession.session";

const NONE = { total: 0, resolved: 0 };

for (const section of document.querySelectorAll<HTMLElement>("[data-tools]")) {
  const { tools = "", application = "" } = section.dataset;
  void publicationAt(tools, application).then(({ actions = [], comments = NONE }) => {
    section.hidden = actions.length === 0;
    sayOpen(section, comments.total - comments.resolved);
  });
}

for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-forward]")) {
  void tokenFor(link.dataset.application ?? "").then((token) => {
    if (token !== undefined) location.replace(link.href);
  });
}

/** The token of the session of this tab, or of another one; undefined if the reader is not signed in. */
async function tokenFor(application: string): Promise<string | undefined> {
  return tokenIn(stored()) ?? (await tokenOfOtherTab(application));
}

/** The caller’s possible actions for the publication at this address, and the number of its comments. Nothing for readers. */
async function publicationAt(
  address: string,
  application: string,
): Promise<{ actions?: unknown[]; comments?: typeof NONE }> {
  const token = await tokenFor(application);
  if (token === undefined) return {};
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}`, accept: "application/json" } });
  return answer.ok ? answer.json() : {};
}

/** Says how many comments are open, in `<span data-comments data-one="1 open comment" data-several="# open comments" hidden>`. */
function sayOpen(section: HTMLElement, open: number): void {
  const place = section.querySelector<HTMLElement>("[data-comments]");
  if (place === null || open === 0) return;
  const { one = "", several = "" } = place.dataset;
  place.textContent = open === 1 ? one : several.replace("#", String(open));
  place.hidden = false;
}

/** Undefined if the browser stores nothing for this page. */
function stored(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  } catch {
    return undefined;
  }
}

function tokenIn(session: unknown): string | undefined {
  const { token } = (session ?? {}) as { token?: unknown };
  return typeof token === "string" ? token : undefined;
}

/**
 * Asks the other tabs of the application, as a new tab of it does (`api/session/tab-session.ts`), and waits until one answers. They do not
 * answer below a base path.
 */
async function tokenOfOtherTab(application: string): Promise<string | undefined> {
  if (application !== "/app" || typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(`accession.session ${application}`);
  const ask = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  channel.onmessage = ({ data }: MessageEvent<{ kind?: unknown; ask?: unknown; session?: unknown } | null>) => {
    if (data?.kind === "session" && data.ask === ask) resolve(tokenIn(data.session));
  };
  channel.postMessage({ kind: "ask", ask });
  const token = await promise;
  channel.close();
  return token;
}

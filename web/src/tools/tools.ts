/**
 * The script of landing pages: shows `<section data-tools="/dataset/ID/publication?version=1" data-application="/app" hidden>`
 * to people who are signed in to the application and are the owner, a curator or an admin. The service decides that: it names
 * the actions that the caller can take. Other readers get the page as it was sent.
 */

/** As the application keeps the session (`api/session/session.ts`). */
const PLACE = "accession.session";

for (const section of document.querySelectorAll<HTMLElement>("[data-tools]")) {
  const { tools = "", application = "" } = section.dataset;
  void mayAct(tools, application).then((isShown) => {
    section.hidden = !isShown;
  });
}

/** Whether the service lets the caller do anything with the publication at this address. */
async function mayAct(address: string, application: string): Promise<boolean> {
  const token = tokenIn(stored()) ?? (await tokenOfOtherTab(application));
  if (token === undefined) return false;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}`, accept: "application/json" } });
  if (!answer.ok) return false;
  const { actions = [] } = (await answer.json()) as { actions?: unknown[] };
  return actions.length > 0;
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

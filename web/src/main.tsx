import "@mantine/core/styles.layer.css";
import "./theme/theme.css";
import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import { PAGE_PATH } from "./api/client.ts";
import { prefetchService } from "./api/service.ts";
import { forgetHere } from "./api/session/sign-out.ts";
import { shareSessionWithTabs } from "./api/session/tab-session.ts";
import { App } from "./shell/App.tsx";
import { preloadPageAt, REVIEW } from "./shell/Routes.tsx";
import { openWords, unavailableText } from "./words/words.ts";

// Styles that libraries make while the page runs are let in by the nonce of the document’s policy.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

/** Milliseconds that the first view waits for the page's code. */
const FIRST_VIEW_MS = 1_000;

// No top-level await, because the modules of the pages wait for this one.
void open();

/** Fetches everything that the first view needs in parallel, and then renders the page. */
async function open(): Promise<void> {
  // A page that cannot be loaded now is loaded again when it is shown; errors are reported there.
  const isFetched = preloadPageAt(location.pathname.slice(PAGE_PATH.length)).catch(() => undefined);
  const isReview = location.pathname.slice(PAGE_PATH.length).replace(/\/$/, "") === REVIEW.pattern;
  const isJoined = isReview ? Promise.resolve() : prepareSession();
  const root = document.getElementById("page");
  if (root === null) throw new Error("The document has no place for the page");
  try {
    await openWords();
  } catch (error) {
    root.textContent = unavailableText();
    console.error(error);
    return;
  }
  await Promise.race([isFetched, new Promise((resolve) => setTimeout(resolve, FIRST_VIEW_MS))]);
  await isJoined;
  createRoot(root).render(<App nonce={nonce} />);
}

/** Asks the other tabs for a session, and fetches what the pages of users need. Resolves after the other tabs were asked. */
function prepareSession(): Promise<void> {
  const isJoined = shareSessionWithTabs(forgetHere);
  void prefetchService(isJoined).then(({ signsInFirst }) => {
    if (signsInFirst) preloadPageAt("/sign-in").catch(() => undefined);
  });
  return isJoined;
}

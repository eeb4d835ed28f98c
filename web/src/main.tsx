import "@mantine/core/styles.layer.css";
import "./theme/theme.css";
import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import { PAGE_PATH } from "./api/client.ts";
import { askAhead } from "./api/service.ts";
import { App } from "./shell/App.tsx";
import { fetchRoomAt } from "./shell/Rooms.tsx";
import { openWords } from "./words/words.ts";

// Styles that libraries make while the page runs are let in by the nonce of the document’s policy.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

// All at once, so that the first thing shown is the room: what cannot be fetched is told of when it is shown. Nothing is
// awaited here itself, for rooms are made of modules that wait for this one.
void askAhead();
const room = fetchRoomAt(location.pathname.slice(PAGE_PATH.length + 1)).catch(() => undefined);
void Promise.all([openWords(), room]).then(show);

function show(): void {
  const root = document.getElementById("page");
  if (root === null) throw new Error("The document has no place for the page");
  createRoot(root).render(<App nonce={nonce} />);
}

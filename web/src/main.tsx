import "@mantine/core/styles.layer.css";
import "./theme/theme.css";
import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { serviceQuery } from "./api/service.ts";
import { App } from "./shell/App.tsx";
import { openWords } from "./words/words.ts";

// Styles that libraries make while the page runs are let in by the nonce of the document’s policy.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

// Asked for while the words are still on their way.
void queries.prefetchQuery(serviceQuery);
await openWords();

const root = document.getElementById("page");
if (root === null) throw new Error("The document has no place for the page");
createRoot(root).render(<App nonce={nonce} />);

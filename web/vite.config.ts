import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { keepBudget } from "./build/budget.ts";
import { compressAhead } from "./build/compress.ts";
import { shared } from "./build/shared.ts";
import { siteParts } from "./build/site-parts.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Modules that several pages share, but not those that most visitors open. */
const OF_FEW_PAGES =
  /papaparse|tus-js-client|js-base64|url-parse|querystringify|requires-port|site-parts|packages\/rules\/|metadata-form\/(vocabulary|more)\/|compare\/(chosen-files|hashers)|src\/(access|account|comments|new\/upload|publication|rendered|review|reviewer-links|revisions)\/|words\/\w+\/(access|account|publications?|review|upload)\.json/;

export default defineConfig({
  ...shared,
  plugins: [react(), siteParts(), keepBudget(), compressAhead()],
  build: {
    ...shared.build,
    outDir: here("../dist/web"),
    emptyOutDir: true,
    // Hides the warning that compressing takes long.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Few files: over HTTP/1.1, thirty small files load more slowly than one large file with some unused code.
      output: {
        codeSplitting: {
          groups: [
            { name: "page", tags: ["$initial"] },
            {
              name: "shared",
              minShareCount: 2,
              test: (id) => !OF_FEW_PAGES.test(id),
            },
          ],
        },
      },
    },
  },
  // “npm run page” shows changes immediately. Its requests go to the service of “npm start”.
  server: { proxy: proxyTo("http://127.0.0.1:8080") },
});

function proxyTo(target: string): Record<string, string> {
  const paths = [
    ...[
      "/submission",
      "/dataset",
      "/publication",
      "/deposit-agreement",
      "/reply-template",
      "/curator",
      "/service",
      "/caller",
      "/account",
      "/vocabulary",
      "/uploads",
    ],
    ...["/health", "/docs", "/openapi.json"],
  ];
  return Object.fromEntries(paths.map((path) => [path, target]));
}

import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { keepBudget } from "./build/budget.ts";
import { compressAhead } from "./build/compress.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  // Below whatever path it is served: the document’s <base> says where.
  base: "./",
  plugins: [react(), keepBudget(), compressAhead()],
  resolve: { alias: { "@accession/client": here("../packages/client/src/index.ts") } },
  build: {
    outDir: here("../dist/web"),
    emptyOutDir: true,
    // Pictures inside of scripts would be data: addresses, and could not be kept by the browser.
    assetsInlineLimit: 0,
    // Those that know light-dark(): what older ones would be given instead does not work with a switch.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
    sourcemap: false,
    // Compressing takes its time, and nobody who starts the demo wants to hear of it.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Few files: over HTTP/1.1, thirty small ones cost more than a large one that holds something nobody needs yet.
      output: {
        codeSplitting: {
          groups: [
            { name: "page", tags: ["$initial"] },
            { name: "shared", minShareCount: 2, test: (id) => !id.includes("papaparse") },
          ],
        },
      },
    },
  },
  // “npm run page” shows changes while one types; the service is the one that “npm start” runs.
  server: { proxy: proxyTo("http://127.0.0.1:8080") },
});

function proxyTo(target: string): Record<string, string> {
  const paths = ["/submission", "/dataset", "/service", "/caller", "/health", "/docs", "/openapi.json"];
  return Object.fromEntries(paths.map((path) => [path, target]));
}

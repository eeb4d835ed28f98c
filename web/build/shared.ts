import { fileURLToPath } from "node:url";
import type { UserConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Settings of both builds: of the application, and of the scripts of server-rendered pages. */
export const shared = {
  root: here(".."),
  // Below whatever path it is served: the document’s <base> says where.
  base: "./",
  resolve: {
    alias: {
      "@accession/client": here("../../packages/client/src/index.ts"),
      "@accession/rules/words": here("../../packages/rules/src/words"),
      "@accession/rules": here("../../packages/rules/src/index.ts"),
    },
  },
  build: {
    // Inlined images would be data: URLs, which the browser cannot cache separately.
    assetsInlineLimit: 0,
    // Browsers that support light-dark(). The fallback for older ones does not work with the colour scheme switch.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
    sourcemap: false,
  },
} satisfies UserConfig;

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressAhead } from "./build/compress.ts";
import { shared } from "./build/shared.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Scripts of server-rendered pages. They are built apart from the application, so that no module of it, such as React, is
 * in a chunk that they load. `site-scripts.json` states the files of each script by its source (`src/http/page/site-scripts.ts`).
 */
export default defineConfig({
  ...shared,
  plugins: [compressAhead()],
  build: {
    ...shared.build,
    outDir: here("../dist/web"),
    emptyOutDir: false,
    manifest: "site-scripts.json",
    rolldownOptions: {
      input: {
        compare: here("src/compare/compare.ts"),
        copy: here("src/copy/copy.ts"),
        tools: here("src/tools/tools.ts"),
      },
    },
  },
});

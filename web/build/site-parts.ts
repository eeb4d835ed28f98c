import type { Plugin } from "vite";
import { PARTS_STYLE } from "../../src/public/site/style.ts";

const NAME = "site-parts.css";

/** Provides `site-parts.css`: the style of the public pages for the parts of them that the application shows. */
export function siteParts(): Plugin {
  return {
    name: "accession:site-parts",
    enforce: "pre",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? PARTS_STYLE : undefined),
  };
}

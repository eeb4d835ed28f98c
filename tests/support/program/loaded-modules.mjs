// Import before a program, also in its threads. Appends the URL of every loaded module to the file LOADED_MODULES.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
    return nextLoad(url, context);
  },
});

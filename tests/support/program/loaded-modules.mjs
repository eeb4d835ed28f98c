// To be imported before a program, also in its threads: names every module that it loads, in the file LOADED_MODULES.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
    return nextLoad(url, context);
  },
});

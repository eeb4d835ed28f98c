// To be imported before a program, also in its threads: names every module that it loads on standard error.

import { writeSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    writeSync(2, `loaded ${url}\n`);
    return nextLoad(url, context);
  },
});

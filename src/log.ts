import pino from "pino";
import type { Config } from "./config/config.ts";

/** The log of a process: JSON lines on standard error. Written at once, so that the last line is there, too. */
export function openLog(level: Config["logLevel"]): pino.Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  // A terminal that was closed takes no more lines; the process stops by its signal, not by an error about that.
  destination.on("error", () => undefined);
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

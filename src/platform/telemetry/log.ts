import pino from "pino";

/** The log of a process: JSON lines on standard error, written synchronously, so that the last line is not lost. */
export function openLog(level: string): pino.Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  destination.on("error", (error: NodeJS.ErrnoException) => {
    // EIO: the terminal was closed. The process ends by SIGHUP, not by this error.
    if (error.code !== "EIO") throw error;
  });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

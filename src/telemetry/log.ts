import pino from "pino";

/** The log of a process: JSON lines on standard error. Written at once, so that the last line is there, too. */
export function openLog(level: string): pino.Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  destination.on("error", (error: NodeJS.ErrnoException) => {
    // EIO: the terminal was closed. The process stops by the signal about that (SIGHUP), not by this error.
    if (error.code !== "EIO") throw error;
  });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

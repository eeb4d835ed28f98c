/** A thread for worker-thread.test.ts, whose module cannot be loaded. */
throw new TypeError("A part is missing");

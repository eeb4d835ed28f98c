import type { Lease } from "../lease.ts";
import type { Sdk } from "./sdk.ts";

/** A command of the SDK, as far as something can be put into its way. */
interface Stacked {
  middlewareStack: {
    addRelativeTo(
      middleware: (next: (args: never) => unknown) => (args: never) => Promise<unknown>,
      options: { relation: "after"; toMiddleware: string; name: string },
    ): void;
  };
}

/**
 * Lets every try of a command that writes content wait for a lease: those that the SDK makes by itself, too, and before a
 * try is signed. Other commands are left as they are: what only takes back must go through without one.
 */
export function leased(sdk: Sdk, command: object, lease: Lease, signal: AbortSignal | undefined): void {
  const writing = [
    sdk.PutObjectCommand,
    sdk.CreateMultipartUploadCommand,
    sdk.UploadPartCommand,
    sdk.CompleteMultipartUploadCommand,
  ];
  if (!writing.some((kind) => command instanceof kind)) return;
  (command as Stacked).middlewareStack.addRelativeTo(
    (next) => async (args) => {
      await lease.held(signal);
      return next(args);
    },
    { relation: "after", toMiddleware: "retryMiddleware", name: "leased" },
  );
}

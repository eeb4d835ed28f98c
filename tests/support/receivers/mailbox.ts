import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as it arrived. */
export interface Mail extends Email {
  /** Recipients of the envelope. */
  recipients: string[];
  raw: string;
  /** The authenticated user. */
  user: unknown;
}

/** A mail server on loopback that stores received mails, and can be stopped and started. */
export interface Mailbox {
  port: number;
  mails: Mail[];
  /** Stores the next mail but responds with a temporary error. */
  rejectNextAfterReceipt(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** @param options of the server; default: without TLS */
export async function startMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mail[] = [];
  let rejectsNext = false;
  let server: SMTPServer;
  let port = 0;
  const start = async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, done) => done(null, { user: `${username}:${password}` }),
      onData: (stream, { envelope, user }, done) => {
        text(stream)
          .then(async (raw) => {
            const recipients = envelope.rcptTo.map(({ address }) => address);
            mails.push({ ...(await PostalMime.parse(raw)), recipients, raw, user });
            const rejection = Object.assign(new Error("Temporary failure"), { responseCode: 451 });
            done(rejectsNext ? rejection : undefined);
            rejectsNext = false;
          })
          .catch(done);
      },
      ...options,
    });
    server.on("error", () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(port, "127.0.0.1", resolve);
    });
    port = (server.server.address() as AddressInfo).port;
  };
  await start();
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  return { port, mails, rejectNextAfterReceipt: () => (rejectsNext = true), stop, start };
}

import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as it arrived. */
export interface Mail extends Email {
  /** To whom the envelope was addressed. */
  recipients: string[];
  raw: string;
  /** Who had signed in. */
  user: unknown;
}

/** A mail server on loopback that keeps what it is sent, and can be down for a while. */
export interface Mailbox {
  port: number;
  mails: Mail[];
  /** Lets the next mail be taken, and then said of it that it was not. */
  rejectNextAfterReceipt(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** @param options of the server; without TLS unless they say so */
export async function startMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mail[] = [];
  let isInDoubt = false;
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
            const doubt = Object.assign(new Error("The line is bad"), { responseCode: 451 });
            done(isInDoubt ? doubt : undefined);
            isInDoubt = false;
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
  return { port, mails, rejectNextAfterReceipt: () => (isInDoubt = true), stop, start };
}

import { createTransport } from "nodemailer";

/** Where mail is handed in, and from whom it is. */
interface MailOptions {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps`); otherwise STARTTLS is demanded. */
  secure: boolean;
  user: string | undefined;
  password: string | undefined;
  from: { name: string; address: string };
}

export interface MailMessage {
  /** Unique, and the same whenever the same letter is sent: the left side of its Message-ID. */
  id: string;
  to: string;
  subject: string;
  text: string;
  attachment?: { filename: string; contentType: string; content: string };
}

/** Why the mail server did not take a letter. It holds codes alone: a server’s words can quote the address. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  /** Another try would be in vain: the server will never take mail to this address. */
  readonly isForGood: boolean;

  constructor(code: string, status: number | undefined, isForGood: boolean) {
    super(`The mail server did not take a mail (${[code, status].filter((part) => part !== undefined).join(", ")})`);
    this.isForGood = isForGood;
  }
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** Hands letters in at a mail server (SMTP, RFC 5321). */
export class Mailer {
  readonly #transport;
  readonly #from: MailOptions["from"];

  constructor({ host, port, secure, user, password, from }: MailOptions) {
    this.#from = from;
    // On this machine nobody listens in, and the server’s certificate is rarely for the name of the loopback.
    const isLocal = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);
    this.#transport = createTransport({
      host,
      port,
      secure,
      requireTLS: !secure && !isLocal,
      ignoreTLS: !secure && isLocal,
      tls: { rejectUnauthorized: true, minVersion: "TLSv1.2" },
      ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Resolves when the server has taken it. @throws MailRefused */
  async send({ id, to, subject, text, attachment }: MailMessage): Promise<void> {
    const domain = this.#from.address.split("@")[1];
    await this.#transport
      .sendMail({
        from: this.#from,
        // As an object it is one address, whatever it holds.
        to: { name: "", address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        // RFC 3834, section 5: nobody’s holiday notice is wanted.
        headers: { "Auto-Submitted": "auto-generated" },
        ...(attachment !== undefined && { attachments: [attachment] }),
      })
      .catch((error: { code?: string; responseCode?: number; command?: string }) => {
        const { code = "unknown", responseCode, command } = error;
        throw new MailRefused(code, responseCode, command === "RCPT TO" && (responseCode ?? 0) >= 500);
      });
  }
}

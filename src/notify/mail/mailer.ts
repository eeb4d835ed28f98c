import { createTransport } from "nodemailer";

/** The mail server, and the sender of the mails. */
interface MailOptions {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps`); otherwise STARTTLS is required. */
  secure: boolean;
  user: string | undefined;
  password: string | undefined;
  from: { name: string; address: string };
}

export interface MailMessage {
  /** Unique, and the same for each try of the same mail: the left side of its Message-ID. */
  id: string;
  to: readonly string[];
  subject: string;
  text: string;
  attachment?: { filename: string; contentType: string; content: string };
}

/** The mail server did not accept a mail. The message holds only codes, because a server’s text can quote the address. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";

  constructor(code: string, status: number | undefined) {
    super(`The mail server did not accept a mail (${[code, status].filter((part) => part !== undefined).join(", ")})`);
  }
}

/** A recipient whom the server did not accept, while it may have accepted others. */
export interface RefusedRecipient {
  address: string;
  /** The status of SMTP (RFC 5321), such as 550; undefined if the server stated none. */
  status: number | undefined;
  /** True if the server refuses the address permanently, so that a retry is pointless. */
  isForGood: boolean;
}

/** The members of an error of nodemailer that contain no text of the server. */
interface SmtpError {
  code?: string;
  responseCode?: number;
  command?: string;
  /** The recipient of this error, and the errors of all recipients who were refused. */
  recipient?: string;
  rejectedErrors?: SmtpError[];
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** Sends mails through a mail server (SMTP, RFC 5321). */
export class Mailer {
  readonly #transport;
  readonly #from: MailOptions["from"];

  constructor({ host, port, secure, user, password, from }: MailOptions) {
    this.#from = from;
    // A local connection cannot be intercepted, and the server’s certificate is rarely issued for a loopback name.
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

  /** Connects and signs in, and sends nothing. @throws MailRefused */
  async reach(): Promise<void> {
    await this.#transport.verify().catch(({ code = "unknown", responseCode }: SmtpError) => {
      throw new MailRefused(code, responseCode);
    });
  }

  /**
   * Resolves when the server has accepted the mail for all recipients, except for those that are returned.
   * @throws MailRefused if it accepted the mail for none, for a reason that does not concern the recipients
   */
  async send({ id, to, subject, text, attachment }: MailMessage): Promise<RefusedRecipient[]> {
    const domain = this.#from.address.split("@")[1];
    return this.#transport
      .sendMail({
        from: this.#from,
        // An object is always one address; a string could be parsed as several.
        to: to.map((address) => ({ name: "", address })),
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        // Suppresses automatic replies (RFC 3834, section 5).
        headers: { "Auto-Submitted": "auto-generated" },
        ...(attachment !== undefined && { attachments: [attachment] }),
      })
      .then(({ rejectedErrors = [] }) => (rejectedErrors as SmtpError[]).map((one) => refusedRecipient(one, to)))
      .catch((error: SmtpError) => {
        const { code = "unknown", responseCode, command, rejectedErrors = [] } = error;
        if (command === "RCPT TO" && rejectedErrors.length > 0) {
          return rejectedErrors.map((one) => refusedRecipient(one, to));
        }
        throw new MailRefused(code, responseCode);
      });
  }
}

/** @param to the addresses as stated: nodemailer names a recipient with its domain in lower case */
function refusedRecipient(
  { recipient = "", responseCode: status }: SmtpError,
  to: readonly string[],
): RefusedRecipient {
  const address = to.find((one) => one.replace(/[^@]*$/, (domain) => domain.toLowerCase()) === recipient) ?? recipient;
  return { address, status, isForGood: (status ?? 0) >= 500 };
}

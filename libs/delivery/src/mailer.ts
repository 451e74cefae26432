import { createTransport } from 'nodemailer';

const connectionTimeoutMs = 10_000;

/** How to reach a mail server. */
export interface SmtpAccess {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; without it the connection is upgraded when the server offers that. */
  readonly secure: boolean;
  readonly user?: string;
  readonly password?: string;
  /** The sender, e.g. `Rowhouse <no-reply@example.com>`. */
  readonly from: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

export interface Mailer {
  /** Hands the mail to the server. Rejects when the server refuses it or cannot be reached. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A mailer over SMTP. No connection is made before the first mail. */
export function openMailer(access: SmtpAccess): Mailer {
  const { user, password } = access;
  const transport = createTransport({
    host: access.host,
    port: access.port,
    secure: access.secure,
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: connectionTimeoutMs,
    socketTimeout: connectionTimeoutMs,
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
  });
  return {
    async send(mail) {
      await transport.sendMail({ from: access.from, ...mail });
    },
    close() {
      transport.close();
    },
  };
}

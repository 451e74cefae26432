import { createTransport, type SMTPPoolOptions } from 'nodemailer';

import { fail } from '#libs/errors';

import { connectTo, type ResolveMailHost } from './connect.js';
import { mailError } from './mail-error.js';
import { isOneAddress, readSender } from './mailbox.js';
import { secretsIn } from './plain-reason.js';

/** Time for one step of the exchange with a server. */
const stepTimeoutMs = 10_000;
/** Time for a whole mail, even if the server keeps answering slowly. */
const mailTimeoutMs = 30_000;
/** Mails beyond this number wait for a connection. */
const maxConnections = 3;
const mailsPerConnection = 100;
const idleConnectionMs = 30_000;
/**
 * How often a mail is tried again on a new connection if the server closes the connection before it accepts anything.
 */
const maxRetries = 2;

/** How to reach a mail server. */
export interface SmtpAccess {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise the connection is upgraded if the server offers it. */
  readonly secure: boolean;
  readonly user?: string;
  readonly password?: string;
  /** The sender, e.g. `Rowhouse <no-reply@example.com>`. */
  readonly from: string;
}

export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

export interface Mailer {
  /**
   * Hands the mail to the server. Throws MAIL_REFUSED (502) if the server rejects it, MAIL_DEFERRED (503) if it asks to
   * try again later, MAIL_UNREACHABLE (503) if no connection can be made.
   */
  send(mail: Mail): Promise<void>;
  /** Connects and signs in without sending anything. Throws like {@link Mailer.send}. */
  verify(): Promise<void>;
  /** Mails in progress finish; waiting mails fail. May be called again. */
  close(): void;
}

export interface MailerOptions {
  /** Decides which address a configured host may lead to. Default: the lookup of the system. */
  readonly resolve?: ResolveMailHost;
}

/** Returns a mailer over SMTP that reuses a few connections. It opens none before the first mail. */
export function openMailer(access: SmtpAccess, { resolve }: MailerOptions = {}): Mailer {
  const transport = createTransport({
    ...transportOptions(access),
    ...(resolve && { getSocket: socketsBy(access, resolve) }),
  });
  const { user = '', password } = access;
  // Servers repeat what was sent to them, for example the line that signs in.
  const secrets = [password, `\0${user}\0${password ?? ''}`];
  const guarded = async (work: () => Promise<unknown>, sent: readonly string[]): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      throw mailError(cause, [...secrets, ...sent]);
    }
  };
  let isClosed = false;
  return {
    async send(mail) {
      const message = messageOf(access.from, mail);
      const signal = AbortSignal.timeout(mailTimeoutMs);
      const { subject, text, html = '' } = mail;
      // A server that rejects a mail may repeat its text.
      const sent = secretsIn(`${subject} ${text} ${html}`);
      await guarded(() => transport.sendMail({ ...message, signal }), sent);
    },
    verify: () => guarded(() => transport.verify(), []),
    close() {
      if (isClosed) return;
      isClosed = true;
      transport.close();
    },
  };
}

function transportOptions({ host, port, secure, user, password }: SmtpAccess) {
  return {
    host,
    port,
    secure,
    pool: true as const,
    maxConnections,
    maxMessages: mailsPerConnection,
    maxRequeues: maxRetries,
    idleTimeout: idleConnectionMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
    // A mail consists of the given texts: nodemailer reads no file and fetches nothing.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
  };
}

/** Gives nodemailer its connections one by one. */
function socketsBy(
  access: SmtpAccess,
  resolve: ResolveMailHost,
): NonNullable<SMTPPoolOptions['getSocket']> {
  return (_options, callback) => {
    connectTo(access, resolve, stepTimeoutMs).then(
      (connection) => callback(null, { connection }),
      (error: Error) => callback(error),
    );
  };
}

/** Addresses are passed as objects: nodemailer would read a text as a list, and one recipient could become several. */
function messageOf(from: string, { to, subject, text, html }: Mail) {
  const sender = readSender(from);
  if (sender === undefined) throw fail('MAIL_REFUSED', { reason: 'the sender is not an address' });
  if (!isOneAddress(to)) throw fail('MAIL_REFUSED', { reason: 'the recipient is not one address' });
  return {
    from: { ...sender },
    to: { name: '', address: to },
    envelope: { from: sender.address, to },
    subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    text,
    ...(html !== undefined && { html }),
  };
}

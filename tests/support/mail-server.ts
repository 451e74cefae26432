// A mail server with an inbox to look into. What it takes over SMTP is read back from the bytes on the wire.
import { once } from 'node:events';

import PostalMime, { type Address, type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { freePort } from '#libs/testing';

import { Arrivals } from './arrivals.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

export interface MailServerOptions {
  /** Demanded before any mail is taken. By default nobody signs in. */
  readonly auth?: { readonly user: string; readonly password: string };
  /** `upgrade` offers STARTTLS, `start` speaks TLS from the first byte. By default neither. */
  readonly tls?: 'upgrade' | 'start';
  /** The reason to refuse mail to this address; undefined takes it. */
  readonly refuse?: (recipient: string) => string | undefined;
  /** The reason to refuse a mail whose text was received; undefined takes it. It is in the inbox in any case. */
  readonly refuseText?: (mail: ReceivedMail) => string | undefined;
}

export interface ReceivedMail {
  /** The addresses that the envelope names, in lower case. */
  readonly to: readonly string[];
  /** The sender as the mail shows it: `Name <address>`, or the address alone. */
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** The certificate that clients must trust; undefined without TLS. */
  readonly certificate: string | undefined;
  /** The settings group `email.smtp` that reaches this server. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The same as environment variables of a deployment. */
  readonly env: Readonly<Record<string, string>>;
  /** Every mail since the start, in order. */
  readonly mails: readonly ReceivedMail[];
  /** Every mail to this address, e.g. to see that there is none. */
  mailsTo(address: string): readonly ReceivedMail[];
  /** Takes the oldest mail to this address that was not taken yet, or waits for it. Throws after 10 s. */
  waitForMail(to: string, options?: MailChoice): Promise<ReceivedMail>;
  close(): Promise<void>;
}

export interface MailChoice {
  /** What the subject is or contains. */
  readonly subject?: string | RegExp;
}

const host = '127.0.0.1';
const sender = 'Rowhouse test <no-reply@rowhouse.test>';

/** Opens a mail server on a free port. */
export async function openMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const arrivals = new Arrivals<ReceivedMail>();
  const pair = options.tls === undefined ? undefined : selfSignedCertificate();
  const port = await freePort();
  const server = new SMTPServer({
    ...rulesOf(options),
    ...(pair && { key: pair.privateKey, cert: pair.certificate }),
    closeTimeout: 100,
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const arrived = received(mail, recipients);
          arrivals.add(arrived);
          const reason = options.refuseText?.(arrived);
          done(reason === undefined ? null : new Error(reason));
        }, done);
      });
    },
  });
  // A client that does not trust the certificate, or hangs up, is the client's failure: its test sees it.
  server.on('error', () => undefined);
  server.listen(port, host);
  await once(server.server, 'listening');
  const mailsTo = (address: string) =>
    arrivals.all.filter(({ to }) => to.includes(address.toLowerCase()));
  return {
    host,
    port,
    certificate: pair?.certificate,
    ...accessOf(options, port),
    get mails() {
      return arrivals.all;
    },
    mailsTo,
    waitForMail: (to, { subject = '' } = {}) =>
      arrivals.take(
        (mail) => mail.to.includes(to.toLowerCase()) && contains(mail.subject, subject),
        `mail to ${to}`,
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The part of a mail, or of an SMS, that a person reads. */
interface Letter {
  readonly text: string;
  readonly html?: string;
}

/** The first link of the mail, or the first that contains `part`. Throws when there is none. */
export function linkIn({ text, html = '' }: Letter, part = ''): string {
  const found = [...linksOf(text), ...hrefsOf(html)].find((link) => link.includes(part));
  if (found === undefined) throw new Error(`there is no link: ${text}`);
  return found;
}

/** The one code of 4 to 10 digits of a mail or SMS, links aside. Throws when there is none or a second one. */
export function codeIn({ text, html = '' }: Letter): string {
  const prose = text === '' ? html.replaceAll(/<[^>]*>/g, ' ') : text;
  const words = prose.replaceAll(/https?:\/\/\S+/g, ' ');
  const codes = new Set(words.match(/(?<![\w#&])\d{4,10}(?!\w)/g));
  const [code] = codes;
  if (code === undefined || codes.size > 1)
    throw new Error(`there are ${codes.size} codes: ${prose}`);
  return code;
}

function rulesOf({ auth, tls, refuse }: MailServerOptions): SMTPServerOptions {
  return {
    secure: tls === 'start',
    allowInsecureAuth: tls === undefined,
    authOptional: auth === undefined,
    disabledCommands: [
      ...(tls === 'upgrade' ? [] : ['STARTTLS']),
      ...(auth === undefined ? ['AUTH'] : []),
    ],
    onAuth({ username, password }, _session, done) {
      if (username === auth?.user && password === auth?.password) done(null, { user: username });
      else done(new Error('user or password is wrong'));
    },
    onRcptTo({ address }, _session, done) {
      const reason = refuse?.(address.toLowerCase());
      done(reason === undefined ? null : new Error(reason));
    },
  };
}

function accessOf({ auth, tls }: MailServerOptions, port: number) {
  const access = { host, port, secure: tls === 'start', from: sender };
  return {
    settings: { ...access, ...auth },
    env: {
      SMTP_HOST: host,
      SMTP_PORT: String(port),
      SMTP_SECURE: String(access.secure),
      SMTP_FROM: sender,
      ...(auth && { SMTP_USER: auth.user, SMTP_PASSWORD: auth.password }),
    },
  };
}

function received(mail: Email, to: readonly string[]): ReceivedMail {
  return {
    to,
    from: shown(mail.from),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key.toLowerCase(), value])),
  };
}

function shown(sender: Address | undefined): string {
  if (sender === undefined) return '';
  const { name, address = '' } = sender;
  return name === '' ? address : `${name} <${address}>`;
}

function contains(subject: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? subject.includes(wanted) : wanted.test(subject);
}

function linksOf(text: string): readonly string[] {
  // A point after a link ends the sentence.
  return text.match(/https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]/g) ?? [];
}

function hrefsOf(html: string): readonly string[] {
  return [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=').replaceAll('&#61;', '='),
  );
}

// A mail server of these tests, whose every answer a test may replace, and one that is no mail server.
import { type AddressInfo, createServer } from 'node:net';

import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { selfSignedCertificate } from '../support/self-signed-certificate.js';

const { privateKey: key, certificate: cert } = selfSignedCertificate('mail.example');

/** What a test has opened; {@link closeAll} closes it after the test. */
export const closings: (() => Promise<void>)[] = [];

export async function closeAll(): Promise<void> {
  // Clients before the servers that wait for them.
  for (const close of closings.splice(0).toReversed()) await close();
}

/** A mail server of the test with an inbox to look into. */
export async function openInbox(options: SMTPServerOptions = {}) {
  const mails: Email[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    cert,
    key,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail);
          done();
        }, done);
      });
    },
    ...options,
  });
  // A client that hangs up is what some tests are about.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => new Promise((resolve) => server.close(() => resolve())));
  // The server listens on TCP, so its address is one of a host and a port.
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    access: { host: '127.0.0.1', port, secure: false, from: 'Deployment <a@example.org>' },
  };
}

export const mail = { to: 'b@example.org', subject: 's', text: 't' };

/** A server that says one thing to whoever connects, or hangs up at once. */
export async function openTalker(greeting: string | undefined): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (greeting === undefined) socket.destroy();
    else socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => new Promise((resolve) => server.close(() => resolve())));
  // It listens on TCP, so its address is one of a host and a port.
  return (server.address() as AddressInfo).port;
}

import { AppError, fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

import { plainReason } from './plain-reason.js';

/** The fields of a nodemailer error that we read. */
interface MailFailure {
  readonly code: string;
  readonly message: string;
  /** The underlying code, from the socket or from TLS. */
  readonly originalCode: string;
  /** The server's own words. */
  readonly response: string;
  readonly responseCode: number | undefined;
}

/** TLS codes about the certificate, from Node.js and OpenSSL. */
const certificateCodes =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;
const socketReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections on this port',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this host',
  ENOTFOUND: 'there is no host with this name',
  EPIPE: 'it closed the connection',
};

/** Returns the public error for a failure of nodemailer. Neither it nor its cause contains any of `secrets`. */
export function mailError(thrown: unknown, secrets: readonly (string | undefined)[]): AppError {
  // `resolve` gives its reason as an error of the table.
  if (thrown instanceof AppError)
    return fail('MAIL_UNREACHABLE', { reason: thrown.message }, { cause: thrown });
  const failure = readFailure(thrown);
  const cause = plainCause(thrown, failure, secrets);
  const said = plainReason(failure.response, secrets);
  const unreachable = (reason: string) => fail('MAIL_UNREACHABLE', { reason }, { cause });
  const code = isTransient(failure) ? 'MAIL_DEFERRED' : 'MAIL_REFUSED';
  switch (failure.code) {
    case 'EAUTH':
    case 'ENOAUTH':
    case 'EOAUTH2':
      return fail(
        code,
        { reason: withReply('user and password are not accepted', said) },
        { cause },
      );
    case 'EENVELOPE':
    case 'EMESSAGE':
      // 421 means that the server is closing the connection; the other replies are about this mail.
      if (failure.responseCode === 421)
        return unreachable(withReply('it closed the connection', said));
      return fail(code, { reason: refusalOf(failure, said) }, { cause });
    case 'ETLS':
    case 'ESOCKET':
    case 'ECONNECTION':
    case 'EDNS':
    case 'ETIMEDOUT':
    case 'EABORT':
    case 'EPROTOCOL':
      return unreachable(connectionProblem(failure, said));
    default:
      return unreachable(socketReasons[failure.code] ?? 'the connection to it failed');
  }
}

/**
 * Returns an error with the name, the code and the stack frames of the nodemailer error, without any of `secrets`: the
 * log prints causes in full, and nodemailer repeats the reply of the server.
 */
function plainCause(
  thrown: unknown,
  { code, message }: MailFailure,
  secrets: readonly (string | undefined)[],
): Error {
  const words = plainReason(message, secrets);
  const cause = new Error(code === '' ? words : `${code}: ${words}`);
  if (!(thrown instanceof Error)) return cause;
  cause.name = thrown.name;
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
  // A line of the message may look like a stack frame.
  const shown = frames.map((frame) => `    ${plainReason(frame, secrets)}`);
  cause.stack = [`${cause.name}: ${cause.message}`, ...shown].join('\n');
  return cause;
}

/** Whether the server asks to try again later (RFC 5321 §4.2.1). */
function isTransient({ responseCode = 0 }: MailFailure): boolean {
  return responseCode >= 400 && responseCode < 500;
}

function refusalOf(failure: MailFailure, said: string): string {
  if (failure.code === 'EMESSAGE') return withReply('it does not take the text', said);
  const isRecipient = /recipient/i.test(failure.message);
  return withReply(
    isRecipient ? 'it does not take the recipient' : 'it does not take the sender',
    said,
  );
}

function connectionProblem({ code, originalCode, message }: MailFailure, said: string): string {
  if (certificateCodes.test(originalCode)) return 'its certificate is not valid for this host';
  if (/wrong version number|packet length too long|record layer/i.test(message)) {
    return 'it does not speak TLS on this port; turn "TLS from the start" off or use port 465';
  }
  if (code === 'ETLS') return withReply('a secure connection could not be made', said);
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'it did not answer in time';
  if (code === 'EDNS') return 'there is no host with this name';
  if (code === 'EPROTOCOL') return withReply('it does not answer like a mail server', said);
  return socketReasons[originalCode] ?? withReply('the connection to it was lost', said);
}

function withReply(reason: string, said: string): string {
  return said === '' ? reason : `${reason} (${said})`;
}

function readFailure(cause: unknown): MailFailure {
  const fieldOf = (name: string) => (isRecord(cause) ? cause[name] : undefined);
  const text = (name: string) => {
    const value = fieldOf(name);
    return typeof value === 'string' ? value : '';
  };
  const responseCode = fieldOf('responseCode');
  return {
    code: text('code'),
    message: text('message'),
    originalCode: text('originalCode'),
    response: text('response'),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  };
}

// Answers bytes that are not a valid HTTP request. They reach neither a route nor a hook: the parser fails before there
// is a request, and only the socket is left to answer on.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { type ErrorCode, fail, renderError } from '#libs/errors';

/** By the code of Node's error; every other code means a malformed request. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

type AnswerBroken = (error: NodeJS.ErrnoException, socket: Socket) => void;

/** Answers in the shape of all errors and closes the connection. `nextId` gives the id of the request. */
export function answerBroken(nextId: () => string): AnswerBroken {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const code = CODES[error.code ?? ''] ?? 'INVALID_REQUEST';
    if (socket.writable) socket.write(answerText(code, nextId()));
    socket.destroy(error);
  };
}

function answerText(code: ErrorCode, requestId: string): string {
  const { status, body } = renderError(fail(code), requestId);
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    '',
    text,
  ].join('\r\n');
}

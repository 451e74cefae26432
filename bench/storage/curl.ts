// Large files are sent and received by curl: a process of its own that costs the server's cores little, and
// the same one for every server.

import type { HttpCall } from '../case.js';
import { outputOf } from './tools.js';

export interface Transfer {
  readonly port: number;
  /** The Host header. */
  readonly host: string;
  readonly path: string;
  readonly bearer?: string;
  readonly method?: HttpCall['method'];
  /** What is sent: a file as the body, or a form. */
  readonly body?: { readonly file: string; readonly mediaType: string };
  /** Fields in the order in which they are sent; a file begins with `@`. */
  readonly form?: readonly (readonly [name: string, value: string])[];
  /** Where the answer goes; absent: nowhere. */
  readonly out?: string;
}

export interface Transferred {
  readonly status: number;
  /** From the beginning of the connection to the last byte of the answer. */
  readonly seconds: number;
  /** Of the answer. */
  readonly bytes: number;
}

export function curlArguments(transfer: Transfer): string[] {
  const { port, host, path, bearer, method, body, form = [], out } = transfer;
  const header = (text: string): string[] => ['-H', text];
  return [
    // Nobody's own settings.
    '-q',
    '-sS',
    '-o',
    out ?? '/dev/null',
    '-w',
    '%{http_code} %{time_total} %{size_download}',
    ...header(`Host: ${host}`),
    ...(bearer === undefined ? [] : header(`Authorization: Bearer ${bearer}`)),
    // Otherwise curl asks first whether it may send, and waits.
    ...(body === undefined && form.length === 0 ? [] : header('Expect:')),
    ...(body === undefined ? [] : ['-T', body.file, ...header(`Content-Type: ${body.mediaType}`)]),
    ...form.flatMap(([name, value]) => ['-F', `${name}=${value}`]),
    ...(method === undefined ? [] : ['-X', method]),
    `http://127.0.0.1:${String(port)}${path}`,
  ];
}

/** Reads the line that `curlArguments` asks for. */
export function parseTransferred(line: string): Transferred {
  const [status, seconds, bytes] = line.trim().split(' ').map(Number);
  if (status === undefined || seconds === undefined || bytes === undefined || Number.isNaN(bytes)) {
    throw new Error(`curl wrote "${line}"`);
  }
  return { status, seconds, bytes };
}

export type Send = (transfer: Transfer) => Promise<Transferred>;

/** Sends with this curl. */
export function sender(curl: string): Send {
  return async (transfer) =>
    parseTransferred((await outputOf(curl, curlArguments(transfer))).stdout);
}

// Uploads as clients send them: bodies of bytes, whole, in pieces, or never ending.
import { type ClientRequest, request as httpRequest } from 'node:http';
import { randomBytes } from 'node:crypto';

import type { Reply } from '../support/http.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

type Headers = Readonly<Record<string, string>>;

export interface Sending {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: Buffer | string;
  /** Sends the body without its length. */
  readonly isChunked?: boolean;
}

/** A part of a form: text, or a file when it has a file name. */
export interface FormPart {
  readonly name: string;
  readonly content: Buffer | string;
  readonly fileName?: string;
  readonly type?: string;
}

export interface Form {
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A form of these parts in their order. */
export function formOf(...parts: readonly FormPart[]): Form {
  const boundary = `boundary-${randomBytes(8).toString('hex')}`;
  const pieces = parts.flatMap(({ name, content, fileName, type }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const typed = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    const header = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${typed}\r\n\r\n`;
    return [Buffer.from(header), Buffer.from(content), Buffer.from('\r\n')];
  });
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}

export const file = (content: Buffer | string, fileName = 'a.txt', type?: string): FormPart => ({
  name: 'file',
  content,
  fileName,
  ...(type !== undefined && { type }),
});

export const field = (name: string, content: string): FormPart => ({ name, content });

export const asUser = ({ token }: SignedIn): Headers => ({ authorization: `Bearer ${token}` });
export const asServer = ({ secretKey }: ProjectUnderTest): Headers => ({ apikey: secretKey });

/** Sends an upload and gives the answer. */
export function sendBytes(project: ProjectUnderTest, sending: Sending): Promise<Reply> {
  const { body = '', isChunked = false } = sending;
  const length = String(Buffer.byteLength(body));
  const headers = isChunked ? {} : { 'content-length': length };
  const { request, reply } = openRequest(project, {
    ...sending,
    headers: { ...headers, ...sending.headers },
  });
  if (isChunked) {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += 50_000)
      request.write(bytes.subarray(at, at + 50_000));
  }
  request.end(isChunked ? undefined : body);
  return reply;
}

export interface OpenRequest {
  readonly request: ClientRequest;
  readonly reply: Promise<Reply>;
}

/** A request whose body the test writes. */
export function openRequest(
  project: ProjectUnderTest,
  { method = 'POST', path, headers = {} }: Sending,
): OpenRequest {
  const { hostname, port } = new URL(project.apiOrigin);
  const sent = { host: project.host, ...headers };
  const request = httpRequest({ hostname, port, path, method, headers: sent, agent: false });
  const reply = new Promise<Reply>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const body: unknown = text === '' ? undefined : JSON.parse(text);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
      });
    });
  });
  reply.catch(() => undefined);
  return { request, reply };
}

/** The file in an answer. Throws for an answer that has none. */
export function fileIn(reply: Reply): Record<string, unknown> {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return asRecord(asRecord(reply.body)['data']);
}

// One request of TUS 1.0 (https://tus.io/protocols/resumable-upload): the library knows the protocol, the answer
// and every error are ours. Loaded with the first request, because few projects use it.
import { randomUUID } from 'node:crypto';

import { ERRORS, Server, TUS_RESUMABLE } from '@tus/server';
import type { FastifyRequest } from 'fastify';

import { type AppError, fail } from '#libs/errors';
import { isUuid } from '#libs/storage-rules';

import { scopeOf } from '../../http/request-scope.js';
import { maxUploadOf } from '../core/max-upload.js';
import { refuseConditions } from '../core/write-condition.js';
import { UploadStore } from './upload-store.js';

const contentType = 'application/offset+octet-stream';
/** Those that the library reads. It refuses others that proxies add. */
const readHeaders = [
  'tus-resumable',
  'content-type',
  'content-length',
  'upload-length',
  'upload-defer-length',
  'upload-offset',
  'upload-metadata',
  'upload-concat',
];

export interface TusRequest {
  readonly request: FastifyRequest;
  /** The path above all uploads. */
  readonly path: string;
  readonly method: string;
  /** Of the upload that the address names. */
  readonly id: string | undefined;
  /** Aborts when the server stops. */
  readonly ending: AbortSignal;
}

export interface TusAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Throws UNSUPPORTED_TUS_VERSION (412), UNSUPPORTED_MEDIA_TYPE (415), INVALID_UPLOAD_HEADER and INVALID_INPUT (400),
 * UPLOAD_OFFSET_MISMATCH (409), and what beginning, receiving and finishing an upload throw.
 */
export async function exchangeTus(asked: TusRequest): Promise<TusAnswer> {
  requireProtocol(asked);
  const { request, method, ending } = asked;
  const store = new UploadStore(request, { isCreation: method === 'POST', ending });
  let thrown: { readonly error: unknown } | undefined;
  const server = new Server({
    path: asked.path,
    relativeLocation: true,
    datastore: store,
    locker: store.locker,
    maxSize: maxUploadOf(scopeOf(request).lease.value),
    namingFunction: () => randomUUID(),
    onResponseError: (_request, error) => {
      thrown = { error };
      return undefined;
    },
  });
  const answer = await server.handleWeb(webRequest(asked));
  if (thrown) {
    await store.undoCreation();
    throw tusError(thrown.error, store.maxBytes);
  }
  if (answer.status >= 400) throw await refusedHeader(answer);
  return { status: answer.status, headers: shownHeaders(answer.headers) };
}

function requireProtocol({ request: { headers }, method, id }: TusRequest): void {
  if (method === 'OPTIONS') return;
  if (headers['tus-resumable'] !== TUS_RESUMABLE) throw fail('UNSUPPORTED_TUS_VERSION');
  if (method === 'POST' ? id !== undefined : id === undefined || !isUuid(id)) {
    throw fail('UPLOAD_NOT_FOUND');
  }
  const type = headers['content-type'];
  if (method === 'PATCH' && type !== contentType) {
    throw fail('UNSUPPORTED_MEDIA_TYPE', { type: type ?? 'none' });
  }
  const isLaterChange = method === 'PATCH' || method === 'DELETE';
  if (isLaterChange) refuseConditions(headers, 'send it with the request that begins the upload');
}

/** The request without its body; see `upload-store.ts`. The library answers with paths, so any host will do. */
function webRequest({ request, method, path: root, id }: TusRequest): Request {
  const headers = new Headers();
  for (const name of readHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const path = id === undefined ? root : `${root}/${id.toLowerCase()}`;
  return new Request(new URL(path, 'http://localhost'), { method, headers });
}

/** CORS is answered by the hooks of the application, bodies are empty. */
function shownHeaders(headers: Headers): Record<string, string> {
  const ours = (name: string): boolean =>
    !name.startsWith('access-control-') && name !== 'content-length' && name !== 'content-type';
  return Object.fromEntries([...headers].filter(([name]) => ours(name)));
}

/** The errors of the library are values, each with its own identity. */
function tusError(error: unknown, maxBytes: number): unknown {
  switch (error) {
    case ERRORS.FILE_NOT_FOUND:
    case ERRORS.FILE_NO_LONGER_EXISTS:
      return fail('UPLOAD_NOT_FOUND');
    case ERRORS.INVALID_OFFSET:
      return fail('UPLOAD_OFFSET_MISMATCH');
    case ERRORS.ERR_SIZE_EXCEEDED:
    case ERRORS.ERR_MAX_SIZE_EXCEEDED:
      return fail('FILE_TOO_LARGE', { maxBytes });
    case ERRORS.MISSING_OFFSET:
      return invalid('Upload-Offset', 'it must be given');
    case ERRORS.INVALID_LENGTH:
      return invalid('Upload-Length', 'it must be given');
    case ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION:
      return invalid('Upload-Length', 'it must be given when the upload begins');
    case ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION:
      return invalid('Upload-Concat', 'uploads are not put together of others');
    case ERRORS.INVALID_METADATA:
      return invalid('Upload-Metadata', notValid);
    case ERRORS.ABORTED:
      return fail('REQUEST_ABORTED');
    default:
      return error;
  }
}

const notValid = 'the value is not valid';

/** The library names what it refuses in a line such as `Invalid upload-length`. */
async function refusedHeader(answer: Response): Promise<AppError> {
  const [, name = 'Upload-Metadata'] = /^Invalid ([\w-]+)/.exec(await answer.text()) ?? [];
  return invalid(name, notValid);
}

function invalid(header: string, reason: string): AppError {
  return fail('INVALID_UPLOAD_HEADER', { header, reason });
}

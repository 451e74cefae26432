// The body of an upload: a form of parts, or the bytes of the file alone. What comes out says what is known before
// the bytes are read, and gives them.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

import { AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { maxUploadOf } from '../core/max-upload.js';
import type { Uploader } from '../core/reservations.js';
import { ContentStart } from './content-start.js';
import type { SenderWatch } from './sender-watch.js';
import { Spool } from './spool.js';
import { type FormFile, isForm, UploadForm } from './upload-form.js';
import { joinFields, queryFields, type UploadFields } from './upload-fields.js';

/** Of a form, beside the file: boundaries, headers and fields. */
const maxFormBytes = 1 << 20;

export interface UploadRequest {
  readonly project: ProjectRuntime;
  readonly uploader: Uploader;
  readonly raw: IncomingMessage;
  readonly query: Readonly<Record<string, unknown>>;
  /** What the address of the route names. */
  readonly named: UploadFields;
  readonly takes: 'form' | 'form or bytes' | 'bytes';
  /** Called with errors that do not affect the upload. */
  readonly onError: (error: unknown, doing: string) => void;
}

export type IncomingContent =
  | { readonly kind: 'whole'; readonly stream: Readable; readonly size: number }
  /** Of unknown length, but not more than `upperBound` bytes where that is known. */
  | {
      readonly kind: 'open';
      readonly start: ContentStart;
      readonly upperBound: number | undefined;
    };

export interface IncomingUpload {
  readonly body: 'form' | 'raw';
  /** Those that have come before the content. */
  readonly fields: UploadFields;
  readonly fileName: string | undefined;
  readonly declaredType: string | undefined;
  readonly content: IncomingContent;
  /** All fields. Call it when the content was read. */
  allFields(): Promise<UploadFields>;
  /** Why no more of the body can be read; undefined while it can. */
  failure(): Error | undefined;
  /** Gives back what the upload holds. */
  end(): Promise<void>;
}

/**
 * Throws UNAUTHORIZED (401), UNSUPPORTED_MEDIA_TYPE (415), FILE_TOO_LARGE (413), MULTIPART_INVALID, MISSING_FIELD,
 * UNKNOWN_FIELD, INVALID_INPUT (400), what ends the upload, what a spool throws.
 */
export async function readUpload(
  request: UploadRequest,
  watch: SenderWatch,
): Promise<IncomingUpload> {
  const { uploader, raw, takes } = request;
  if (uploader.kind === 'caller' && uploader.credential.kind === 'none') throw fail('UNAUTHORIZED');
  const fields = queryFields(request.query, request.named);
  const type = raw.headers['content-type'];
  if (takes !== 'bytes' && isForm(type)) return readForm(request, fields, { type, watch });
  if (takes === 'form') {
    throw fail('UNSUPPORTED_MEDIA_TYPE', { type: type === undefined ? 'none' : type });
  }
  return readRaw(request, fields, watch);
}

async function readRaw(
  { project, raw }: UploadRequest,
  fields: UploadFields,
  watch: SenderWatch,
): Promise<IncomingUpload> {
  const maxBytes = maxUploadOf(project);
  const size = lengthOf(raw);
  if (size !== undefined && size > maxBytes) throw fail('FILE_TOO_LARGE', { maxBytes });
  const content: IncomingContent =
    size === undefined
      ? contentOf(await ContentStart.read(raw, watch), undefined)
      : { kind: 'whole', stream: raw, size };
  return {
    body: 'raw',
    fields,
    fileName: undefined,
    declaredType: raw.headers['content-type'],
    content,
    allFields: () => Promise.resolve(fields),
    failure: () => undefined,
    end: () => Promise.resolve(),
  };
}

async function readForm(
  request: UploadRequest,
  given: UploadFields,
  { type, watch }: { readonly type: string; readonly watch: SenderWatch },
): Promise<IncomingUpload> {
  const maxBytes = maxUploadOf(request.project);
  const upperBound = lengthOf(request.raw);
  if (upperBound !== undefined && upperBound > maxBytes + maxFormBytes) {
    throw fail('FILE_TOO_LARGE', { maxBytes });
  }
  const form = new UploadForm(request.raw, type);
  const stop = (): void => form.stop(watch.reason ?? fail('REQUEST_ABORTED'));
  watch.signal.addEventListener('abort', stop, { once: true });
  if (watch.signal.aborted) stop();
  try {
    const file = await form.file();
    const start = await ContentStart.read(file.content, watch);
    const parts = { request, form, file, start, given };
    if (start.isWhole) return await readSmall(parts);
    const isTold = given.size > request.named.size || form.fields.size > 0;
    return isTold ? stream(parts, upperBound) : await spool(parts, maxBytes);
  } catch (error) {
    const { failure } = form;
    form.stop(error instanceof Error ? error : fail('REQUEST_ABORTED'));
    throw formError(error, failure);
  }
}

/** Returns the error that ended the form, if there is one; the parser's own error says less. */
export function formError(error: unknown, failure: Error | undefined): unknown {
  return error instanceof AppError ? error : (failure ?? error);
}

interface FormParts {
  readonly request: UploadRequest;
  readonly form: UploadForm;
  readonly file: FormFile;
  readonly start: ContentStart;
  /** Fields of address and query. */
  readonly given: UploadFields;
}

/** The whole file is here, so the form is waited for: nothing comes late, and its length is known. */
async function readSmall(parts: FormParts): Promise<IncomingUpload> {
  await parts.form.end();
  return uploadOf(parts, contentOf(parts.start, undefined));
}

/** Fields came first, so they are taken as all there are; see `allFields`. */
function stream(parts: FormParts, upperBound: number | undefined): IncomingUpload {
  return uploadOf(parts, contentOf(parts.start, upperBound));
}

/** The file came before its fields: its bytes wait on the disk for the fields after them. */
async function spool(parts: FormParts, maxBytes: number): Promise<IncomingUpload> {
  const { request, form, start } = parts;
  await requireKnown(request);
  const { folder, space } = request.project.files;
  const spooled = await Spool.fill(folder, start.chunks(), { maxBytes, space });
  try {
    await form.end();
    const content = { kind: 'whole', stream: spooled.content(), size: spooled.size } as const;
    return { ...uploadOf(parts, content), end: () => spooled[Symbol.asyncDispose]() };
  } catch (error) {
    await spooled[Symbol.asyncDispose]();
    throw error;
  }
}

function uploadOf({ form, file, given }: FormParts, content: IncomingContent): IncomingUpload {
  return {
    body: 'form',
    fields: joinFields(given, form.fields),
    fileName: file.fileName,
    declaredType: file.mediaType,
    content,
    async allFields() {
      await form.end();
      return joinFields(given, form.fields);
    },
    failure: () => form.failure,
    end: () => Promise.resolve(),
  };
}

function contentOf(start: ContentStart, upperBound: number | undefined): IncomingContent {
  if (!start.isWhole) return { kind: 'open', start, upperBound };
  const stream = Readable.from(start.chunks(), { objectMode: false });
  return { kind: 'whole', stream, size: start.size };
}

/** Refuses callers without a credential, so that they cannot fill the disk. Tokens were checked before. */
async function requireKnown({ project, uploader }: UploadRequest): Promise<void> {
  if (uploader.kind === 'platform') return;
  const { caller } = await project.db.resolveCaller(uploader.credential);
  if (caller.role === 'anon') throw fail('UNAUTHORIZED');
}

function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

// A form of several parts on its way in: the text fields that an upload may have, and one file, in any order.
// The file is handed out as it comes; fields are complete when the form has ended.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';

import { Dicer } from '@fastify/busboy';

import { fail } from '#libs/errors';

import { deferred } from './deferred.js';
import { isFieldName, type UploadFields } from './upload-fields.js';
import { type PartLines, readPartHeader } from './part-header.js';

const maxFieldBytes = 64 * 1024;
/** Bytes accepted before the first boundary, where there should be none. */
const maxPreambleBytes = 1024;
/** How much the parser takes in before it asks the sender to wait. */
const bufferBytes = 256 * 1024;
const fileField = 'file';
const boundaryForm = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

export interface FormFile {
  readonly fileName: string;
  readonly mediaType: string | undefined;
  /** Ends with the part; fails when the form does. */
  readonly content: Readable;
}

/** Whether a body of this type is a form of parts. */
export function isForm(contentType: string | undefined): contentType is string {
  return /^multipart\/form-data(?:[;\s]|$)/i.test(contentType ?? '');
}

/** Reads a form from a body, which is never destroyed: its sender is to be answered. */
export class UploadForm {
  private readonly texts = new Map<string, string>();
  private readonly found = deferred<FormFile>();
  private readonly ended = deferred<void>();
  private readonly parser: Dicer;
  private content: Readable | undefined;
  private openParts = 0;
  private isHeaderAwaited = false;
  private hasParserEnded = false;
  private isOver = false;
  private error: Error | undefined;

  /** Throws MULTIPART_INVALID (400) for a type without a boundary. */
  constructor(
    private readonly body: Readable,
    contentType: string,
  ) {
    const [, quoted, token] = boundaryForm.exec(contentType) ?? [];
    const boundary = quoted ?? token;
    if (boundary === undefined) throw invalid('its type names no boundary');
    const options = { boundary, highWaterMark: bufferBytes, partHwm: bufferBytes };
    this.parser = new Dicer(options)
      .on('preamble', (part: Readable) => this.skip(part))
      .on('part', (part: Readable) => this.begin(part))
      .on('error', () => this.stop(invalid('it ends before its closing boundary')))
      .on('finish', () => this.endParser());
    body.once('error', (cause) => this.stop(fail('REQUEST_ABORTED', {}, { cause })));
    body.once('close', () => {
      if (!body.readableEnded) this.stop(fail('REQUEST_ABORTED'));
    });
    body.pipe(this.parser);
  }

  /** Those that have come so far. */
  get fields(): UploadFields {
    return this.texts;
  }

  /**
   * The file, as soon as it begins. Rejects with MISSING_FIELD for a form without, and with what is wrong with
   * the fields before it: UNKNOWN_FIELD, INVALID_INPUT, MULTIPART_INVALID (400).
   */
  file(): Promise<FormFile> {
    return this.found.promise;
  }

  /** Resolves when everything has come in. The file must be read for that. */
  end(): Promise<void> {
    return this.ended.promise;
  }

  /** Why the form was ended, when it was. The parser says it to readers of the file in words of its own. */
  get failure(): Error | undefined {
    return this.error;
  }

  /** Ends the form with an error, unless it has ended. Nothing more is read. */
  stop(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.error = error;
    this.body.unpipe(this.parser);
    this.found.reject(error);
    this.ended.reject(error);
    this.content?.destroy(error);
  }

  private begin(part: Readable): void {
    // The parser reports it too, for all parts.
    part.on('error', () => undefined);
    if (this.isOver) return;
    if (this.isHeaderAwaited) {
      this.stop(invalid('a part has no header'));
      return;
    }
    this.isHeaderAwaited = true;
    this.openParts += 1;
    part.once('end', () => {
      this.openParts -= 1;
      this.endWhenRead();
    });
    part.once('header', (lines: PartLines) => {
      this.isHeaderAwaited = false;
      try {
        this.take(part, lines);
      } catch (error) {
        this.stop(error instanceof Error ? error : invalid('a part cannot be read'));
      }
    });
  }

  private take(part: Readable, lines: PartLines): void {
    const { name, fileName, mediaType } = readPartHeader(lines);
    if (name === fileField) {
      const isFile = fileName !== undefined || mediaType === 'application/octet-stream';
      if (!isFile) throw refused(name, 'send it as a file, not as text');
      if (this.content) throw refused(name, 'send one file at a time');
      this.content = part;
      this.found.resolve({ fileName: fileName ?? '', mediaType, content: part });
      return;
    }
    if (!isFieldName(name)) throw fail('UNKNOWN_FIELD', { field: shown(name) });
    if (fileName !== undefined) throw refused(name, 'send it as text, not as a file');
    if (this.texts.has(name)) throw refused(name, 'it is given twice');
    this.texts.set(name, '');
    this.readText(part, name);
  }

  private readText(part: Readable, name: string): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    part.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxFieldBytes) chunks.push(chunk);
      else this.stop(refused(name, `it is longer than ${maxFieldBytes} bytes`));
    });
    part.once('end', () => {
      const text = Buffer.concat(chunks);
      if (isUtf8(text)) this.texts.set(name, text.toString('utf8'));
      else this.stop(refused(name, 'it is not UTF-8'));
    });
  }

  private skip(preamble: Readable): void {
    let bytes = 0;
    preamble.on('error', () => undefined);
    preamble.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxPreambleBytes) this.stop(invalid('its boundary does not come'));
    });
  }

  private endParser(): void {
    this.hasParserEnded = true;
    if (this.isHeaderAwaited) this.stop(invalid('a part has no header'));
    this.endWhenRead();
  }

  /** The parser may end before what it gave out was read. */
  private endWhenRead(): void {
    if (!this.hasParserEnded || this.openParts > 0 || this.isOver) return;
    this.isOver = true;
    this.found.reject(fail('MISSING_FIELD', { field: fileField }));
    this.ended.resolve();
  }
}

/** What a client calls a field, as far as an answer may repeat it. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 64)).slice(1, -1);
}

function refused(field: string, reason: string) {
  return fail('INVALID_INPUT', { field, reason });
}

function invalid(reason: string) {
  return fail('MULTIPART_INVALID', { reason });
}

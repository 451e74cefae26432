import { type AskedDisposition, servedHeaders } from '#libs/storage-rules';

import { fileName, isPublic } from '../core/file-view.js';
import type { StoredFile } from '../core/stored-file.js';
import { firstText } from './query-text.js';

/** The headers with which the bytes of a file are served, but those of their length. */
export function fileHeaders(
  file: StoredFile,
  asked: AskedDisposition | undefined,
): Readonly<Record<string, string>> {
  const served = servedHeaders(
    {
      version: file.version,
      mediaType: file.mediaType,
      updatedAt: new Date(file.updatedAt),
      isPublic: isPublic(file),
      fileName: fileName(file.key),
      cacheControl: file.cacheControl ?? undefined,
    },
    asked,
  );
  // Answers differ by origin, including those that a cache stored for a request without one.
  const vary = served['vary'] === undefined ? 'Origin' : `Origin, ${served['vary']}`;
  return { ...served, vary };
}

/** `download` saves the file, under the name that it gives; `inline` shows it where that is harmless. */
export function askedDisposition(query: unknown): AskedDisposition | undefined {
  const download = firstText(query, 'download');
  if (download !== undefined) {
    return { kind: 'attachment', fileName: download === '' ? undefined : download };
  }
  return firstText(query, 'inline') === undefined ? undefined : { kind: 'inline' };
}

/** The same as the query of a URL: empty, or beginning with `?`. */
export function dispositionQuery(asked: AskedDisposition | undefined): string {
  if (!asked) return '';
  if (asked.kind === 'inline') return '?inline=';
  return `?download=${encodeURIComponent(asked.fileName ?? '')}`;
}

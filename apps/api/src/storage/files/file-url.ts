import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { type AskedDisposition, transformQuery } from '#libs/storage-rules';
import { isRecord } from '#libs/wire';

import { isPublic, publicUrl } from '../core/file-view.js';
import { objectAddress, type StoredFile } from '../core/stored-file.js';
import { askedDisposition, dispositionQuery, fileHeaders } from './file-headers.js';
import { addressOf, type LinkView, mayHaveLinks, signLink } from './links.js';

/** Where a file can be read. */
export interface FileUrl {
  readonly url: string;
  /** ISO 8601; null for what does not expire. */
  readonly expiresAt: string | null;
}

export interface UrlRequest {
  readonly expiresInSeconds: number;
  readonly view: LinkView;
}

const defaultSeconds = 3600;
/** A week, which is the longest that S3 signs for. */
const maxSeconds = 604_800;

/**
 * What a query wants an address of. Throws INVALID_INPUT (400) for wrong parameters of an image, and for an image that
 * is to be saved: the routes of images know no `download`.
 */
export function parseLinkView(query: unknown): LinkView {
  const asked = askedDisposition(query);
  const parameters = transformQuery(isRecord(query) ? query : {});
  if (parameters === undefined) return { kind: 'bytes', asked };
  if (asked?.kind === 'attachment') {
    throw fail('INVALID_INPUT', { field: 'download', reason: 'give it or an image, not both' });
  }
  return { kind: 'image', parameters };
}

/** For how long a URL is asked for, in seconds. Throws INVALID_EXPIRES_IN; nothing is clamped. */
export function parseExpiresIn(text: string | undefined): number {
  if (text === undefined) return defaultSeconds;
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > maxSeconds) throw fail('INVALID_EXPIRES_IN');
  return seconds;
}

/**
 * The address of a file that the caller may read: for everybody where the file is public, by the store or a
 * link of ours for as long as asked, or the route that asks for a session.
 */
export async function urlOfFile(
  project: ProjectRuntime,
  file: StoredFile,
  { expiresInSeconds, view }: UrlRequest,
): Promise<FileUrl> {
  if (isPublic(file)) return { url: publicAddress(project, file, view), expiresAt: null };
  // Links count in whole seconds, from the one that has begun.
  const expiresAt = Math.floor(Date.now() / 1000) + expiresInSeconds;
  if (view.kind === 'bytes') {
    const { asked } = view;
    const presigned = await presignedUrl(project, file, { expiresInSeconds, asked });
    if (presigned !== undefined) return { url: presigned, expiresAt: isoSeconds(expiresAt) };
  }
  if (!mayHaveLinks(project, file)) return { url: addressOf(project, file, view), expiresAt: null };
  return { url: signLink(project, file, { expiresAt, view }), expiresAt: isoSeconds(expiresAt) };
}

function publicAddress(project: ProjectRuntime, file: StoredFile, view: LinkView): string {
  return view.kind === 'image'
    ? addressOf(project, file, view)
    : `${publicUrl(project, file)}${dispositionQuery(view.asked)}`;
}

/** Undefined where the driver has no URLs of its own. The store answers with the headers that we would. */
async function presignedUrl(
  project: ProjectRuntime,
  file: StoredFile,
  {
    expiresInSeconds,
    asked,
  }: { readonly expiresInSeconds: number; readonly asked: AskedDisposition | undefined },
): Promise<string | undefined> {
  using lease = await project.files.acquire();
  const driver = lease.value.driverOf(file.driver);
  const headers = fileHeaders(file, asked);
  return driver.presignRead?.(objectAddress(file), {
    expiresInSeconds,
    responseHeaders: {
      contentType: headers['content-type'] ?? '',
      contentDisposition: headers['content-disposition'] ?? '',
      cacheControl: headers['cache-control'] ?? '',
    },
  });
}

function isoSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

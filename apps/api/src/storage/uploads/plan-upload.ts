// From what a sender requests to what is reserved.
import { parseMediaType } from '#libs/storage-rules';

import { FALLBACK_BUCKETS } from '../core/buckets.js';
import type { UploadPlan } from '../core/reservations.js';
import type { UploadOptions } from './upload-fields.js';

const maxNameLetters = 150;
const maxExtensionLetters = 20;
/** What has no place in the name of a file: what keys refuse, and slashes. */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}/\\]/gu;
/** The lifetime of a reservation: an hour, plus the time that the slowest accepted sender needs. */
const baseSeconds = 3600;
const slowestBytesPerSecond = 64 * 1024;

/** What is known of the content beside the options. */
export interface PlannedContent {
  /** Of the upload; part of the key where the options have none. */
  readonly id: string;
  /** As its sender calls it. */
  readonly fileName: string | undefined;
  /** The type that came with the bytes. */
  readonly declaredType: string | undefined;
  /** Bytes to reserve at first. */
  readonly size: number;
  readonly kind: UploadPlan['kind'];
  readonly sha256: string | undefined;
  readonly expiresInSeconds: number;
}

/** Throws INVALID_MEDIA_TYPE (400). */
export function planUpload(options: UploadOptions, content: PlannedContent): UploadPlan {
  const { bucket, visibility, key, upsert, mediaType, cacheControl, userMetadata } = options;
  const { id, size, kind, sha256, expiresInSeconds } = content;
  return {
    id,
    bucket: bucket ?? FALLBACK_BUCKETS[visibility ?? 'private'],
    key: key ?? `${id}/${plainFileName(content.fileName ?? '')}`,
    mediaType: mediaType ?? parseMediaType(content.declaredType),
    visibility,
    upsert,
    size,
    kind,
    sha256,
    cacheControl,
    userMetadata,
    expiresInSeconds,
  };
}

/** The last part of a client's file name, in a form that a key may contain. */
export function plainFileName(text: string): string {
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  const letters = [...last.slice(0, 4096).normalize('NFC').replace(unfit, '_').trim()];
  const name = shorten(letters);
  return /^\.*$/.test(name) ? 'file' : name;
}

function shorten(letters: readonly string[]): string {
  if (letters.length <= maxNameLetters) return letters.join('');
  const dot = letters.lastIndexOf('.');
  const hasExtension = dot > 0 && letters.length - dot <= maxExtensionLetters;
  const extension = hasExtension ? letters.slice(dot) : [];
  return [...letters.slice(0, maxNameLetters - extension.length), ...extension].join('');
}

/** How long an upload of at most this many bytes may take, in seconds. */
export function longestUploadSeconds(maxBytes: number): number {
  return baseSeconds + Math.ceil(maxBytes / slowestBytesPerSecond);
}

// Image requests: derives the source and the variant from query parameters and the header Accept. Values out of range
// are refused rather than clamped, so that a request never receives another image than it describes.
import { fail } from '#libs/errors';

import { parseBucketSlug } from './bucket-slug.js';
import { formatOfType, IMAGE_FORMATS, type ImageFormat } from './image-formats.js';
import { canonicalMediaType } from './media-type.js';
import { isUuid, parseObjectKey } from './object-key.js';

const sides = { least: 1, most: 2000 };
const qualities = { least: 20, most: 100 };
const defaultQuality = 80;

const RESIZES = ['cover', 'contain', 'fill'] as const;
const FORMATS = ['origin', ...IMAGE_FORMATS] as const;

export type ImageSource =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'key'; readonly bucket: string; readonly key: string };

export interface Transform {
  /** In pixels, like the height; if only one is given, the other follows from it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly resize: (typeof RESIZES)[number];
  readonly quality: number;
  /** Undefined if the header Accept decides. */
  readonly format: (typeof FORMATS)[number] | undefined;
}

export interface ImageRequest {
  readonly source: ImageSource;
  readonly transform: Transform;
}

type Query = Readonly<Record<string, unknown>>;

const parameters = new Set('id bucket path width height resize quality format'.split(' '));

/**
 * Parses the source and the variant from the decoded query. Throws UNKNOWN_FIELD and INVALID_INPUT (400), which name
 * the parameter, INVALID_OBJECT_KEY and INVALID_BUCKET_SLUG (400).
 */
export function parseImageRequest(query: Query): ImageRequest {
  const unknown = Object.keys(query).find((field) => !parameters.has(field));
  if (unknown !== undefined) throw fail('UNKNOWN_FIELD', { field: unknown.slice(0, 100) });
  return { source: parseSource(query), transform: parseTransform(query) };
}

/**
 * Parses the parameters of a transformation; others are ignored. Throws INVALID_INPUT (400), which names the parameter.
 */
function parseTransform(query: Query): Transform {
  return {
    width: parseInteger(query, 'width', sides),
    height: parseInteger(query, 'height', sides),
    resize: parseWord(query, 'resize', RESIZES) ?? 'cover',
    quality: parseInteger(query, 'quality', qualities) ?? defaultQuality,
    format: parseWord(query, 'format', FORMATS),
  };
}

const transformFields = ['width', 'height', 'resize', 'quality', 'format'] as const;

/**
 * The transformation in a query as parameters of an image request, in a fixed order; undefined if the query has none.
 * Throws INVALID_INPUT (400), which names the parameter.
 */
export function transformQuery(query: Query): string | undefined {
  parseTransform(query);
  const given = transformFields.flatMap((field) => {
    const text = textOf(query, field);
    return text === undefined ? [] : [`${field}=${text}`];
  });
  return given.length === 0 ? undefined : given.join('&');
}

/** The output format that keeps the format of this media type; undefined if it cannot be transformed. */
export function ownFormat(mediaType: string): ImageFormat | undefined {
  return formatOfType(canonicalMediaType(mediaType));
}

/**
 * The format of the answer. Without an explicit format it is WebP if the client accepts WebP, by name or by `image/*`,
 * with at least the weight of the image's own format; a client without Accept receives the latter.
 */
export function chooseFormat(
  asked: Transform['format'],
  own: ImageFormat,
  accept: string | undefined,
): ImageFormat {
  if (asked !== undefined) return asked === 'origin' ? own : asked;
  if (accept === undefined || accept.trim() === '') return own;
  const quality = qualityOf(accept, 'image/webp');
  return quality > 0 && quality >= qualityOf(accept, `image/${own}`) ? 'webp' : own;
}

/**
 * Returns one text for all requests that lead to the same image: with the version of the source it identifies the
 * variant. If only one side is given, nothing is cropped or filled, and `resize` is ignored.
 */
export function variantText(transform: Transform, format: ImageFormat): string {
  const { width, height, resize, quality } = transform;
  const fit = width === undefined || height === undefined ? 'cover' : resize;
  return `width=${width ?? ''}&height=${height ?? ''}&resize=${fit}&quality=${quality}&format=${format}`;
}

function parseSource(query: Query): ImageSource {
  const [id, bucket, key] = [textOf(query, 'id'), textOf(query, 'bucket'), textOf(query, 'path')];
  if (id !== undefined) {
    const other = bucket !== undefined ? 'bucket' : 'path';
    if (bucket !== undefined || key !== undefined) throw invalid(other, 'give it or id, not both');
    if (!isUuid(id)) throw invalid('id', 'must be a UUID');
    return { kind: 'id', id: id.toLowerCase() };
  }
  if (bucket === undefined) throw invalid('bucket', 'is needed, with path, or id instead');
  if (key === undefined) throw invalid('path', 'is needed, with bucket');
  return { kind: 'key', bucket: parseBucketSlug(bucket), key: parseObjectKey(key) };
}

function parseInteger(
  query: Query,
  field: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const text = textOf(query, field);
  if (text === undefined) return undefined;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalid(field, `must be a whole number from ${least} to ${most}`);
}

function parseWord<Word extends string>(
  query: Query,
  field: string,
  words: readonly Word[],
): Word | undefined {
  const text = textOf(query, field);
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text);
  if (word === undefined) throw invalid(field, `must be one of ${words.join(', ')}`);
  return word;
}

function textOf(query: Query, field: string): string | undefined {
  const value = query[field];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(field, 'must be given once');
}

/** The weight with which the client accepts the type, from 0 to 1: the most specific entry of Accept decides. */
function qualityOf(accept: string, type: string): number {
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  const found = new Map<string, number>();
  for (const entry of accept.split(',')) {
    const [range = '', ...rest] = entry.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = qualityAmong(rest);
    if (quality !== undefined && !found.has(range)) found.set(range, quality);
  }
  return found.get(type) ?? found.get(group) ?? found.get('*/*') ?? 0;
}

/** The weight among the parameters of an entry: 1 if there is none, undefined if it is malformed. */
function qualityAmong(entryParameters: readonly string[]): number | undefined {
  const weight = entryParameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const [, value] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight) ?? [];
  return value === undefined ? undefined : Number(value);
}

function invalid(field: string, reason: string) {
  return fail('INVALID_INPUT', { field, reason });
}

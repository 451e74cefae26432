// Recognises content by its first bytes. Only certain results are returned: browsers and decoders accept nothing else
// for these types either.
import { sniffMarkup } from './sniff-markup.js';

/** This many bytes suffice for every format here. */
export const sniffedBytes = 4096;

interface Signature {
  readonly type: string;
  /** One character for each byte. */
  readonly magic: string;
  readonly at?: number;
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', magic: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', magic: '\xff\xd8\xff' },
  { type: 'image/gif', magic: 'GIF87a' },
  { type: 'image/gif', magic: 'GIF89a' },
  { type: 'image/tiff', magic: 'II*\0' },
  { type: 'image/tiff', magic: 'MM\0*' },
  { type: 'image/tiff', magic: 'II+\0' },
  { type: 'image/tiff', magic: 'MM\0+' },
  { type: 'image/jxl', magic: '\xff\x0a' },
  { type: 'image/jxl', magic: '\0\0\0\x0cJXL \r\n\x87\n' },
  { type: 'image/jp2', magic: '\0\0\0\x0cjP  \r\n\x87\n' },
  { type: 'image/vnd.adobe.photoshop', magic: '8BPS\0' },
  { type: 'application/pdf', magic: '%PDF-' },
  { type: 'application/zip', magic: 'PK\x03\x04' },
  { type: 'application/zip', magic: 'PK\x05\x06' },
  { type: 'application/zip', magic: 'PK\x07\x08' },
  { type: 'application/gzip', magic: '\x1f\x8b\x08' },
  { type: 'audio/mpeg', magic: 'ID3' },
];

/** Brands of ISO base media files (ISO/IEC 14496-12) that identify the format. */
const BRANDS: readonly { readonly type: string; readonly brand: RegExp }[] = [
  { type: 'image/avif', brand: /^avi[fs]$/ },
  { type: 'image/heic', brand: /^(?:he[iv][cxms])$/ },
  { type: 'image/heif', brand: /^(?:mif[12]|msf1)$/ },
  { type: 'audio/mp4', brand: /^M4[AB] $/ },
  { type: 'video/quicktime', brand: /^qt {2}$/ },
  {
    type: 'video/mp4',
    brand: /^(?:mp4[12]|iso[m2-9]|avc1|M4V |MSNV|dash|cmf[cf2]|3g[2p].|f4v |mmp4)$/,
  },
];

/** The first stream of an Ogg file identifies its format. */
const OGG_STREAMS: readonly Signature[] = [
  { type: 'audio/ogg', magic: 'OpusHead', at: 28 },
  { type: 'audio/ogg', magic: '\x01vorbis', at: 28 },
  { type: 'audio/ogg', magic: 'Speex   ', at: 28 },
  { type: 'audio/ogg', magic: '\x7fFLAC', at: 28 },
  { type: 'video/ogg', magic: '\x80theora', at: 28 },
];

/** Every type that {@link sniffMediaType} returns. */
export const recognizedTypes: ReadonlySet<string> = new Set([
  ...[...SIGNATURES, ...BRANDS, ...OGG_STREAMS].map(({ type }) => type),
  'application/ogg',
  'application/xml',
  'audio/wav',
  'image/bmp',
  'image/svg+xml',
  'image/webp',
  'image/x-icon',
  'text/html',
  'video/webm',
  'video/x-matroska',
]);

/** Lengths of the second header of a bitmap, one for each version of the format. */
const bitmapHeaderBytes = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

/** The media type of content by its first {@link sniffedBytes} bytes; undefined if they match no known format. */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  const first = bytes.subarray(0, sniffedBytes);
  return (
    SIGNATURES.find((signature) => isSigned(first, signature))?.type ??
    sniffContainer(first) ??
    sniffLoose(first) ??
    sniffMarkup(first)
  );
}

function sniffContainer(bytes: Uint8Array): string | undefined {
  if (hasText(bytes, 'RIFF', 0)) {
    if (hasText(bytes, 'WEBPVP', 8)) return 'image/webp';
    return hasText(bytes, 'WAVE', 8) ? 'audio/wav' : undefined;
  }
  if (hasText(bytes, 'ftyp', 4)) return sniffBaseMedia(bytes);
  if (hasText(bytes, '\x1aE\xdf\xa3', 0)) {
    // The element DocType: its id 42 82, its length, its text.
    const head = textOf(bytes.subarray(0, 128));
    if (/B\x82.webm/s.test(head)) return 'video/webm';
    return /B\x82.matroska/s.test(head) ? 'video/x-matroska' : undefined;
  }
  if (hasText(bytes, 'OggS\0', 0)) {
    return OGG_STREAMS.find((signature) => isSigned(bytes, signature))?.type ?? 'application/ogg';
  }
  return undefined;
}

/** The main brand decides; if it is a general one, the compatible brands decide. */
function sniffBaseMedia(bytes: Uint8Array): string | undefined {
  const end = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length);
  const main = brandAt(bytes, 8);
  if (main !== undefined && main !== 'image/heif') return main;
  for (let at = 16; at + 4 <= end; at += 4) {
    const compatible = brandAt(bytes, at);
    if (compatible === undefined || compatible === 'image/heif') continue;
    if (main === undefined || compatible.startsWith('image/')) return compatible;
  }
  return main;
}

function brandAt(bytes: Uint8Array, at: number): string | undefined {
  const text = textOf(bytes.subarray(at, at + 4));
  return BRANDS.find(({ brand }) => brand.test(text))?.type;
}

/** Formats whose magic numbers alone are too short to be certain. */
function sniffLoose(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (
    bytes.length >= 18 &&
    hasText(bytes, 'BM', 0) &&
    bitmapHeaderBytes.has(view.getUint32(14, true))
  ) {
    return 'image/bmp';
  }
  if (bytes.length >= 22 && hasText(bytes, '\0\0\x01\0', 0) && view.getUint16(4, true) > 0) {
    return 'image/x-icon';
  }
  return isMp3Frame(view.getUint32(0)) ? 'audio/mpeg' : undefined;
}

/** Whether these are the four bytes before a frame of MPEG audio, layer III, without a reserved value. */
function isMp3Frame(header: number): boolean {
  const bits = (from: number, count: number) => (header >>> from) & ((1 << count) - 1);
  const isSynchronous = bits(21, 11) === 0x7ff;
  const isLayer3 = bits(19, 2) !== 1 && bits(17, 2) === 1;
  return isSynchronous && isLayer3 && ![0, 15].includes(bits(12, 4)) && bits(10, 2) !== 3;
}

function isSigned(bytes: Uint8Array, { magic, at = 0 }: Signature): boolean {
  return hasText(bytes, magic, at);
}

function hasText(bytes: Uint8Array, text: string, at: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { sniffMarkup } from './sniff-markup.js';
import { recognizedTypes, sniffedBytes, sniffMediaType } from './sniff.js';

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf16 = (text: string, order: 'little' | 'big') => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'little' ? bytes : bytes.swap16();
};
const ftyp = (...brands: string[]) => {
  const size = 8 + 4 * (brands.length + 1);
  const [main = '', ...compatible] = brands;
  return latin(
    `\0\0\0${String.fromCharCode(size)}ftyp${main}\0\0\0\0${compatible.join('')}\0\0\0\x08free`,
  );
};
const ogg = (stream: string) => latin(`OggS\0\x02${'\0'.repeat(20)}\x01\x1e${stream}`);
const matroska = (kind: string) =>
  latin(`\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82${String.fromCharCode(0x80 + kind.length)}${kind}`);

describe('first bytes', () => {
  test.each([
    { name: 'PNG', bytes: latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), type: 'image/png' },
    { name: 'JPEG', bytes: latin('\xff\xd8\xff\xe0\0\x10JFIF'), type: 'image/jpeg' },
    { name: 'GIF of 1987', bytes: latin('GIF87a\x01\0\x01\0'), type: 'image/gif' },
    { name: 'GIF of 1989', bytes: latin('GIF89a\x01\0\x01\0'), type: 'image/gif' },
    { name: 'WebP', bytes: latin('RIFF\x24\0\0\0WEBPVP8 '), type: 'image/webp' },
    { name: 'WAV', bytes: latin('RIFF\x24\0\0\0WAVEfmt '), type: 'audio/wav' },
    { name: 'AVIF', bytes: ftyp('avif', 'avif', 'mif1', 'miaf'), type: 'image/avif' },
    { name: 'AVIF under a general brand', bytes: ftyp('mif1', 'miaf', 'avif'), type: 'image/avif' },
    { name: 'HEIC', bytes: ftyp('heic', 'mif1', 'heic'), type: 'image/heic' },
    { name: 'HEIC under a general brand', bytes: ftyp('mif1', 'heic'), type: 'image/heic' },
    { name: 'HEIF of an unknown kind', bytes: ftyp('mif1', 'jpeg'), type: 'image/heif' },
    {
      name: 'a video that names an image brand too',
      bytes: ftyp('isom', 'mif1', 'avif'),
      type: 'video/mp4',
    },
    {
      name: 'a brand beyond the box',
      bytes: Uint8Array.of(...ftyp('none'), ...latin('avif')),
      type: undefined,
    },
    { name: 'MP4', bytes: ftyp('isom', 'iso2', 'avc1', 'mp41'), type: 'video/mp4' },
    { name: 'MP4 under an unknown brand', bytes: ftyp('none', 'mp42'), type: 'video/mp4' },
    { name: 'MPEG-4 audio', bytes: ftyp('M4A ', 'mp42'), type: 'audio/mp4' },
    { name: 'QuickTime', bytes: ftyp('qt  '), type: 'video/quicktime' },
    { name: 'BMP', bytes: latin(`BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0`), type: 'image/bmp' },
    { name: 'TIFF, little end first', bytes: latin('II*\0\x08\0\0\0'), type: 'image/tiff' },
    { name: 'TIFF, big end first', bytes: latin('MM\0*\0\0\0\x08'), type: 'image/tiff' },
    { name: 'icon', bytes: latin(`\0\0\x01\0\x01\0${'\x10'.repeat(16)}`), type: 'image/x-icon' },
    { name: 'JPEG XL', bytes: latin('\0\0\0\x0cJXL \r\n\x87\n'), type: 'image/jxl' },
    { name: 'Photoshop', bytes: latin('8BPS\0\x01'), type: 'image/vnd.adobe.photoshop' },
    { name: 'PDF', bytes: latin('%PDF-1.7\n'), type: 'application/pdf' },
    { name: 'ZIP', bytes: latin('PK\x03\x04\x14\0'), type: 'application/zip' },
    { name: 'an empty ZIP', bytes: latin(`PK\x05\x06${'\0'.repeat(18)}`), type: 'application/zip' },
    { name: 'gzip', bytes: latin('\x1f\x8b\x08\0'), type: 'application/gzip' },
    { name: 'WebM', bytes: matroska('webm'), type: 'video/webm' },
    { name: 'Matroska', bytes: matroska('matroska'), type: 'video/x-matroska' },
    { name: 'MP3 with tags', bytes: latin('ID3\x04\0\0'), type: 'audio/mpeg' },
    { name: 'MP3 without tags', bytes: latin('\xff\xfb\x90\x64\0\0'), type: 'audio/mpeg' },
    { name: 'AAC is no MP3', bytes: latin('\xff\xf1\x50\x80\0\0'), type: undefined },
    { name: 'Opus', bytes: ogg('OpusHead\x01'), type: 'audio/ogg' },
    { name: 'Vorbis', bytes: ogg('\x01vorbis'), type: 'audio/ogg' },
    { name: 'Theora', bytes: ogg('\x80theora'), type: 'video/ogg' },
    { name: 'Ogg with another stream', bytes: ogg('fishead\0'), type: 'application/ogg' },
    { name: 'nothing', bytes: latin(''), type: undefined },
    { name: 'one byte', bytes: latin('B'), type: undefined },
    { name: 'a text', bytes: latin('Hello, world'), type: undefined },
    {
      name: 'a text that begins like a bitmap',
      bytes: latin('BMW builds cars and motorcycles'),
      type: undefined,
    },
    { name: 'JSON', bytes: latin('{"a": "<html>"}'), type: undefined },
    { name: 'half of a signature', bytes: latin('\x89PNG'), type: undefined },
    { name: 'a signature further in', bytes: latin(' GIF89a'), type: undefined },
  ])('$name', ({ bytes, type }) => {
    expect(sniffMediaType(bytes)).toBe(type);
    expect(type === undefined || recognizedTypes.has(type)).toBe(true);
    // The same bytes within a larger buffer, as a reader of streams hands them on.
    const buffer = new Uint8Array(bytes.length + 6).fill(0x20);
    buffer.set(bytes, 3);
    expect(sniffMediaType(buffer.subarray(3, 3 + bytes.length))).toBe(type);
  });
});

describe('markup', () => {
  test.each([
    { name: 'a document type', text: '<!DOCTYPE html><p>', type: 'text/html' },
    { name: 'a document type in small letters', text: '<!doctype html>', type: 'text/html' },
    { name: 'an element', text: '<html>', type: 'text/html' },
    { name: 'an element in capital letters', text: '<SCRIPT>alert(1)</SCRIPT>', type: 'text/html' },
    { name: 'an element with attributes', text: '<img src=x onerror=alert(1)>', type: 'text/html' },
    { name: 'an element closed in its tag', text: '<br/>', type: 'text/html' },
    { name: 'white space in front', text: ' \t\r\n\f<body>', type: 'text/html' },
    { name: 'a comment in front', text: '<!-- > --><script>', type: 'text/html' },
    { name: 'several comments in front', text: '<!--a--> <!--b-->\n<svg>', type: 'image/svg+xml' },
    { name: 'a comment without end', text: '<!-- a', type: 'text/html' },
    { name: 'a comment alone', text: '<!-- a --> b', type: 'text/html' },
    { name: 'SVG', text: '<svg xmlns="http://www.w3.org/2000/svg">', type: 'image/svg+xml' },
    {
      name: 'SVG behind a declaration',
      text: '<?xml version="1.0"?>\n<svg>',
      type: 'image/svg+xml',
    },
    {
      name: 'SVG behind its document type',
      text: '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN">',
      type: 'image/svg+xml',
    },
    {
      name: 'SVG with a prefix',
      text: '<?xml version="1.0"?><s:svg xmlns:s="x">',
      type: 'image/svg+xml',
    },
    {
      name: 'SVG behind a style sheet',
      text: '<?xml-stylesheet href="a"?><svg>',
      type: 'image/svg+xml',
    },
    { name: 'XHTML', text: '<?xml version="1.0"?><html xmlns="x">', type: 'text/html' },
    { name: 'XML', text: '<?xml version="1.0"?><note>', type: 'application/xml' },
    { name: 'XML alone', text: '<?xml version="1.0"?>', type: 'application/xml' },
    { name: 'XML without declaration', text: '<rss version="2.0">', type: 'application/xml' },
    { name: 'XML with a document type', text: '<!DOCTYPE plist>', type: 'application/xml' },
    { name: 'an element at the end of the bytes', text: '<svg', type: 'image/svg+xml' },
    { name: 'PHP', text: '<?php echo 1;', type: undefined },
    { name: 'a mail address', text: '<me@example.com>', type: undefined },
    { name: 'an arrow', text: '<- left', type: undefined },
    { name: 'less than', text: '< b', type: undefined },
    { name: 'words in front', text: 'a <script>', type: undefined },
  ])('$name', ({ text, type }) => {
    expect(sniffMediaType(latin(text))).toBe(type);
    expect(type === undefined || recognizedTypes.has(type)).toBe(true);
    expect(sniffMediaType(latin(`\xef\xbb\xbf${text}`))).toBe(type);
    expect(sniffMediaType(utf16(`\ufeff${text}`, 'little'))).toBe(type);
    expect(sniffMediaType(utf16(`\ufeff${text}`, 'big'))).toBe(type);
    expect(sniffMediaType(utf16(text, 'little'))).toBe(type);
    expect(sniffMediaType(utf16(text, 'big'))).toBe(type);
  });

  // Reading it more than once for each piece would take minutes, far beyond the time limit of a test.
  test.each([
    { piece: '<!---->', type: 'text/html' },
    { piece: '<?a?>', type: undefined },
    { piece: '<!--', type: 'text/html' },
    { piece: '<?', type: undefined },
    { piece: ' ', type: undefined },
    { piece: '<', type: undefined },
    { piece: '<!doctype ', type: 'text/html' },
  ])('$piece without end is read once', ({ piece, type }) => {
    expect(sniffMarkup(latin(piece.repeat(200_000)))).toBe(type);
  });
});

test('any bytes are answered, and only the first ones count', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(100), (bytes, offset) => {
      const type = sniffMediaType(bytes);
      const within = new Uint8Array(offset + bytes.length + 3);
      within.set(bytes, offset);
      expect(sniffMediaType(within.subarray(offset, offset + bytes.length))).toBe(type);
      const long = new Uint8Array(sniffedBytes + 10).fill(0x20);
      long.set(bytes);
      const cut = long.slice(0, sniffedBytes);
      expect(sniffMediaType(long)).toBe(sniffMediaType(cut));
    }),
  );
});

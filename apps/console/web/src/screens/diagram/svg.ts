// A drawing as a file of SVG. Names of tables and columns may be any text: they enter it escaped.
import { type Drawing, fontFamily, type Shape } from './drawing.js';

export function svgOf({ width, height, background, shapes }: Drawing): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${fontFamily}">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...shapes.map(elementOf),
    '</svg>',
    '',
  ].join('\n');
}

function elementOf(shape: Shape): string {
  switch (shape.kind) {
    case 'box': {
      const { x, y, width, height, radius, fill, stroke } = shape;
      const line = stroke === undefined ? '' : ` stroke="${stroke}"`;
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${line}/>`;
    }
    case 'line':
      return `<path d="${shape.path}" fill="none" stroke="${shape.stroke}" stroke-width="1.3"/>`;
    case 'text': {
      const { x, y, text, size, weight, fill, anchor } = shape;
      return `<text x="${x}" y="${y}" dy="0.35em" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}" xml:space="preserve">${escapeXml(text)}</text>`;
    }
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text between tags. What XML 1.0 cannot hold, such as control characters and half pairs, becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
}

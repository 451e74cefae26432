import type { Explain, RowStyle } from '../types/plan.js';

/** The media type of rows in a style. */
export function contentType(style: RowStyle): string {
  return `${mediaType(style)}; charset=utf-8`;
}

/** The media type of the plan of a statement that gives rows in `style`. */
export function planContentType({ as, options }: Explain, style: RowStyle): string {
  const given = options.length === 0 ? '' : `; options=${options.join('|')}`;
  return `application/vnd.pgrst.plan+${as}; for="${mediaType(style)}"${given}; charset=utf-8`;
}

function mediaType(style: RowStyle): string {
  switch (style.kind) {
    case 'array':
      return style.stripNulls
        ? 'application/vnd.pgrst.array+json; nulls=stripped'
        : 'application/json';
    case 'object':
      return `application/vnd.pgrst.object+json${style.stripNulls ? '; nulls=stripped' : ''}`;
    case 'csv':
      return 'text/csv';
    case 'geojson':
      return 'application/geo+json';
  }
}

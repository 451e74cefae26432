/**
 * What a route does with the body of a request.
 * - `none`: the body is discarded unread.
 * - `json`: a controller gets the parsed value. A body of the media type `plain.type` is text, which becomes the
 *   field `plain.field` of that value.
 * - `text`: a controller gets the text. `rows`: the limit is a setting of the project.
 * - `bytes`: the route reads the body itself with `readBody`, after checks of its own.
 * - `stream`: the route reads `request.raw` itself, with limits of its own.
 */
export type BodyRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly maxBytes: number; readonly plain?: PlainBody }
  | { readonly kind: 'text'; readonly maxBytes: 'rows' }
  | { readonly kind: 'bytes'; readonly maxBytes: number }
  | { readonly kind: 'stream' };

export interface PlainBody {
  /** In lower case. */
  readonly type: string;
  readonly field: string;
}

const kilobyte = 1024;

/** Requests of forms: accounts, administration, the console. Every route without another rule has this one. */
export const smallJson = { kind: 'json', maxBytes: 64 * kilobyte } as const;
/** Lists of names and values, templates of messages, scripts. */
export const largeJson = { kind: 'json', maxBytes: 1024 * kilobyte } as const;
export const noBody = { kind: 'none' } as const;
export const streamedBody = { kind: 'stream' } as const;

/**
 * How a route reads the body of a request.
 * - `none`: the body is discarded unread.
 * - `json`: the controller receives the parsed value. A body of the media type `plain.type` is a text and becomes the
 *   field `plain.field` of that value; of one of the type `archive.type`, `archive.read` makes the value.
 * - `text`: the controller receives the bytes of the text. `rows`: the limit is a setting of the project.
 * - `bytes`: the route reads the body itself with `readBody`, after checks of its own.
 * - `stream`: the route reads `request.raw` itself, with limits of its own.
 */
export type BodyRule =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json';
      readonly maxBytes: number;
      readonly plain?: PlainBody;
      readonly archive?: ArchiveBody;
    }
  | { readonly kind: 'text'; readonly maxBytes: 'rows' }
  | { readonly kind: 'bytes'; readonly maxBytes: number }
  | { readonly kind: 'stream' };

export interface PlainBody {
  /** In lower case. */
  readonly type: string;
  readonly field: string;
}

export interface ArchiveBody {
  /** In lower case. */
  readonly type: string;
  /** Returns the value of a body; `query` has the parameters of the URL, each a text or a list of texts. */
  readonly read: (bytes: Buffer, query: unknown) => unknown;
}

const kilobyte = 1024;

/** For forms: accounts, administration, the console. The default of every route. */
export const smallJson = { kind: 'json', maxBytes: 64 * kilobyte } as const;
/** Lists of names and values, templates of messages, scripts. */
export const largeJson = { kind: 'json', maxBytes: 1024 * kilobyte } as const;
export const noBody = { kind: 'none' } as const;
export const streamedBody = { kind: 'stream' } as const;

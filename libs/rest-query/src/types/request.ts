// A request, parsed but not resolved: its names are still as the caller wrote them.
import type {
  BatchPlace,
  FilterTree,
  OrderName,
  OrderTerm,
  ParsedCondition,
  SelectItem,
  Window,
} from './grammar.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

/** The headers that affect a request, each as one line of text. */
export interface RestHeaders {
  readonly prefer?: string | undefined;
  readonly range?: string | undefined;
  readonly accept?: string | undefined;
  readonly contentType?: string | undefined;
  readonly acceptProfile?: string | undefined;
  readonly contentProfile?: string | undefined;
}

/** The resource of a path, decoded: `/rest/v1/planets`, `/rest/v1/rpc/add`. */
export interface Resource {
  readonly kind: 'table' | 'function';
  readonly name: string;
}

export interface RestInput {
  readonly method: Method;
  readonly resource: Resource;
  /** As received: percent-encoded, without the question mark. */
  readonly queryString: string;
  readonly headers: RestHeaders;
  /** JSON or text as received, in UTF-8; other bytes as `\x` and hexadecimal digits. */
  readonly body?: Buffer | undefined;
  /** The caller bypasses every policy, so none of the rows are hidden from it. */
  readonly seesAllRows?: boolean | undefined;
  /** Present for an operation of a batch. */
  readonly place?: BatchPlace | undefined;
}

/** The clauses for the rows of one level, besides its select. */
export interface LevelClauses {
  readonly where: FilterTree<ParsedCondition>;
  readonly order: readonly OrderTerm<OrderName>[];
  readonly window: Window;
}

/** Clauses for the rows of an embed; `path` names the embeds that lead to it from the outside in. */
export interface EmbedClauses extends LevelClauses {
  readonly path: readonly string[];
}

export type CountMode = 'none' | 'exact' | 'planned' | 'estimated';

export interface Preferences {
  readonly count: CountMode;
  /** Undefined: the default of the route. */
  readonly returns: 'representation' | 'minimal' | 'headers-only' | undefined;
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  /** What a write puts into a column that a row of the body omits. */
  readonly missing: 'default' | 'null';
  readonly maxAffected: number | undefined;
  readonly isDryRun: boolean;
  /** `params=single-object`: the body is the only argument of a function. */
  readonly isSingleObject: boolean;
  /** `name=value` of the given preferences, in the order of the implementation's table. */
  readonly given: readonly string[];
}

export const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;
export type PlanOption = (typeof PLAN_OPTIONS)[number];

/** How rows are written. */
export type RowFormat =
  | { readonly kind: 'array' | 'object'; readonly stripNulls: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'geojson' };

export type Format =
  | RowFormat
  /** Requests the plan of the statement instead of its rows. */
  | {
      readonly kind: 'plan';
      readonly as: 'text' | 'json';
      readonly options: readonly PlanOption[];
      /** The row format of the explained statement. */
      readonly of: RowFormat;
    };

/** The keys of a JSON body; the body itself goes to PostgreSQL unchanged. */
export interface BodyShape {
  readonly kind: 'object' | 'array';
  /** Union of the keys of all rows, in order of first appearance. */
  readonly keys: readonly string[];
  /** Whether each row has all of `keys`. */
  readonly isUniform: boolean;
}

interface RequestBase extends LevelClauses {
  readonly select: readonly SelectItem[];
  readonly embedded: readonly EmbedClauses[];
  readonly preferences: Preferences;
  readonly format: Format;
}

export interface ReadRequest extends RequestBase {
  readonly kind: 'read';
  readonly table: string;
  /** False for HEAD. */
  readonly readsRows: boolean;
  /** The caller bypasses every policy. */
  readonly seesAllRows: boolean;
}

interface WriteRequestBase extends RequestBase {
  readonly table: string;
  readonly place: BatchPlace | undefined;
}

interface BodyRequest {
  readonly body: BodyShape;
  /** Columns to read from the body; absent: its keys. */
  readonly columns: readonly string[] | undefined;
}

export interface InsertRequest extends WriteRequestBase, BodyRequest {
  readonly kind: 'insert';
  readonly onConflict: readonly string[] | undefined;
}

export interface UpdateRequest extends WriteRequestBase, BodyRequest {
  readonly kind: 'update';
}

export interface DeleteRequest extends WriteRequestBase {
  readonly kind: 'delete';
}

/** One value for an argument: `text` before the operand, then the operand itself. */
export interface ArgumentText {
  readonly text: string;
  readonly slot: number | undefined;
}

export type CallArguments =
  /** From a query string, in its order; a name may be repeated. */
  | {
      readonly kind: 'named';
      readonly values: readonly { readonly name: string; readonly value: ArgumentText }[];
    }
  /** The keys of a JSON object. */
  | { readonly kind: 'object'; readonly keys: readonly string[] }
  /** The whole body is one argument: by request, or because it is not a JSON object. */
  | { readonly kind: 'single'; readonly type: 'json' | 'text' | 'bytes' };

export interface CallRequest extends RequestBase {
  readonly kind: 'call';
  readonly schema: string;
  readonly function: string;
  readonly arguments: CallArguments;
  /** GET and HEAD: the function must not write. */
  readonly isReadOnly: boolean;
  /** False for HEAD. */
  readonly readsRows: boolean;
}

export type WriteRequest = InsertRequest | UpdateRequest | DeleteRequest;
export type RestRequest = ReadRequest | WriteRequest | CallRequest;

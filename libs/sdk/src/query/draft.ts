/**
 * A request while it is built, and how it is sent. Builders change the draft that they share; it is read when it is
 * sent.
 */
import { type Answer, refusal, settle } from '../answer.js';
import { toJson } from '../body.js';
import { RowhouseError } from '../error.js';
import { parseJson } from '../json.js';
import type { Exchange, Method, WireAnswer } from '../request.js';
import { newParts, queryOf, type QueryParts } from './filters.js';

export type Count = 'exact' | 'planned' | 'estimated';

export interface RequestDraft extends QueryParts {
  readonly exchange: Exchange;
  readonly method: Method;
  /** Path below the address of the project. */
  readonly path: string;
  readonly prefer: Map<string, string>;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  /** The media type of the rows. */
  mediaType: string;
  /** Options of the plan that is requested instead of the rows. */
  plan?: { readonly format: 'text' | 'json'; readonly options: readonly string[] };
  leavesNullsOut: boolean;
  /** Only the first row of a list. */
  takesFirst: boolean;
  rejects: boolean;
  retries: boolean;
  signal?: AbortSignal;
}

/** A request without filters or preferences. */
export function newDraft(
  start: Pick<RequestDraft, 'exchange' | 'method' | 'path'> & { readonly body?: unknown },
): RequestDraft {
  return {
    ...start,
    ...newParts(),
    prefer: new Map(),
    headers: {},
    mediaType: 'application/json',
    leavesNullsOut: false,
    takesFirst: false,
    rejects: false,
    retries: true,
  };
}

/** Sends the request and reads its answer. Throws RowhouseError only if the draft `rejects`. */
export function sendDraft(draft: RequestDraft): Promise<Answer<unknown>> {
  return settle(async () => {
    const query = queryOf(draft);
    const answer = await draft.exchange({
      method: draft.method,
      path: query === '' ? draft.path : `${draft.path}?${query}`,
      headers: headersOf(draft),
      body: draft.body === undefined ? undefined : toJson(draft.body, 1),
      signal: draft.signal,
      retries: draft.retries,
    });
    return readAnswer(draft, answer);
  }, draft.rejects);
}

function headersOf(draft: RequestDraft): Record<string, string> {
  const headers: Record<string, string> = { accept: accepted(draft) };
  if (draft.body !== undefined) headers['content-type'] = 'application/json';
  if (draft.prefer.size > 0) {
    headers['prefer'] = [...draft.prefer].map((preference) => preference.join('=')).join(',');
  }
  return { ...headers, ...draft.headers };
}

function accepted({ mediaType, plan, leavesNullsOut }: RequestDraft): string {
  const canStrip = mediaType === 'application/json' || mediaType.includes('.object+');
  const stripped =
    leavesNullsOut && canStrip
      ? `${mediaType.replace('/json', '/vnd.pgrst.array+json')};nulls=stripped`
      : mediaType;
  if (!plan) return stripped;
  const options = plan.options.length > 0 ? `; options=${plan.options.join('|')}` : '';
  return `application/vnd.pgrst.plan+${plan.format}; for="${stripped}"${options}`;
}

function readAnswer(draft: RequestDraft, wire: WireAnswer): Answer<unknown> {
  const { status, statusText, headers } = wire;
  if (status < 200 || status > 299) return refusal(wire);
  const data = readData(draft, wire);
  return {
    data: draft.takesFirst && Array.isArray(data) ? (data[0] ?? null) : data,
    error: null,
    count: totalOf(headers.get('content-range')),
    status,
    statusText,
  };
}

function readData({ mediaType, plan }: RequestDraft, { status, text }: WireAnswer): unknown {
  if (text === '') return null;
  if (plan ? plan.format === 'text' : mediaType === 'text/csv') return text;
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw new RowhouseError('The answer is not JSON', { status, code: '', details: text });
}

/** The number after the slash of `0-9/57`; null for `0-9/*`. */
function totalOf(contentRange: string | null): number | null {
  const total = /\/(\d+)$/.exec(contentRange ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

import { fail } from '#libs/errors';
import type {
  BodyShape,
  FilterNode,
  Method,
  RestHeaders,
  RestInput,
  RestRequest,
  Window,
} from '../types.js';
import { parseAccept } from './accept.js';
import { parseFilter } from './filter.js';
import { notSupported, readName, splitList, syntaxError } from './names.js';
import { parseOrder } from './order.js';
import { parsePrefer } from './prefer.js';
import { isReserved, parametersOfKey, shorten, type TemplateParameter } from './query-template.js';
import { parseSelect } from './select.js';
import { parseRange, parseWindow } from './window.js';

/** A request without its values: what the parser may look at. */
export interface RequestText {
  readonly input: RestInput;
  /** Key of the query string's template. */
  readonly queryKey: string;
  /** Present exactly for POST and PATCH. */
  readonly body: BodyShape | undefined;
}

/**
 * The request that the text of a table route means; names are not resolved yet.
 * Throws PGRST100, PGRST102, PGRST103, PGRST106, PGRST122, INVALID_INPUT, UNSUPPORTED_MEDIA_TYPE.
 */
export function parseRequest({ input, queryKey, body }: RequestText): RestRequest {
  checkProfiles(input.headers);
  const parameters = splitParameters(queryKey);
  refuseMisplaced(input.method, parameters);
  const base = {
    table: input.table,
    select: parseSelect(parameters.reserved.get('select') ?? ''),
    order: parseOrder(parameters.reserved.get('order') ?? ''),
    preferences: parsePrefer(input.headers.prefer),
    format: parseAccept(input.headers.accept),
  };
  const where: FilterNode<string> = { kind: 'and', nodes: parameters.filters.map(parseFilter) };
  const columns = parseNames('columns', parameters.reserved.get('columns'));
  if (input.method === 'GET' || input.method === 'HEAD') {
    const window = readWindow(input, parameters.reserved);
    return { ...base, kind: 'read', where, window, readsRows: input.method === 'GET' };
  }
  if (input.method === 'DELETE') return { ...base, kind: 'delete', where };
  if (body === undefined) throw fail('PGRST102', { reason: 'it is empty' });
  checkContentType(input.headers.contentType);
  if (input.method === 'POST') {
    const onConflict = parseNames('on_conflict', parameters.reserved.get('on_conflict'));
    if (onConflict && base.preferences.resolution === undefined) {
      throw syntaxError('on_conflict needs the header Prefer: resolution=…');
    }
    return { ...base, kind: 'insert', body, columns, onConflict };
  }
  if (body.kind === 'array' && body.keys.length > 0) {
    throw fail('PGRST102', { reason: 'an update takes one object, not an array' });
  }
  return { ...base, kind: 'update', body, columns, where };
}

interface Parameters {
  readonly reserved: ReadonlyMap<string, string>;
  readonly filters: readonly TemplateParameter[];
}

function splitParameters(queryKey: string): Parameters {
  const reserved = new Map<string, string>();
  const filters: TemplateParameter[] = [];
  for (const parameter of parametersOfKey(queryKey)) {
    if (!isReserved(parameter.name)) filters.push(parameter);
    else if (reserved.has(parameter.name)) throw syntaxError(`${parameter.name} is given twice`);
    else reserved.set(parameter.name, parameter.text);
  }
  return { reserved, filters };
}

const LOGIC = ['and', 'or', 'not.and', 'not.or'];
/** Parameters that mean something to these methods alone; elsewhere they would be ignored silently. */
const METHODS_OF: Readonly<Record<string, readonly Method[]>> = {
  limit: ['GET', 'HEAD'],
  offset: ['GET', 'HEAD'],
  columns: ['POST', 'PATCH'],
  on_conflict: ['POST'],
};

function refuseMisplaced(method: Method, { reserved, filters }: Parameters): void {
  for (const name of LOGIC) {
    if (reserved.has(name)) throw notSupported('Logic trees', name);
  }
  for (const [name, methods] of Object.entries(METHODS_OF)) {
    if (reserved.has(name) && !methods.includes(method)) {
      throw syntaxError(`${name} has no meaning for ${method}`);
    }
  }
  const filter = filters[0];
  if (method === 'POST' && filter) {
    throw syntaxError(`the filter on ${shorten(filter.name)} has no meaning for POST`);
  }
}

function readWindow(input: RestInput, reserved: ReadonlyMap<string, string>): Window {
  const limit = reserved.get('limit');
  const offset = reserved.get('offset');
  const { range } = input.headers;
  if (limit !== undefined || offset !== undefined || input.method !== 'GET' || !range) {
    return parseWindow(limit, offset);
  }
  return parseRange(range);
}

function parseNames(parameter: string, text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  return splitList(text, parameter).map((item) => {
    const name = readName(item, 0, ',');
    if (name.end < item.length) throw syntaxError(`${parameter} is no list of names`);
    return name.text;
  });
}

function checkProfiles({ acceptProfile, contentProfile }: RestHeaders): void {
  for (const profile of [acceptProfile, contentProfile]) {
    if (profile !== undefined && profile !== '' && profile !== 'public') {
      throw fail('PGRST106', { schema: shorten(profile) });
    }
  }
}

const BODY_TYPES: ReadonlySet<string> = new Set([
  '',
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json',
]);

function checkContentType(contentType: string | undefined): void {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!BODY_TYPES.has(type)) throw fail('UNSUPPORTED_MEDIA_TYPE', { type: shorten(type) });
}

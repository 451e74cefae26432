import { fail } from '#libs/errors';
import type { FilterTree, ParsedCondition, Window } from '../types/grammar.js';
import type {
  CallArguments,
  CallRequest,
  Method,
  ReadRequest,
  RestInput,
  RestRequest,
  WriteRequest,
} from '../types/request.js';
import { parseAccept } from './accept.js';
import type { BodyText } from './body.js';
import { splitArguments } from './call.js';
import { parseClauses } from './clauses.js';
import { parseNames, shorten, syntaxError } from './names.js';
import { parsePrefer } from './prefer.js';
import { checkTableProfiles, functionSchema } from './profile.js';
import { parametersOfKey, type TemplateParameter } from './query-template.js';
import { parseSelect } from './select.js';

/** A request without its values: the part that the parser may read. */
export interface RequestText {
  /** Its query string, Range and body are ignored; their content is in the fields below. */
  readonly input: RestInput;
  /** Key of the query string's template. */
  readonly queryKey: string;
  /** Present exactly for POST and PATCH. */
  readonly body: BodyText | undefined;
  /** The header Range if it applies, its offset as 0 or 1; see `Window`. */
  readonly range: Window | undefined;
}

/** The input of the parser besides the request. */
export interface ParseContext {
  /** Schemas besides `public` whose functions may be called. */
  readonly functionSchemas: readonly string[];
  /** Names of the arguments of all functions called `name`. */
  readonly argumentNamesOf: (schema: string, name: string) => ReadonlySet<string>;
}

/**
 * Parses the request of a table or function route; names are not resolved yet. Throws PGRST100, PGRST102, PGRST103,
 * PGRST106, PGRST122, METHOD_NOT_ALLOWED.
 */
export function parseRequest(text: RequestText, context: ParseContext): RestRequest {
  const parameters = parametersOfKey(text.queryKey);
  return text.input.resource.kind === 'function'
    ? parseCall(text, parameters, context)
    : parseTableRequest(text, parameters);
}

function parseTableRequest(
  text: RequestText,
  parameters: readonly TemplateParameter[],
): ReadRequest | WriteRequest {
  const { input } = text;
  const { method, place } = input;
  checkTableProfiles(input);
  refuseMisplaced(method, parameters);
  const base = { ...parseCommon(text, parameters, 'table'), table: input.resource.name };
  if (method === 'GET' || method === 'HEAD') {
    const seesAllRows = input.seesAllRows === true;
    return { ...base, kind: 'read', readsRows: method === 'GET', seesAllRows };
  }
  const write = { ...base, where: withMatches(base.where, input), place };
  if (method === 'DELETE') return { ...write, kind: 'delete' };
  if (text.body?.kind !== 'rows') throw fail('PGRST102', { reason: 'it is empty' });
  const body = text.body.rows;
  const columns = parseNameList('columns', parameters);
  if (method === 'PATCH') {
    if (body.kind === 'array' && body.keys.length > 0) {
      throw fail('PGRST102', { reason: 'an update takes one object, not an array' });
    }
    return { ...write, kind: 'update', body, columns };
  }
  if (!hasNoNodes(write.where)) throw syntaxError('a filter has no meaning for POST');
  const onConflict = parseNameList('on_conflict', parameters);
  if (onConflict && base.preferences.resolution === undefined) {
    throw syntaxError('on_conflict needs the header Prefer: resolution=…');
  }
  return { ...write, kind: 'insert', body, columns, onConflict };
}

function parseCall(
  text: RequestText,
  parameters: readonly TemplateParameter[],
  { functionSchemas, argumentNamesOf }: ParseContext,
): CallRequest {
  const { method, resource } = text.input;
  if (method === 'PATCH' || method === 'DELETE') throw fail('METHOD_NOT_ALLOWED', { method });
  const schema = functionSchema(text.input, functionSchemas);
  const call =
    method === 'POST'
      ? { arguments: undefined, clauses: parameters }
      : splitArguments(parameters, argumentNamesOf(schema, resource.name));
  const base = parseCommon(text, call.clauses, 'function');
  return {
    ...base,
    kind: 'call',
    schema,
    function: resource.name,
    arguments: call.arguments ?? bodyArguments(text.body, base.preferences.isSingleObject),
    isReadOnly: method !== 'POST',
    readsRows: method !== 'HEAD',
  };
}

function bodyArguments(body: BodyText | undefined, isSingleObject: boolean): CallArguments {
  if (body?.kind !== 'arguments') throw fail('PGRST102', { reason: 'it is empty' });
  return isSingleObject && body.arguments.kind === 'object'
    ? { kind: 'single', type: 'json' }
    : body.arguments;
}

/** Parameters that belong to the request as a whole; all others are clauses of a level. */
const OF_REQUEST: ReadonlySet<string> = new Set(['select', 'columns', 'on_conflict']);

function parseCommon(
  { input, range }: RequestText,
  parameters: readonly TemplateParameter[],
  resource: 'table' | 'function',
): Omit<ReadRequest, 'kind' | 'table' | 'readsRows' | 'seesAllRows'> {
  const ofRequest = (name: string): boolean =>
    resource === 'table' ? OF_REQUEST.has(name) : name === 'select';
  const clauses = parseClauses(
    parameters.filter(({ name }) => !ofRequest(name)),
    resource,
  );
  return {
    ...clauses.root,
    window: range ?? clauses.root.window,
    embedded: clauses.embedded,
    select: parseSelect(findText('select', parameters) ?? ''),
    preferences: parsePrefer(input.headers.prefer),
    format: parseAccept(input.headers.accept),
  };
}

function findText(name: string, parameters: readonly TemplateParameter[]): string | undefined {
  const found = parameters.filter((parameter) => parameter.name === name);
  if (found.length > 1) throw syntaxError(`${name} is given twice`);
  return found[0]?.text;
}

function parseNameList(
  name: string,
  parameters: readonly TemplateParameter[],
): readonly string[] | undefined {
  const text = findText(name, parameters);
  if (text === undefined) return undefined;
  const names = parseNames(name, text);
  // An empty conflict target means the primary key; an empty list of columns means none.
  if (name === 'columns' && names.length === 0) throw syntaxError('columns is empty');
  return names;
}

/** Parameters that apply to these methods only; with other methods they would be ignored silently. */
const METHODS_OF: Readonly<Record<string, readonly Method[]>> = {
  limit: ['GET', 'HEAD'],
  offset: ['GET', 'HEAD'],
  columns: ['POST', 'PATCH'],
  on_conflict: ['POST'],
};

function refuseMisplaced(method: Method, parameters: readonly TemplateParameter[]): void {
  for (const { name } of parameters) {
    const methods = Object.hasOwn(METHODS_OF, name) ? METHODS_OF[name] : undefined;
    if (methods && !methods.includes(method)) {
      throw syntaxError(`${shorten(name)} has no meaning for ${method}`);
    }
  }
}

type Where = FilterTree<ParsedCondition>;

// Columns of a batch operation that must equal a value of an earlier result are filters like any other.
function withMatches(where: Where, { place }: RestInput): Where {
  if (!place || place.matches.length === 0) return where;
  const matches = place.matches.map(({ column, reference }): Where => ({
    kind: 'leaf',
    leaf: { field: { name: column, path: [] }, test: { kind: 'equals-result', reference } },
  }));
  return { kind: 'and', nodes: hasNoNodes(where) ? matches : [where, ...matches] };
}

function hasNoNodes(where: Where): boolean {
  return where.kind === 'and' && where.nodes.length === 0;
}

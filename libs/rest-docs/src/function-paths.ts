// Routes of functions. Overloads share a path: the document describes every set of arguments, and every kind of result.
import type { Argument, Routine } from '#libs/catalog';

import {
  namePart,
  paragraphs,
  pathPart,
  responseRef,
  schemaRef,
  tableSchemaNames,
} from './names.js';
import type { Content, Operation, Parameter, PathItem, Reference, Schema } from './openapi.js';
import { fieldName, filterRefs, shared } from './parameters.js';
import { answers, emptyAnswer, jsonAnswer, rowsAnswer } from './responses.js';
import { columnsSchema, type SchemaContext } from './table-schemas.js';
import { nullable, valueSchema } from './value-schema.js';
import {
  type BodyMediaType,
  bodyMediaType,
  type VisibleFunction,
  type VisibleOverload,
} from './visible.js';

const profileHeader = (name: string, schema: string): Parameter => ({
  name,
  in: 'header',
  description: 'The schema of the function.',
  required: true,
  schema: { type: 'string', enum: [schema] },
});

/** The route of a function; GET and HEAD for overloads that are declared not to write. */
export function functionPath(
  own: VisibleFunction,
  context: SchemaContext,
): readonly [path: string, item: PathItem] {
  const readable = own.overloads.filter(
    ({ routine }) => routine.volatility !== 'volatile' && bodyMediaType(routine) === undefined,
  );
  const item: PathItem = {
    ...(readable.length > 0 && {
      get: readCall({ name: own.name, overloads: readable }, context),
      head: countCall({ name: own.name, overloads: readable }, context),
    }),
    post: call(own, context),
  };
  return [`/rpc/${pathPart(own.name)}`, item];
}

function readCall(own: VisibleFunction, context: SchemaContext): Operation {
  return {
    ...headOf(own, 'get', `Call ${own.name}, which only reads`),
    parameters: [
      ...profileParameters(own, 'Accept-Profile'),
      ...queryArguments(own, context),
      ...resultParameters(own, context),
      ...shared('preferRead'),
    ],
    responses: resultAnswers(own, context),
  };
}

function countCall(own: VisibleFunction, context: SchemaContext): Operation {
  return {
    ...headOf(own, 'head', `Count what ${own.name} gives`),
    parameters: [
      ...profileParameters(own, 'Accept-Profile'),
      ...queryArguments(own, context),
      ...shared('preferRead'),
    ],
    responses: answers('200', responseRef('head')),
  };
}

function call(own: VisibleFunction, context: SchemaContext): Operation {
  return {
    ...headOf(own, 'post', `Call ${own.name}`),
    parameters: [
      ...profileParameters(own, 'Content-Profile'),
      ...resultParameters(own, context),
      ...shared('preferCall'),
    ],
    requestBody: { required: isBodyRequired(own), content: bodyContent(own, context) },
    responses: resultAnswers(own, context),
  };
}

function headOf({ name, overloads }: VisibleFunction, verb: string, summary: string) {
  const comments = new Set(overloads.map(({ comment }) => comment));
  const description = paragraphs(...comments);
  return {
    operationId: `rpc.${verb}.${namePart(name)}`,
    tags: [`rpc ${name}`],
    summary,
    ...(description !== undefined && { description }),
  };
}

function profileParameters({ overloads }: VisibleFunction, header: string): readonly Parameter[] {
  const schema = overloads[0]?.routine.schema ?? 'public';
  return schema === 'public' ? [] : [profileHeader(header, schema)];
}

/** The arguments of all overloads; those that every overload requires are required. */
function queryArguments(own: VisibleFunction, context: SchemaContext): readonly Parameter[] {
  const byName = new Map<string, { readonly argument: Argument; readonly demands: number }>();
  for (const { routine } of own.overloads) {
    for (const argument of routine.args) {
      if (argument.name === undefined) continue;
      const demands = (byName.get(argument.name)?.demands ?? 0) + (argument.hasDefault ? 0 : 1);
      byName.set(argument.name, { argument, demands });
    }
  }
  return [...byName].map(([name, { argument, demands }]) => ({
    name: fieldName(name),
    in: 'query',
    description: `Argument of type \`${argument.type}\`.`,
    required: demands === own.overloads.length,
    schema: querySchema(argument, context),
  }));
}

/** A query string contains text: arrays and JSON are written as PostgreSQL or JSON writes them. */
function querySchema(argument: Argument, { enums }: SchemaContext): Schema {
  const schema = valueSchema(argument, enums);
  const isPlain = schema.type !== 'array' && schema.type !== 'object' && schema.type !== undefined;
  return isPlain ? schema : { type: 'string' };
}

/** Filters, order and window: for results that are rows, and the window for sets of values. */
function resultParameters(own: VisibleFunction, context: SchemaContext): readonly Reference[] {
  const results = own.overloads.map(({ routine }) => routine.returns);
  const args = new Set(
    own.overloads.flatMap(({ routine }) => routine.args.map(({ name }) => name ?? '')),
  );
  if (results.some(({ kind }) => kind === 'rows')) {
    const filters = results.flatMap((result) => {
      const table = result.kind === 'rows' ? result.table : undefined;
      const visible = table === undefined ? undefined : context.visible.tableByName.get(table);
      return visible === undefined ? [] : filterRefs(visible, args);
    });
    const unique = new Map(filters.map((each) => [each.$ref, each]));
    const own = shared('select', 'order', 'limit', 'offset', 'or', 'and');
    return [...unique.values(), ...own];
  }
  const isSet = results.some((result) => result.kind === 'scalar' && result.isSet);
  return isSet ? shared('limit', 'offset') : [];
}

function isBodyRequired({ overloads }: VisibleFunction): boolean {
  return overloads.every(({ routine }) => routine.args.some(({ hasDefault }) => !hasDefault));
}

function bodyContent({ overloads }: VisibleFunction, context: SchemaContext): Content {
  const schemasByType = new Map<string, Schema[]>();
  for (const { routine } of overloads) {
    const [type, schema] = bodyOf(routine, context);
    schemasByType.set(type, [...(schemasByType.get(type) ?? []), schema]);
  }
  return Object.fromEntries(
    [...schemasByType].map(([type, schemas]) => [type, { schema: anyOf(schemas) }]),
  );
}

const BODY_SCHEMAS: Readonly<Record<BodyMediaType, Schema>> = {
  'application/json': { description: 'Any JSON value: the body is the argument.' },
  'text/plain': { type: 'string' },
  'application/octet-stream': {},
};

function bodyOf(
  routine: Routine,
  context: SchemaContext,
): readonly [mediaType: string, schema: Schema] {
  const mediaType = bodyMediaType(routine);
  if (mediaType !== undefined) return [mediaType, BODY_SCHEMAS[mediaType]];
  return ['application/json', argumentsSchema(routine, context)];
}

function argumentsSchema({ args }: Routine, { enums }: SchemaContext): Schema {
  const required = args.filter(({ hasDefault }) => !hasDefault).map(({ name }) => name ?? '');
  return {
    type: 'object',
    properties: Object.fromEntries(
      args.map((argument) => [argument.name ?? '', nullable(valueSchema(argument, enums))]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function resultAnswers(own: VisibleFunction, context: SchemaContext): Operation['responses'] {
  const results = own.overloads.map(({ routine }) => routine.returns);
  const rows = results.flatMap((result) =>
    result.kind === 'rows' && result.isSet ? [rowSchema(result, context)] : [],
  );
  const values = own.overloads.flatMap((overload) => valueOf(overload, context));
  const hasVoid = results.some(({ kind }) => kind === 'void');
  return {
    ...(rows.length > 0 && values.length === 0 && answers('200', rowsAnswer(anyOf(rows)))),
    ...(values.length > 0 &&
      answers(
        '200',
        jsonAnswer(
          'The result.',
          anyOf([...values, ...rows.map((row): Schema => ({ type: 'array', items: row }))]),
        ),
      )),
    ...(hasVoid && answers('204', emptyAnswer)),
  };
}

/** The result that is not a set of rows: one value, a set of values, or one row. */
function valueOf({ routine }: VisibleOverload, context: SchemaContext): readonly Schema[] {
  const { returns } = routine;
  switch (returns.kind) {
    case 'void':
      return [];
    case 'scalar': {
      const value = valueSchema(returns, context.enums);
      return [returns.isSet ? { type: 'array', items: nullable(value) } : nullable(value)];
    }
    case 'rows':
      return returns.isSet ? [] : [rowSchema(returns, context)];
  }
}

function rowSchema(
  returns: Extract<Routine['returns'], { readonly kind: 'rows' }>,
  { visible, enums }: SchemaContext,
): Schema {
  const { table, columns } = returns;
  return table !== undefined && visible.tableByName.has(table)
    ? schemaRef(tableSchemaNames(table).row)
    : columnsSchema(columns, enums);
}

/** Equal schemas count once. Overloads may take the same values, so `oneOf` would be wrong. */
function anyOf(schemas: readonly Schema[]): Schema {
  const unique = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = unique;
  return unique.length === 1 && only !== undefined ? only : { anyOf: unique };
}

import {
  type Argument,
  type Catalog,
  type Column,
  hasFixedArguments,
  type Routine,
  type RoutineResult,
} from '#libs/catalog';

import { inlineObject, type Member, objectType, stringLiteral, unionType } from './source-text.js';
import type { TableContext } from './table-types.js';
import { rowType, valueType } from './value-types.js';

/** The type of a function: one object, or a union of its overloads. Undefined if none can be called. */
export function functionType(
  overloads: readonly Routine[],
  catalog: Catalog,
  context: TableContext,
): string | undefined {
  const types = overloads
    .filter((routine) => isCallable(routine) && isDeclaredResult(routine.returns, context))
    .map((routine) => overloadType(routine, catalog, context))
    .toSorted();
  return types.length === 0 ? undefined : unionType(types);
}

/** Calls pass arguments by name; a single argument may have no name. */
function isCallable(routine: Routine): boolean {
  if (!hasFixedArguments(routine)) return false;
  return routine.args.length === 1 || routine.args.every(({ name }) => name !== undefined);
}

function isDeclaredResult(returns: RoutineResult, { isDeclared }: TableContext): boolean {
  return returns.kind !== 'rows' || returns.table === undefined || isDeclared(returns.table);
}

function overloadType(routine: Routine, catalog: Catalog, context: TableContext): string {
  const setof = setofOptions(routine, catalog, context);
  return objectType([
    { name: 'Args', type: argumentsType(routine.args, context) },
    { name: 'Returns', type: resultType(routine.returns, context) },
    ...(setof === undefined ? [] : [{ name: 'SetofOptions', type: setof }]),
  ]);
}

function argumentsType(args: readonly Argument[], { named }: TableContext): string {
  if (args.length === 0) return 'Record<PropertyKey, never>';
  return inlineObject(
    args.map((argument) => ({
      name: argument.name ?? '',
      type: valueType(argument, named),
      isOptional: argument.hasDefault,
    })),
  );
}

function resultType(returns: RoutineResult, context: TableContext): string {
  switch (returns.kind) {
    case 'void':
      return 'null';
    case 'scalar': {
      const type = valueType(returns, context.named);
      if (!returns.isSet) return type;
      return type.includes(' | ') ? `(${type})[]` : `${type}[]`;
    }
    case 'rows': {
      const type =
        returns.table === undefined
          ? columnsType(returns.columns, context)
          : rowType(returns.table);
      return returns.isSet ? `${type}[]` : type;
    }
  }
}

/** PostgreSQL does not know which columns of a result may be null; they count as not null. */
function columnsType(columns: readonly Column[], { named }: TableContext): string {
  const members = columns.map((column): Member => ({
    name: column.name,
    type: valueType(column, named),
  }));
  return objectType(members);
}

/** The fields that a `select` over the result needs: the table of its rows, and the table of the row that it takes. */
function setofOptions(
  { name, args, returns }: Routine,
  { tableByName }: Catalog,
  { named, isDeclared }: TableContext,
): string | undefined {
  if (returns.kind !== 'rows' || returns.table === undefined) return undefined;
  const [argument] = args;
  const given = argument === undefined || args.length > 1 ? undefined : valueType(argument, named);
  const from = [...tableByName.values()].find(
    (table) => isDeclared(table.name) && rowType(table.name) === given,
  );
  const computed = from?.computedRelations.find((relation) => relation.name === name);
  return inlineObject([
    { name: 'from', type: stringLiteral(from?.name ?? '*') },
    { name: 'to', type: stringLiteral(returns.table) },
    {
      name: 'isOneToOne',
      type: String(computed ? computed.cardinality === 'one' : !returns.isSet),
    },
    { name: 'isSetofReturn', type: String(returns.isSet) },
  ]);
}

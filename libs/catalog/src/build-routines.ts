import type {
  Argument,
  Column,
  ComputedColumn,
  ComputedRelation,
  Routine,
  RoutineResult,
} from './catalog.js';
import type { Computed, ColumnsByRelation } from './build-tables.js';
import type { LoadedType, TypeByKey } from './build-types.js';
import type { RoutineRow } from './content.js';

/** How the types of arguments and results are looked up. */
export interface RoutineTypes {
  readonly typeByKey: TypeByKey;
  readonly columns: ColumnsByRelation;
  /** Names of the tables that requests may reach, by oid. */
  readonly tableNames: ReadonlyMap<number, string>;
  /** Oids of the composite types that are no rows of a table, a view or the like. */
  readonly isComposite: (relationOid: number) => boolean;
}

interface Parameter {
  readonly name: string;
  readonly mode: string;
  readonly type: LoadedType;
}

/** Functions by schema and name. A function is left out if JSON cannot carry its arguments or its result. */
export function buildRoutines(
  rows: readonly RoutineRow[],
  types: RoutineTypes,
): ReadonlyMap<string, ReadonlyMap<string, readonly Routine[]>> {
  const schemas = new Map<string, Map<string, Routine[]>>();
  for (const row of rows) {
    const routine = buildRoutine(row, types);
    if (!routine) continue;
    const names = schemas.get(routine.schema) ?? new Map<string, Routine[]>();
    schemas.set(routine.schema, names);
    const overloads = names.get(routine.name);
    if (overloads) overloads.push(routine);
    else names.set(routine.name, [routine]);
  }
  return schemas;
}

const VOLATILITIES = { i: 'immutable', s: 'stable', v: 'volatile' } as const;

function buildRoutine(row: RoutineRow, types: RoutineTypes): Routine | undefined {
  const [schema, name, , , , defaultCount, , , , volatility, isDefiner] = row;
  const parameters = parametersOf(row, types);
  const inputs = parameters.filter(({ mode }) => 'ibv'.includes(mode));
  const returns = buildResult(row, parameters, types);
  if (!returns || inputs.some(({ type }) => isHidden(type))) return undefined;
  const args = inputs.map((input, i): Argument => ({
    ...input.type.value,
    name: input.name === '' ? undefined : input.name,
    hasDefault: i >= inputs.length - defaultCount,
    isVariadic: input.mode === 'v',
  }));
  return { schema, name, args, returns, volatility: VOLATILITIES[volatility], isDefiner };
}

/** Whether requests and answers cannot carry values of the type. */
function isHidden({ isPseudo, isOfCluster }: LoadedType): boolean {
  return isPseudo || isOfCluster;
}

function parametersOf(row: RoutineRow, { typeByKey }: RoutineTypes): readonly Parameter[] {
  const [, , typeKeys, modes, names] = row;
  return typeKeys.map((key, i) => ({
    name: names?.[i] ?? '',
    mode: modes?.[i] ?? 'i',
    type: typeByKey(key),
  }));
}

function buildResult(
  row: RoutineRow,
  parameters: readonly Parameter[],
  types: RoutineTypes,
): RoutineResult | undefined {
  const [, , , , , , resultKey, isSet] = row;
  const result = types.typeByKey(resultKey);
  const outputs = parameters.filter(({ mode }) => 'obt'.includes(mode));
  if (outputs.some(({ type }) => isHidden(type))) return undefined;
  // In FROM, a domain over a composite type has the columns of that type.
  const relationOid = result.relationOid ?? result.domainOverOid;
  const [first, second] = outputs;
  // A single output of a composite type is replaced by the columns of that type.
  if (second || (first && first.name !== '' && relationOid === undefined)) {
    return { kind: 'rows', isSet, table: undefined, columns: outputs.map(outputColumn) };
  }
  if (result.isPseudo) return result.value.type === 'void' ? { kind: 'void' } : undefined;
  if (relationOid === undefined) {
    return result.isOfCluster ? undefined : { kind: 'scalar', isSet, ...result.value };
  }
  return rowsResult(relationOid, isSet, types);
}

function rowsResult(
  relationOid: number,
  isSet: boolean,
  { columns, tableNames, isComposite }: RoutineTypes,
): RoutineResult | undefined {
  const table = tableNames.get(relationOid);
  if (table === undefined && !isComposite(relationOid)) return undefined;
  return { kind: 'rows', isSet, table, columns: columns.get(relationOid) ?? [] };
}

// PostgreSQL names an output without a name by its position among the outputs, from 1.
function outputColumn({ name, type }: Parameter, index: number): Column {
  return {
    name: name === '' ? `column${index + 1}` : name,
    ...type.value,
    isNullable: true,
    default: { kind: 'none' },
  };
}

interface ComputedOfTable extends Computed {
  readonly columns: Map<string, ComputedColumn>;
  readonly relations: ComputedRelation[];
}

/** The functions of `public` that take one row of a table and nothing else, by the oid of the table. */
export function buildComputed(
  rows: readonly RoutineRow[],
  { typeByKey, tableNames }: RoutineTypes,
): ReadonlyMap<number, Computed> {
  const byTable = new Map<number, ComputedOfTable>();
  for (const [schema, name, typeKeys, modes, , , resultKey, isSet, oneRow, , isDefiner] of rows) {
    const [key] = typeKeys;
    if (schema !== 'public' || key === undefined || typeKeys.length > 1 || modes) continue;
    const { relationOid } = typeByKey(key);
    if (relationOid === undefined || !tableNames.has(relationOid)) continue;
    const result = typeByKey(resultKey);
    // The columns of rows are filtered one by one; any other value is exposed as a whole.
    if (result.isPseudo || (result.isOfCluster && !tableNames.has(result.relationOid ?? 0)))
      continue;
    const computed: ComputedOfTable = byTable.get(relationOid) ?? {
      columns: new Map(),
      relations: [],
    };
    byTable.set(relationOid, computed);
    const routine = { schema, name };
    const table = tableNames.get(result.relationOid ?? 0);
    if (table !== undefined) {
      const cardinality = isSet && !oneRow ? 'many' : 'one';
      computed.relations.push({ name, routine, table, cardinality, isDefiner });
    } else if (!isSet) {
      computed.columns.set(name, { name, routine, isDefiner, ...result.value });
    }
  }
  return byTable;
}

// Functions of a random schema: computed columns and relations, and those that requests call.
import type { Making, MadeTable } from './random-schema.js';
import { oddNames } from './odd-names.js';
import { pickType } from './random-types.js';
import { ident } from './sql-text.js';

const VOLATILITIES = ['stable', 'volatile', 'immutable'];

/** The statements that make the functions over `tables`. */
export function functionStatements(making: Making, tables: readonly MadeTable[]): string[] {
  const { dice } = making;
  return [
    ...tables.flatMap((table) =>
      dice.many({ most: 3, percent: 70 }, () => computedColumn(making, table)),
    ),
    ...dice.many({ least: 2, most: 6, percent: 80 }, () => computedRelation(making, tables)),
    ...dice.many({ least: 12, most: 30, percent: 90 }, () => callable(making, tables)),
  ];
}

function computedColumn({ dice, types, nextRoutine }: Making, { sql }: MadeTable): string {
  const type = pickType(dice, types).sql;
  return `create function public.${ident(nextRoutine())}(${sql}) returns ${type} stable language sql as $f$ select null::${type} $f$`;
}

function computedRelation({ dice, nextRoutine }: Making, tables: readonly MadeTable[]): string {
  const [from, to] = [dice.pick(tables), dice.pick(tables)];
  const returns = dice.pick([`setof ${to.sql}`, `setof ${to.sql} rows 1`, to.sql]).split(' rows ');
  const rows = returns[1] === undefined ? '' : ` rows ${returns[1]}`;
  return `create function public.${ident(nextRoutine())}(${from.sql}) returns ${returns[0]} stable${rows} language sql as $f$ select * from ${to.sql} $f$`;
}

// Some have a name in common, so that their arguments decide.
function callable(making: Making, tables: readonly MadeTable[]): string {
  const { dice } = making;
  const name = dice.chance(20) ? 'overloaded' : making.nextRoutine();
  const { returns, body } = result(making, tables);
  const volatility = dice.pick(VOLATILITIES);
  const create = `create function public.${ident(name)}(${argumentList(making)})`;
  // Two functions may turn out to have the same types of arguments.
  return (
    `do $do$ begin ${create} returns ${returns} ${volatility} language sql as $f$ ${body} $f$; ` +
    'exception when duplicate_function or invalid_function_definition then null; end $do$'
  );
}

function argumentList({ dice, types }: Making): string {
  const nextName = oddNames(dice);
  const shape = dice.upTo(9);
  if (shape === 8) return dice.pick(['json', 'text', 'bytea', 'integer']);
  let hasDefault = false;
  const list = dice.many({ most: 4, percent: 65 }, () => {
    const type = pickType(dice, types).sql;
    hasDefault ||= dice.chance(25);
    return `${ident(nextName())} ${type}${hasDefault ? ` default null::${type}` : ''}`;
  });
  return shape === 9 && !hasDefault
    ? [...list, `variadic ${ident(nextName())} integer[]`].join(', ')
    : list.join(', ');
}

function result(
  { dice, types }: Making,
  tables: readonly MadeTable[],
): { readonly returns: string; readonly body: string } {
  const { sql: type } = pickType(dice, types);
  const { sql: table } = dice.pick(tables);
  switch (dice.upTo(5)) {
    case 0:
      return { returns: `setof ${table}`, body: `select * from ${table}` };
    case 1:
      return { returns: type, body: `select null::${type}` };
    case 2: {
      const nextName = oddNames(dice);
      const columns = dice.many({ least: 1, most: 4, percent: 70 }, () => ({
        name: nextName(),
        type: pickType(dice, types).sql,
      }));
      const list = columns.map((column) => `${ident(column.name)} ${column.type}`).join(', ');
      const values = columns.map((column) => `null::${column.type}`).join(', ');
      return { returns: `table (${list})`, body: `select ${values}` };
    }
    case 3:
      return { returns: `setof ${type}`, body: `select null::${type}` };
    case 4:
      return { returns: table, body: `select * from ${table}` };
    default:
      return { returns: 'void', body: 'select null::void' };
  }
}

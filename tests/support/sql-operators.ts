// The operators and types in a statement as PostgreSQL reads it, as far as they are found by the search path.
import { COMPARISONS } from '../../libs/rest-query/src/types/grammar.js';
import { unqualifiedNames } from './sql-texts.js';

/** Texts and quoted names are emptied; what is left is grammar, names and operators. */
const bare = (sql: string): string =>
  sql.replace(/'(?:[^'\\]|''|\\.)*'/g, "''").replace(/"(?:[^"]|"")*"/g, '""');

/** Operators over values of the project, which are found like its own types are. */
export const operatorsOfProject: ReadonlySet<string> = new Set([
  '=',
  ...Object.values(COMPARISONS).map(({ sql }) => sql),
]);
const none: ReadonlySet<string> = new Set();

/** Words of the grammar that stand for an operator: PostgreSQL finds it by the search path. */
const operatorWords =
  /\b(?:nullif|between|similar to|in(?= \()|i?like|is (?:not )?distinct from|case(?! when\b)|natural|join \S+(?: \w+)? using)\b/g;

function unqualifiedOperators(sql: string, allowed: ReadonlySet<string>): readonly string[] {
  const text = bare(sql)
    .replace(/operator\(pg_catalog\.[^)]*\)/g, ' ')
    .replace(/::|:=|\.\*|\(\*\)|\bselect \*/g, ' ')
    .replace(/\s+/g, ' ');
  const symbols = text.match(/[-+*/<>=~!@#%^&|`?]+/g) ?? [];
  const words = text.match(operatorWords) ?? [];
  return [...symbols, ...words].filter((operator) => !allowed.has(operator));
}

/** Words of the names of types that are SQL's grammar, which no schema hides. */
const typeWords: ReadonlySet<string> = new Set(
  'bigint bit boolean character double integer interval numeric second timestamp varying'.split(
    ' ',
  ),
);

/** The types in the lists of columns that JSON is read as. */
function unqualifiedColumnTypes(sql: string): readonly string[] {
  const lists = [...bare(sql).matchAll(/\bas [ax] \(((?:[^()]|\([^()]*\))*)\)/g)];
  return lists
    .flatMap(([, list = '']) => list.split(/,(?![^(]*\))/))
    .map((each) => each.trim().replace(/^(?:""|v) /, ''))
    .filter((type) => !/^(?:pg_catalog|public|extensions)\./.test(type))
    .filter((type) => !typeWords.has(/^\w+/.exec(type)?.[0] ?? ''));
}

/** The functions, types and operators in a statement that are found by the search path, but for `allowed` operators. */
export function foundByPath(sql: string, allowed = none): readonly string[] {
  const names = unqualifiedNames(`const statement = ${JSON.stringify(sql)};`);
  return [
    ...names.map(({ name }) => name).filter((name) => !typeWords.has(name)),
    ...unqualifiedOperators(sql, allowed),
    ...unqualifiedColumnTypes(sql),
  ];
}

// The statements that requests of the table API become name their functions, types and operators with the schema,
// because they run in the search path of the project, which can hold others of the same names. Requests of every
// kind are compiled here: the texts in the sources are pieces, and names may come from a catalog or a request.
import { describe, expect, test } from 'vitest';

import { compileBatch, createQueryCompiler } from '#libs/rest-query';
import { finish } from '#libs/steps';

import { COMPARISONS } from '../libs/rest-query/src/types/grammar.js';
import {
  catalog,
  type NamedRequest,
  read,
  requestsOfEveryKind,
} from '../libs/rest-query/tests/requests-of-every-kind.js';
import { compileAtOnce, inputOf, LIMITS } from '../libs/rest-query/tests/run-request.js';
import { unqualifiedNames } from './support/sql-texts.js';

/** The texts that a request is compiled to. */
function textsOf({ name: _name, ...request }: NamedRequest): readonly string[] {
  const compiler = createQueryCompiler({ maxShapes: 1 });
  return compileAtOnce(compiler, catalog, LIMITS, inputOf(request)).statements.map(
    ({ text }) => text,
  );
}

const ref = { $ref: '/first/0/id' };
const batchTexts = (): readonly string[] => {
  const operations = [
    { method: 'POST', model: 'stars', as: 'first', body: [{ id: 1 }, { name: 'a' }] },
    { method: 'POST', model: 'stars', body: [{ id: ref, name: ref }, { id: 2 }] },
    { method: 'PATCH', model: 'stars', match: { id: ref, tag: ref }, body: { sun_id: ref } },
    { method: 'DELETE', model: 'visits', match: { star_id: ref } },
  ];
  const text = {
    headers: { prefer: 'return=representation' },
    body: JSON.stringify({ operations }),
  };
  const compiler = createQueryCompiler({ maxShapes: 10 });
  const known = { catalog, limits: LIMITS };
  return finish(compileBatch(compiler, known, text)).statements.map(({ text: sql }) => sql);
};

/** Texts and quoted names are emptied; what is left is grammar, names and operators. */
const bare = (sql: string): string =>
  sql.replace(/'(?:[^'\\]|''|\\.)*'/g, "''").replace(/"(?:[^"]|"")*"/g, '""');

/** Operators over values of the project, which are found like its own types are. */
const ofProject: ReadonlySet<string> = new Set([
  '=',
  ...Object.values(COMPARISONS).map(({ sql }) => sql),
]);

/** The operators without a schema that are not among those of the grammar of requests. */
function unqualifiedOperators(sql: string): readonly string[] {
  const text = bare(sql)
    .replace(/operator\(pg_catalog\.[^)]*\)/g, ' ')
    .replace(/::|:=|\.\*|\(\*\)/g, ' ');
  const symbols = text.match(/[-+*/<>=~!@#%^&|`?]+/g) ?? [];
  const words = text.match(/\b(?:nullif|between|similar to|in \()/g) ?? [];
  return [...symbols.filter((symbol) => !ofProject.has(symbol)), ...words];
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

function problemsOf(sql: string): readonly string[] {
  const names = unqualifiedNames(`const statement = ${JSON.stringify(sql)};`);
  return [
    ...names.map(({ name }) => name).filter((name) => !typeWords.has(name)),
    ...unqualifiedOperators(sql),
    ...unqualifiedColumnTypes(sql),
  ];
}

describe('every name in the statements of', () => {
  test.each(requestsOfEveryKind)('$name', (request) => {
    const texts = textsOf(request);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.flatMap(problemsOf)).toEqual([]);
  });

  test('a batch with references', () => {
    const texts = batchTexts();
    expect(texts.join('\n')).toContain('BATCH_REFERENCE_MISSING');
    expect(texts.flatMap(problemsOf)).toEqual([]);
  });
});

test.each([
  { of: 'a column', queryString: 'select=tag.max()' },
  { of: 'a cast', queryString: 'select=name::mood.max()' },
  { of: 'a spread', queryString: 'select=...suns!stars_sun_id_fkey(tag.max())' },
  {
    of: 'a spread of a spread',
    table: 'visits',
    queryString: 'select=...stars(...suns!stars_sun_id_fkey(tag.max()))',
  },
])('the aggregate of a type of the project is found by its name: $of', (request) => {
  const { of: name, ...rest } = request;
  expect(textsOf(read(name, rest.queryString, rest)).flatMap(problemsOf)).toEqual(['max']);
});

describe('what is found', () => {
  test.each([
    { sql: 'select json_agg(t.a) from x', problems: ['json_agg'] },
    { sql: 'select t.a::text from x', problems: ['text'] },
    { sql: "select t.a ->> 'b' from x where t.c = $1", problems: ['->>'] },
    { sql: "select t.a operator(pg_catalog.->>) '->' from x", problems: [] },
    { sql: 'select nullif(t.a, $1) from x', problems: ['nullif'] },
    { sql: 'select x."v" from pg_catalog.json_to_record($1) as x ("v" text)', problems: ['text'] },
    { sql: 'select x."v" from y as x ("v" numeric(1,2), "w" pg_catalog.text)', problems: [] },
  ])('$sql: $problems', ({ sql, problems }) => {
    expect(problemsOf(sql)).toEqual(problems);
  });
});

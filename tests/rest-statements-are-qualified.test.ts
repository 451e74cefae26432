// The statements that requests of the table API become name their functions, types and operators with the schema,
// because they run in the search path of the project, which can hold others of the same names. Requests of every
// kind are compiled here: the texts in the sources are pieces, and names may come from a catalog or a request.
import { describe, expect, test } from 'vitest';

import { compileBatch, createQueryCompiler } from '#libs/rest-query';
import { finish } from '#libs/steps';

import {
  catalog,
  type NamedRequest,
  read,
  requestsOfEveryKind,
} from '../libs/rest-query/tests/requests-of-every-kind.js';
import { compileAtOnce, inputOf, LIMITS } from '../libs/rest-query/tests/run-request.js';
import { foundByPath, operatorsOfProject } from './support/sql-operators.js';

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
    body: Buffer.from(JSON.stringify({ operations })),
  };
  const compiler = createQueryCompiler({ maxShapes: 10 });
  const known = { catalog, limits: LIMITS };
  return finish(compileBatch(compiler, known, text)).statements.map(({ text: sql }) => sql);
};

const problemsOf = (sql: string): readonly string[] => foundByPath(sql, operatorsOfProject);

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
    { sql: "select case t.a when 'b' then 1 end from x", problems: ['case'] },
    { sql: 'select case when t.a is null then 1 end from x', problems: [] },
    { sql: 'select 1 from x join y using (a)', problems: ['join y using'] },
    { sql: 'select cast(t.a as json) from x', problems: ['json'] },
    { sql: 'select cast(t.a as pg_catalog.json) from x', problems: [] },
    { sql: "select json '1' from x", problems: ['json'] },
    { sql: 'select x."v" from pg_catalog.json_to_record($1) as x ("v" text)', problems: ['text'] },
    { sql: 'select x."v" from y as x ("v" numeric(1,2), "w" pg_catalog.text)', problems: [] },
  ])('$sql: $problems', ({ sql, problems }) => {
    expect(problemsOf(sql)).toEqual(problems);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createQueryCompiler, type BatchPlace, type RestInput } from '#libs/rest-query';
import { openRestDatabase, type RestDatabase } from './rest-database.js';
import { compileAtOnce, inputOf, LIMITS, type Request, valueText } from './run-request.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase(
    'references',
    `create table parents (
       id int generated always as identity primary key, name text, tags text[], about jsonb, big numeric
     );
     create table children (
       id int generated always as identity primary key, parent int references parents, note text,
       tags text[], about jsonb, big numeric
     );
     create table "ghostBusters" ("Escap3e;" int, "do$llar$s" text, "Server Today" text);`,
  );
});

afterAll(() => database.close());

beforeEach(async () => {
  await database.client.query('truncate parents, children, "ghostBusters" restart identity');
});

const place = (index: number, more: Partial<BatchPlace> = {}): BatchPlace => ({
  index,
  isReferenced: false,
  references: [],
  matches: [],
  ...more,
});

interface Operation extends Request {
  readonly prefer?: string;
}

/** Runs operations in one transaction; the rows of each, decoded. */
async function batch(operations: readonly Operation[]): Promise<unknown[]> {
  const compiler = createQueryCompiler({ maxShapes: 10 });
  const answers: unknown[] = [];
  await database.client.query('begin');
  try {
    for (const { prefer = 'return=representation', ...operation } of operations) {
      const input: RestInput = inputOf({ method: 'POST', headers: { prefer }, ...operation });
      const { statements } = compileAtOnce(compiler, database.catalog, LIMITS, input);
      for (const { text, values } of statements) {
        const reply = await database.client.query({
          text,
          values: values.map(valueText),
          rowMode: 'array',
        });
        answers.push(reply.rows.map(([row]) => (typeof row === 'string' ? JSON.parse(row) : row)));
      }
    }
    await database.client.query('commit');
  } catch (error) {
    await database.client.query('rollback');
    throw error;
  }
  return answers;
}

const parents: Operation = {
  table: 'parents',
  queryString: 'select=name',
  body: '[{"name":"a","tags":["x","y"],"about":{"k":[1]},"big":12345678901234567890.5},{"name":"b","about":null}]',
  place: place(0, { isReferenced: true }),
};
const reference = (row: number, column: string, operation = 0) => ({ operation, row, column });

describe('a value of an earlier result', () => {
  test('in a body, of any type, also where the row is not shown', async () => {
    const columns = ['tags', 'about', 'big'];
    const [shown] = await batch([
      parents,
      {
        table: 'children',
        body: '[{"parent":null,"note":"n"},{"parent":null,"tags":null,"about":null,"big":null}]',
        place: place(1, {
          references: [
            { row: 0, column: 'parent', reference: reference(1, 'id') },
            { row: 1, column: 'parent', reference: reference(0, 'id') },
            ...columns.map((column) => ({ row: 1, column, reference: reference(0, column) })),
          ],
        }),
      },
    ]);
    expect(shown).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(
      await database.rowsOf(
        'select parent, note, tags, about, big::text from children order by id',
      ),
    ).toEqual([
      [2, 'n', null, null, null],
      [1, null, ['x', 'y'], { k: [1] }, '12345678901234567890.5'],
    ]);
  });

  test('rows are kept when nothing is returned, and counted as written', async () => {
    await batch([
      { ...parents, prefer: 'return=minimal' },
      {
        table: 'children',
        body: '{"parent":null}',
        place: place(1, {
          references: [{ row: 0, column: 'parent', reference: reference(1, 'id') }],
        }),
      },
    ]);
    expect(await database.rowsOf('select parent from children')).toEqual([[2]]);
    const compiler = createQueryCompiler({ maxShapes: 1 });
    const input = inputOf({ method: 'POST', ...parents });
    const [statement] = compileAtOnce(compiler, database.catalog, LIMITS, input).statements;
    const reply = await database.client.query(statement?.text ?? '', [
      ...(statement?.values.map(valueText) ?? []),
    ]);
    expect(reply.rowCount).toBe(2);
  });

  test('in an update and a delete, as a value and as a filter', async () => {
    await database.client.query(
      `insert into parents (name, tags) values ('old', '{x,y}'), ('keep', '{z}')`,
    );
    const match = (column: string, row: number, from = column) => ({
      column,
      reference: reference(row, from),
    });
    await batch([
      parents,
      {
        table: 'parents',
        method: 'PATCH',
        queryString: 'name=eq.keep',
        body: '{"name":null}',
        place: place(1, {
          references: [{ row: 0, column: 'name', reference: reference(0, 'big') }],
        }),
      },
      {
        table: 'parents',
        method: 'DELETE',
        place: place(2, { matches: [match('tags', 0), match('id', 0)] }),
      },
    ]);
    expect(await database.rowsOf('select id, name from parents order by id')).toEqual([
      [1, 'old'],
      [2, '12345678901234567890.5'],
      [4, 'b'],
    ]);
  });

  test('NULL is a value: it matches nothing', async () => {
    const [, deleted] = await batch([
      parents,
      {
        table: 'parents',
        method: 'DELETE',
        place: place(1, { matches: [{ column: 'big', reference: reference(1, 'big') }] }),
      },
    ]);
    expect(deleted).toEqual([]);
  });

  test('odd names', async () => {
    const names = ['Escap3e;', 'do$llar$s', 'Server Today'];
    await batch([
      {
        table: 'ghostBusters',
        body: `[{"Escap3e;":5,"do$llar$s":"it's","Server Today":"a\\\\b"}]`,
        place: place(0, { isReferenced: true }),
      },
      {
        table: 'ghostBusters',
        body: '[{"Escap3e;":null,"do$llar$s":null,"Server Today":null}]',
        place: place(1, {
          references: names.map((column) => ({ row: 0, column, reference: reference(0, column) })),
        }),
      },
    ]);
    const row = [5, "it's", 'a\\b'];
    expect(await database.rowsOf('select * from "ghostBusters"')).toEqual([row, row]);
  });
});

describe('a reference to what is not there', () => {
  const missing = { code: 'PT400', message: 'BATCH_REFERENCE_MISSING' };
  const child = (row: number, column: string): Operation => ({
    table: 'children',
    body: '{"parent":null}',
    place: place(1, {
      references: [{ row: 0, column: 'parent', reference: reference(row, column) }],
    }),
  });
  test.each([
    { name: 'row', operations: [parents, child(2, 'id')] },
    { name: 'column', operations: [parents, child(0, 'nosuch')] },
    { name: 'operation', operations: [child(0, 'id')] },
    {
      name: 'row in a filter',
      operations: [
        parents,
        {
          table: 'children',
          method: 'DELETE' as const,
          place: place(1, { matches: [{ column: 'id', reference: reference(7, 'id') }] }),
        },
      ],
    },
  ])('$name: refused, and nothing is written', async ({ operations }) => {
    await database.client.query('insert into children (note) values (null)');
    await expect(batch(operations)).rejects.toMatchObject(missing);
    expect(await database.rowsOf('select name from parents')).toEqual([]);
  });

  test('rows of an earlier transaction are forgotten', async () => {
    await batch([parents]);
    await expect(batch([child(0, 'id')])).rejects.toMatchObject(missing);
  });
});

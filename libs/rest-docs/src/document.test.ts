import { describe, expect, test } from 'vitest';

import { documentProblems } from '../tests/document-problems.js';
import { allRights, catalogOf, column, routine, table } from '../tests/sample.js';
import { catalog, documentOf } from '../tests/sample-project.js';

const document = documentOf();
const { schemas } = document.components;

describe('the document', () => {
  test('is sound, whatever the names of tables, columns and functions are', () => {
    expect(documentProblems(JSON.parse(JSON.stringify(document)))).toEqual([]);
  });

  test('is the same whatever the order of the catalog is', () => {
    const turned = {
      ...catalog,
      tableByName: new Map([...catalog.tableByName].toReversed()),
      routines: new Map(
        [...catalog.routines].map(([name, byName]) => [name, new Map([...byName].toReversed())]),
      ),
    };
    expect(JSON.stringify(documentOf({ catalog: turned }))).toBe(JSON.stringify(document));
  });

  test('names the project, its address and the version of its schema', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Test', version: '7' },
      servers: [{ url: 'https://p.example.org/rest/v1' }],
    });
  });

  test('never has tables that are not exposed', () => {
    expect(document.paths['/session']).toBeUndefined();
    expect(schemas['session']).toBeUndefined();
  });

  test('of another schema than public has its functions alone', () => {
    const other = documentOf({ schema: 'other' });
    expect(Object.keys(other.paths)).toEqual(['/rpc/ping']);
    expect(other.paths['/rpc/ping']?.post?.parameters).toContainEqual(
      expect.objectContaining({ name: 'Content-Profile', required: true }),
    );
    expect(documentProblems(JSON.parse(JSON.stringify(other)))).toEqual([]);
  });
});

describe('a document that would be too long', () => {
  const columns = Array.from({ length: 100 }, (_, index) => column(`c${index}`, 'text'));
  const tables = (count: number) =>
    Array.from({ length: count }, (_, index) => table(`t${index}`, columns));
  const routines = (count: number, schema = 'public') =>
    Array.from({ length: count }, (_, index) => routine(`f${index}`, [], { schema }));

  test.each([
    { name: 'some tables', tables: 203, functions: 1, says: '3 tables, 0 functions.' },
    { name: 'one table', tables: 201, functions: 1, says: '1 table, 0 functions.' },
    { name: 'one function', tables: 1, functions: 2001, says: '0 tables, 1 function.' },
  ])('says that it leaves out $name', ({ tables: tableCount, functions, says }) => {
    const long = catalogOf(tables(tableCount), routines(functions), new Map());
    expect(documentOf({ catalog: long }).info.description).toContain(
      `Left out because of the length of this document: ${says} They can still be used.`,
    );
  });

  test('says nothing of tables when it is of a schema that has none', () => {
    const long = catalogOf(tables(201), routines(1, 'other'), new Map());
    const { description } = documentOf({ catalog: long, schema: 'other' }).info;
    expect(description).not.toContain('Left out');
  });
});

describe('a table', () => {
  test('has a row with every column, whether null is a value of it, keys and defaults', () => {
    expect(schemas['authors']).toMatchObject({
      required: ['id', 'name', 'mood', 'shout', 'user_id'],
      properties: {
        id: { type: 'integer', format: 'int64', readOnly: true },
        name: { type: 'string', maxLength: 40 },
        mood: { type: ['string', 'null'], enum: ['calm', 'wild', null] },
        shout: { readOnly: true },
        user_id: { description: 'Refers to a user of the project by `id`.' },
        full_name: { readOnly: true },
      },
    });
    expect(schemas['authors']?.properties?.['id']?.description).toContain('Primary key.');
    expect(schemas['posts']?.properties?.['author_id']?.description).toBe(
      'Refers to `authors` by `id`.',
    );
  });

  test('an insert requires what has no default, and takes nothing that is computed', () => {
    expect(Object.keys(schemas['authors.insert']?.properties ?? {})).toEqual([
      'name',
      'mood',
      'user_id',
    ]);
    expect(schemas['authors.insert']?.required).toEqual(['name']);
    expect(schemas['posts.insert']?.required).toEqual(['author_id']);
  });

  test('an update requires nothing', () => {
    expect(schemas['posts.update']?.required).toBeUndefined();
    expect(Object.keys(schemas['posts.update']?.properties ?? {})).toContain('author_id');
  });

  test('a column whose name is a word of the grammar is named in quotes', () => {
    const { parameters } = document.components;
    const filters = Object.keys(parameters);
    expect(filters).toContain('filter.posts.author_id');
    expect(filters).toContain('filter.a-20-b-2f--7b-c-7d-.__proto__');
    expect(parameters['filter.a-20-b-2f--7b-c-7d-.select']).toMatchObject({ name: '"select"' });
  });

  test('a column whose name has characters of the grammar is named in quotes', () => {
    const { parameters } = document.components;
    expect(Object.values(parameters).map(({ name }) => name)).toContain(String.raw`"x\"y.z"`);
  });

  test('called batch keeps its reads beside the batch', () => {
    expect(document.paths['/batch']?.get?.operationId).toBe('get.batch');
    expect(document.paths['/batch']?.post?.operationId).toBe('batch');
  });
});

describe('the rights of the caller decide', () => {
  const limited = (change: Parameters<typeof allRights>[1]) =>
    documentOf({ rights: allRights(catalog, change) });

  test('a table without any right is not named anywhere, not even by a foreign key', () => {
    const without = limited({ authors: undefined });
    expect(JSON.stringify(without.paths)).not.toContain('authors');
    expect(JSON.stringify(without.components)).not.toContain('authors');
  });

  test.each([
    { right: { select: 'none' }, missing: ['get', 'head'], schema: undefined },
    { right: { insert: 'none' }, missing: ['post'], schema: 'posts.insert' },
    { right: { update: 'none' }, missing: ['patch'], schema: 'posts.update' },
    { right: { canDelete: false }, missing: ['delete'], schema: undefined },
  ] as const)('$right: no $missing', ({ right, missing, schema }) => {
    const found = limited({ posts: right });
    const verbs = ['get', 'head', 'post', 'patch', 'delete'].filter(
      (verb) => !missing.some((each) => each === verb),
    );
    expect(Object.keys(found.paths['/posts'] ?? {}).toSorted()).toEqual(verbs.toSorted());
    if (schema !== undefined) expect(found.components.schemas[schema]).toBeUndefined();
    expect(documentProblems(JSON.parse(JSON.stringify(found)))).toEqual([]);
  });

  test('rights on some columns show these columns', () => {
    const found = limited({ posts: { select: new Set(['id']), update: new Set(['tags']) } });
    const { components } = found;
    expect(Object.keys(components.schemas['posts']?.properties ?? {})).toEqual(['id']);
    expect(components.schemas['posts']?.description).toContain('`select` has to name');
    expect(Object.keys(components.schemas['posts.update']?.properties ?? {})).toEqual(['tags']);
    expect(components.parameters['filter.posts.author_id']).toBeUndefined();
  });

  test('who may write nothing has no batch', () => {
    const readOnly = { insert: 'none', update: 'none', canDelete: false } as const;
    const names = [...catalog.tableByName.keys()];
    const found = limited(Object.fromEntries(names.map((name) => [name, readOnly])));
    expect(found.paths['/batch']?.post).toBeUndefined();
    expect(found.components.schemas['batch.operation']).toBeUndefined();
  });

  test('a function without the right to execute is not there', () => {
    const rights = {
      ...allRights(catalog),
      routineByKey: new Map(),
      routineNames: new Set<string>(),
    };
    const found = documentOf({ rights });
    expect(Object.keys(found.paths).filter((path) => path.startsWith('/rpc/'))).toEqual([]);
    expect(found.components.schemas['authors']?.properties?.['full_name']).toBeUndefined();
  });
});

// A project with every kind of table, column and function that the document distinguishes.
import type { Catalog } from '#libs/catalog';

import { finish } from '#libs/steps';

import { type DocumentInput, restDocument } from '../src/document.js';
import { allRights, argument, catalogOf, column, routine, table, valueType } from './sample.js';

const authors = table(
  'authors',
  [
    column('id', 'bigint', { isNullable: false, default: { kind: 'identity', isAlways: true } }),
    column('name', 'character varying(40)', { isNullable: false }),
    column('mood', 'public.mood'),
    column('shout', 'text', { default: { kind: 'generated' } }),
    column('user_id', 'text'),
  ],
  {
    primaryKey: ['id'],
    foreignKeys: [
      {
        name: 'authors_user',
        columns: ['user_id'],
        target: { schema: 'auth', table: 'user', columns: ['id'] },
        isOneToOne: false,
      },
    ],
    computedColumns: new Map([
      [
        'full_name',
        {
          name: 'full_name',
          ...valueType('text'),
          routine: { schema: 'public', name: 'full_name' },
          isDefiner: false,
        },
      ],
    ]),
  },
);
const posts = table(
  'posts',
  [
    column('id', 'integer', { isNullable: false, default: { kind: 'identity', isAlways: false } }),
    column('author_id', 'bigint', { isNullable: false }),
    column('tags', 'text[]'),
  ],
  {
    primaryKey: ['id'],
    foreignKeys: [
      {
        name: 'posts_author',
        columns: ['author_id'],
        target: { schema: 'public', table: 'authors', columns: ['id'] },
        isOneToOne: false,
      },
    ],
  },
);
const odd = [
  table('a b/{c}', [
    column('select', 'text'),
    column('x"y.z', 'text'),
    column('__proto__', 'text'),
  ]),
  table('a-20-b', [column('id', 'integer')]),
  table('batch', [column('id', 'integer')]),
  table('rpc add', [column('id', 'integer')]),
  table('error', [column('1', 'integer'), column('ключ', 'integer')]),
];
const add = routine('add', [argument('a', 'integer'), argument('b', 'integer', true)], {
  returns: { kind: 'scalar', isSet: false, ...valueType('integer') },
  volatility: 'immutable',
});
const rowsOf = (name: string | undefined, isSet: boolean) =>
  ({ kind: 'rows', isSet, table: name, columns: [column('id', 'integer')] }) as const;
export const catalog = catalogOf(
  [posts, authors, ...odd, table('session', [column('id', 'text')])],
  [
    add,
    routine('add', [argument('a', 'text'), argument('limit', 'text')], {
      returns: rowsOf('posts', true),
    }),
    routine('window_of', [argument('limit', 'integer'), argument('a.b', 'text')], {
      returns: { kind: 'scalar', isSet: true, ...valueType('integer') },
      volatility: 'stable',
    }),
    routine('forget', [argument('id', 'integer')]),
    routine('raw', [argument(undefined, 'jsonb')], { returns: rowsOf(undefined, false) }),
    routine('by_position', [argument(undefined, 'integer')]),
    routine('as_owner', [], { isDefiner: true }),
    routine('full_name', [argument(undefined, 'public.authors')]),
    routine('variadic', [{ ...argument('ids', 'integer[]'), isVariadic: true }]),
    routine('list', [argument('ids', 'integer[]')], {
      returns: rowsOf('authors', true),
      volatility: 'stable',
    }),
    routine('ping', [], { schema: 'other' }),
  ],
  new Map([['public.mood', ['calm', 'wild']]]),
);

/** The document of the sample project, or of what `input` changes. */
export function documentOf(input: Partial<DocumentInput> = {}) {
  const known: Catalog = input.catalog ?? catalog;
  const steps = restDocument({
    title: 'Test',
    serverUrl: 'https://p.example.org/rest/v1',
    catalog: known,
    rights: allRights(known),
    schema: 'public',
    definerFunctions: [],
    maxRows: 1000,
    ...input,
  });
  return finish(steps);
}

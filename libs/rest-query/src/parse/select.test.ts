import { describe, expect, test } from 'vitest';
import type { EmbedItem, JsonStep, SelectItem } from '../types/grammar.js';
import { parseSelect } from './select.js';

type FieldItem = SelectItem & { readonly kind: 'field' };

const ALL: SelectItem = { kind: 'all' };

function column(name: string, alias?: string, cast?: string): FieldItem {
  return { kind: 'field', field: { name, path: [] }, alias, cast, aggregation: undefined };
}

function at(item: FieldItem, ...path: readonly JsonStep[]): FieldItem {
  return { ...item, field: { ...item.field, path } };
}

const key = (name: string): JsonStep => ({ kind: 'key', key: name, isText: false });
const index = (name: string): JsonStep => ({ kind: 'index', key: name, isText: false });
const asText = (step: JsonStep): JsonStep => ({ ...step, isText: true });

function embed(
  relation: string,
  select: readonly SelectItem[],
  more: Partial<EmbedItem> = {},
): EmbedItem {
  const none = { alias: undefined, hint: undefined, join: undefined, isSpread: false };
  return { kind: 'embed', relation, ...none, ...more, select };
}

describe('columns', () => {
  test.each([
    { text: '', items: [ALL] },
    { text: '*', items: [ALL] },
    { text: 'id', items: [column('id')] },
    { text: ' id , name ', items: [column('id'), column('name')] },
    { text: 'key:id', items: [column('id', 'key')] },
    { text: 'id::text', items: [column('id', undefined, 'text')] },
    { text: 'key:id::text[]', items: [column('id', 'key', 'text[]')] },
    { text: '*,again:id', items: [ALL, column('id', 'again')] },
    { text: '"a,b","c:d"', items: [column('a,b'), column('c:d')] },
    { text: '"x y":"a(b)"::int', items: [column('a(b)', 'x y', 'int')] },
    { text: String.raw`"a\"b"`, items: [column('a"b')] },
    { text: 'Server Today', items: [column('Server Today')] },
    { text: 'do$llar$s', items: [column('do$llar$s')] },
    { text: 'Escap3e;', items: [column('Escap3e;')] },
    { text: 'ghostBusters', items: [column('ghostBusters')] },
    { text: 'päth', items: [column('päth')] },
    { text: 'a-b,päth.x', items: [column('a-b'), column('päth.x')] },
  ])('$text', ({ text, items }) => {
    expect(parseSelect(text)).toEqual(items);
  });
});

describe('JSON paths', () => {
  test.each([
    { text: 'data->a', items: [at(column('data'), key('a'))] },
    { text: 'data->>a', items: [at(column('data'), asText(key('a')))] },
    {
      text: 'd:data->0->-1->>b::int',
      items: [at(column('data', 'd', 'int'), index('0'), index('-1'), asText(key('b')))],
    },
    { text: 'data->a-b->c.d', items: [at(column('data'), key('a-b'), key('c.d'))] },
    { text: 'data->Sö me:k;ey$!', items: [at(column('data'), key('Sö me:k;ey$!'))] },
    { text: 'data->"0"', items: [at(column('data'), key('0'))] },
    { text: 'data->"a,(b)->c::d"', items: [at(column('data'), key('a,(b)->c::d'))] },
    {
      text: String.raw`data->>"q\"q",b`,
      items: [at(column('data'), asText(key('q"q'))), column('b')],
    },
    { text: 'data->""', items: [at(column('data'), key(''))] },
    { text: 'data->1234567890', items: [at(column('data'), key('1234567890'))] },
    { text: '"da->ta"->a', items: [at(column('da->ta'), key('a'))] },
  ])('$text', ({ text, items }) => {
    expect(parseSelect(text)).toEqual(items);
  });

  test.each([
    { text: 'data->', reason: /key is missing/ },
    { text: 'data->->a', reason: /key is missing/ },
    { text: '->a', reason: /name is missing/ },
    { text: 'data->>a->b', reason: /->> returns text and must end the path/ },
    { text: 'data->a(b)', reason: /"\(b\)" is not expected/ },
    { text: `data${'->a'.repeat(51)}`, reason: /more than 50 steps in a JSON path/ },
  ])('refuses $text', ({ text, reason }) => {
    expect(() => parseSelect(text)).toThrow(reason);
  });
});

describe('aggregates', () => {
  const sum = { function: 'sum', cast: undefined } as const;
  test.each([
    { text: 'count()', items: [{ kind: 'count', alias: undefined, cast: undefined }] },
    { text: 'n:count()::text', items: [{ kind: 'count', alias: 'n', cast: 'text' }] },
    { text: 'mass.sum()', items: [{ ...column('mass'), aggregation: sum }] },
    {
      text: 'm:mass::int.sum()::text,"a.b".sum()',
      items: [
        { ...column('mass', 'm', 'int'), aggregation: { ...sum, cast: 'text' } },
        { ...column('a.b'), aggregation: sum },
      ],
    },
    {
      text: 'data->a.b.sum()',
      items: [{ ...at(column('data'), key('a.b')), aggregation: sum }],
    },
    ...(['avg', 'count', 'max', 'min'] as const).map((name) => ({
      text: `mass.${name}()`,
      items: [{ ...column('mass'), aggregation: { function: name, cast: undefined } }],
    })),
    { text: 'count', items: [column('count')] },
    { text: '"count"()', items: [embed('count', [])] },
    { text: 'count(id)', items: [embed('count', [column('id')])] },
  ])('$text', ({ text, items }) => {
    expect(parseSelect(text)).toEqual(items);
  });

  test.each([
    { text: 'mass.median()', reason: /mass\.median is not an aggregate function/ },
    { text: 'mass.sum(id)', reason: /mass\.sum is not an aggregate function/ },
    { text: '*.count()', reason: /"\.count\(\)" is not expected/ },
    { text: 'mass.sum().max()', reason: /is not expected/ },
  ])('refuses $text', ({ text, reason }) => {
    expect(() => parseSelect(text)).toThrow(reason);
  });
});

describe('embeds', () => {
  const id = column('id');
  test.each([
    { text: 'author(id)', items: [embed('author', [id])] },
    { text: 'a:author ( id ), id', items: [embed('author', [id], { alias: 'a' }), id] },
    { text: 'author()', items: [embed('author', [])] },
    { text: 'author(*)', items: [embed('author', [ALL])] },
    { text: 'author!inner(id)', items: [embed('author', [id], { join: 'inner' })] },
    { text: 'author!fk(id)', items: [embed('author', [id], { hint: 'fk' })] },
    { text: 'author!fk!left(id)', items: [embed('author', [id], { hint: 'fk', join: 'left' })] },
    { text: 'author!left!fk(id)', items: [embed('author', [id], { hint: 'fk', join: 'left' })] },
    {
      text: '"the author"!"a ""key!"!inner("x(y)")'.replace('""', String.raw`\"`),
      items: [embed('the author', [column('x(y)')], { hint: 'a "key!', join: 'inner' })],
    },
    { text: 'author!"inner"(id)', items: [embed('author', [id], { hint: 'inner' })] },
    {
      text: 'a(b(c(id),d()),...e!fk(id,n:count()))',
      items: [
        embed('a', [
          embed('b', [embed('c', [id]), embed('d', [])]),
          embed('e', [id, { kind: 'count', alias: 'n', cast: undefined }], {
            hint: 'fk',
            isSpread: true,
          }),
        ]),
      ],
    },
    { text: '...x:a(id)', items: [embed('a', [id], { alias: 'x', isSpread: true })] },
  ])('$text', ({ text, items }) => {
    expect(parseSelect(text)).toEqual(items);
  });

  const nested = (depth: number): string => 'a('.repeat(depth) + ')'.repeat(depth);
  test('as deep and as many as the limits say', () => {
    expect(() => parseSelect(nested(10))).not.toThrow();
    expect(() => parseSelect(Array.from({ length: 50 }, () => 'a()').join())).not.toThrow();
    expect(() => parseSelect(Array.from({ length: 1000 }, () => 'a').join())).not.toThrow();
  });

  test.each([
    { text: 'author(', reason: /empty item/ },
    { text: 'author(id', reason: /parenthesis of select is not closed/ },
    { text: 'author(id))', reason: /"\)" is not expected/ },
    { text: 'author(id)x', reason: /"x" is not expected/ },
    { text: 'author(,)', reason: /empty item/ },
    { text: 'author(id,)', reason: /empty item/ },
    { text: 'author!inner', reason: /needs its columns in parentheses/ },
    { text: '...author', reason: /needs its columns in parentheses/ },
    { text: '...*', reason: /needs its columns in parentheses/ },
    { text: '(id)', reason: /name is missing/ },
    { text: 'author!(id)', reason: /name is missing/ },
    { text: 'author!a!b(id)', reason: /has b too much/ },
    { text: 'author!inner!left(id)', reason: /has left too much/ },
    { text: nested(11), reason: /more than 10 nested embeds/ },
    { text: Array.from({ length: 51 }, () => 'a()').join(), reason: /more than 50 embeds/ },
    { text: Array.from({ length: 1001 }, () => 'a').join(), reason: /more than 1000 items/ },
    { text: `b(${'a,'.repeat(999)}a)`, reason: /more than 1000 items/ },
  ])('refuses $text', ({ text, reason }) => {
    expect(() => parseSelect(text)).toThrow(reason);
  });
});

test.each([
  { text: 'id,', reason: /empty item/ },
  { text: ',id', reason: /empty item/ },
  { text: 'id::', reason: /not a cast/ },
  { text: 'id::Text', reason: /not a cast/ },
  { text: 'id::"char"', reason: /not a cast/ },
  { text: 'id::text;drop table x', reason: /";drop table x" is not expected/ },
  { text: 'id::text[][]', reason: /"\[\]" is not expected/ },
  { text: 'id::double precision', reason: /"precision" is not expected/ },
  { text: 'id::text::int', reason: /"::int" is not expected/ },
  { text: 'a:b:c', reason: /":c" is not expected/ },
  { text: ':id', reason: /name is missing/ },
  { text: 'a:', reason: /name is missing/ },
  { text: '""', reason: /name is missing/ },
  { text: 'id)', reason: /"\)" is not expected/ },
  { text: '*id', reason: /"id" is not expected/ },
  { text: `${'ä'.repeat(32)}:id`, reason: /longer than 63 bytes/ },
  { text: `${'ä'.repeat(32)}:author(id)`, reason: /longer than 63 bytes/ },
])('refuses $text', ({ text, reason }) => {
  expect(() => parseSelect(text)).toThrow(reason);
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '#libs/errors';
import { sampleCatalog } from '../tests/sample-catalog.js';
import { createQueryCompiler } from './compiler.js';
import { arrayLiteral, parseValueList } from './parse/list.js';
import { templateOf } from './parse/query-template.js';
import type { Method } from './types.js';

const names = ['id', 'name', 'select', 'order', 'limit', 'or', 'columns'];
const words = ['eq', 'in', 'is', 'not', 'null', 'any', 'all', '5'];
const signs = [
  '.',
  ',',
  '(',
  ')',
  '"',
  '\\',
  ':',
  '::',
  '->',
  '*',
  '=',
  '&',
  '+',
  ' ',
  "'",
  ';',
  '--',
];
const odd = ['%', '%2', '%00', '%C3%A4', '$1', '\n', '\u0080', '日', '\ud800', '{', '}'];
const word = fc.constantFrom(...names, ...words, ...signs, ...odd);
const query = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(word, { maxLength: 14 }).map((words) => words.join('')),
);
const header = fc.option(fc.oneof(query, fc.constantFrom('count=exact', '0-9', 'text/csv')), {
  nil: undefined,
});
const method = fc.constantFrom<Method>('GET', 'HEAD', 'POST', 'PATCH', 'DELETE');

test('whatever the text of a request, only an AppError is thrown', () => {
  const compiler = createQueryCompiler({ maxShapes: 100 });
  fc.assert(
    fc.property(
      fc.record({
        method,
        table: fc.oneof(fc.constant('planets'), query),
        queryString: query,
        body: fc.option(fc.oneof(fc.json(), query), { nil: undefined }),
        headers: fc.record({ prefer: header, range: header, accept: header }),
      }),
      (input) => {
        try {
          compiler.compile(sampleCatalog, { maxRows: 10 }, input);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test('no filter value reaches the text of a statement', () => {
  const compiler = createQueryCompiler({ maxShapes: 100 });
  const plain = (operator: string, value: string) =>
    compiler.compile(
      sampleCatalog,
      { maxRows: 10 },
      {
        method: 'GET',
        table: 'planets',
        queryString: `name=${operator}.${encodeURIComponent(value)}`,
        headers: {},
      },
    ).statements[0];
  fc.assert(
    fc.property(
      fc.constantFrom('eq', 'not.like', 'ilike(any)', 'isdistinct'),
      fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
      (operator, value) => {
        const statement = plain(operator, value);
        expect(statement?.text).toBe(plain(operator, 'x')?.text);
        const pattern = operator.includes('like') ? value.replaceAll('*', '%') : value;
        expect(statement?.values).toEqual([pattern]);
      },
    ),
  );
});

test('a list of quoted and escaped values is read back as it was', () => {
  const quote = (value: string) => `"${value.replace(/[\\"]/g, String.raw`\$&`)}"`;
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
      expect(parseValueList(`(${values.map(quote).join(',')})`)).toEqual(values);
    }),
  );
});

test('an array literal has as many quotes as it needs', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (values) => {
      const elements = arrayLiteral(values).slice(1, -1);
      const read = [...elements.matchAll(/"((?:[^"\\]|\\.)*)"(?:,|$)/gs)].map((match) =>
        (match[1] ?? '').replace(/\\(.)/gs, '$1'),
      );
      expect(read).toEqual(values);
    }),
  );
});

test('equal keys have equally many operands', () => {
  fc.assert(
    fc.property(query, query, (one, other) => {
      const read = (text: string) => {
        try {
          return templateOf(text);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return undefined;
        }
      };
      const [a, b] = [read(one), read(other)];
      if (a && b && a.key === b.key) expect(a.operands.length).toBe(b.operands.length);
    }),
  );
});

import { expect, test } from 'vitest';
import fc from 'fast-check';
import { AppError } from '#libs/errors';
import { compileAtOnce, inputOf, LIMITS } from '../tests/run-request.js';
import { sampleCatalog } from '../tests/sample-catalog.js';
import { createQueryCompiler } from './compiler.js';
import { arrayLiteral } from './parse/list.js';
import { templateOf } from './parse/query-template.js';
import type { Method, Resource } from './types/request.js';

/** More of them at night. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 3000);

const names = ['id', 'name', 'moons', 'data', 'select', 'order', 'limit', 'or', 'columns', 'count'];
const words = ['eq', 'in', 'is', 'not', 'null', 'any', 'all', 'and', 'fts', 'cs', 'inner', '5'];
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
  '->>',
  '*',
  '=',
  '&',
  '!',
  '...',
  '()',
  '+',
  ' ',
  "'",
  ';',
  '--',
];
const odd = ['%', '%2', '%00', '%C3%A4', '$1', '\n', '\u0080', '日', '\ud800', '{', '}', '[', ']'];
const begun = ['select=id,', 'or=(', 'order=', 'moons.', 'a=1&', 'select=moons(', 'id=eq.'];
const word = fc.constantFrom(...names, ...words, ...signs, ...odd, ...begun);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(word, { maxLength: 14 }).map((parts) => parts.join('')),
);
const header = fc.option(
  fc.oneof(
    text,
    fc.constantFrom('count=exact', '0-9', 'text/csv', 'public', 'params=single-object'),
    fc.constantFrom('application/vnd.pgrst.plan; for="', 'return=representation'),
  ),
  { nil: undefined },
);
const method = fc.constantFrom<Method>('GET', 'HEAD', 'POST', 'PATCH', 'DELETE');
const resource: fc.Arbitrary<Resource> = fc.oneof(
  fc.record({ kind: fc.constant('table'), name: fc.oneof(fc.constant('planets'), text) }),
  fc.record({
    kind: fc.constant('function'),
    name: fc.oneof(fc.constantFrom('add', 'heavy_planets', 'land', 'keep'), text),
  }),
);

test('whatever the text of a request, only an AppError of a status below 500 is thrown', () => {
  const compiler = createQueryCompiler({ maxShapes: 100 });
  fc.assert(
    fc.property(
      fc.record({
        method,
        resource,
        queryString: text,
        body: fc.option(fc.oneof(fc.json(), text), { nil: undefined }),
        headers: fc.record({
          prefer: header,
          range: header,
          accept: header,
          contentType: header,
          acceptProfile: header,
          contentProfile: header,
        }),
      }),
      ({ body, ...request }) => {
        const bytes = body === undefined ? undefined : Buffer.from(body);
        try {
          compileAtOnce(compiler, sampleCatalog, LIMITS, { ...request, body: bytes });
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          if (error instanceof AppError) expect(error.status).toBeLessThan(500);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('no value reaches the text of a statement', () => {
  const compiler = createQueryCompiler({ maxShapes: 100 });
  const compile = (queryString: string) =>
    compileAtOnce(compiler, sampleCatalog, LIMITS, inputOf({ queryString })).statements[0];
  const encode = encodeURIComponent;
  const quote = (value: string) => `"${value.replace(/[\\"]/g, String.raw`\$&`)}"`;
  const forms: readonly ((operator: string, value: string) => string)[] = [
    (operator, value) => `name=${operator}.${encode(value)}`,
    (operator, value) => `or=(name.${operator}.${encode(quote(value))})`,
    (operator, value) => `select=id,moons(id)&moons.name=${operator}.${encode(value)}`,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...forms),
      fc.constantFrom('eq', 'not.like', 'ilike(any)', 'isdistinct', 'neq'),
      fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
      (form, operator, value) => {
        const statement = compile(form(operator, value));
        expect(statement?.text).toBe(compile(form(operator, 'x'))?.text);
        const pattern = operator.includes('like') ? value.replaceAll('*', '%') : value;
        expect(statement?.values).toEqual([pattern]);
      },
    ),
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
  const kind = fc.constantFrom<Resource['kind']>('table', 'function');
  fc.assert(
    fc.property(text, text, kind, (one, other, of) => {
      const read = (query: string) => {
        try {
          return templateOf(query, of);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return undefined;
        }
      };
      const [a, b] = [read(one), read(other)];
      if (a && b && a.key === b.key) expect(a.operands.length).toBe(b.operands.length);
      if (a) expect(a.key.split('\0v').length - 1).toBe(a.operands.length);
    }),
  );
});

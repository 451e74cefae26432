import { describe, expect, test } from 'vitest';
import { inputOf, type Request, valueText } from '../../tests/run-request.js';
import { readBody, readBodyShape, type Body } from './body.js';
import { finish } from '#libs/steps';
import { readCsv } from './csv.js';

function read(request: Request): Body | undefined {
  return finish(readBody(inputOf({ method: 'POST', ...request })));
}

describe('the shape of a body', () => {
  test.each([
    { body: '{}', kind: 'object', keys: [], isUniform: true },
    { body: '[]', kind: 'array', keys: [], isUniform: true },
    { body: '[{},{}]', kind: 'array', keys: [], isUniform: true },
    { body: '{"a":1,"b":null}', kind: 'object', keys: ['a', 'b'], isUniform: true },
    { body: '[{"a":1},{"a":2}]', kind: 'array', keys: ['a'], isUniform: true },
    { body: '[{"a":1,"b":1},{"b":2,"a":2}]', kind: 'array', keys: ['a', 'b'], isUniform: true },
    { body: '[{"a":1},{"b":2}]', kind: 'array', keys: ['a', 'b'], isUniform: false },
    { body: '[{"a":1},{}]', kind: 'array', keys: ['a'], isUniform: false },
    { body: '{"__proto__":1}', kind: 'object', keys: ['__proto__'], isUniform: true },
  ])('$body', ({ body, ...shape }) => {
    expect(finish(readBodyShape(Buffer.from(body)))).toEqual(shape);
  });

  test.each([
    { body: '', reason: /it is empty/ },
    { body: '{', reason: /it is not JSON/ },
    { body: '5', reason: /the body is not an object/ },
    { body: 'null', reason: /the body is not an object/ },
    { body: '"x"', reason: /the body is not an object/ },
    { body: '[{},1]', reason: /element 1 of the body is not an object/ },
    { body: '[[]]', reason: /element 0 of the body is not an object/ },
  ])('$body is PGRST102', ({ body, reason }) => {
    expect(() => finish(readBodyShape(Buffer.from(body)))).toThrow(reason);
  });
});

describe('bodies of writes', () => {
  test.each([
    { name: 'an insert reads an array', body: '{"a":1}', parameter: '[{"a":1}]' },
    { name: 'an array stays as it is', body: '[{"a": 1}]', parameter: '[{"a": 1}]' },
    {
      name: 'an update reads an object',
      method: 'PATCH',
      body: '{"a":1}',
      parameter: '{"a":1}',
    },
    {
      name: 'CSV becomes JSON',
      headers: { contentType: 'text/csv; charset=utf-8' },
      body: 'a,b\n1,x',
      parameter: '[{"a":"1","b":"x"}]',
    },
    {
      name: 'kinds of JSON are JSON',
      headers: { contentType: 'Application/Vnd.pgrst.object+json; charset=utf-8' },
      body: '{}',
      parameter: '[{}]',
    },
  ] as const)('$name', ({ name: _name, parameter, ...request }) => {
    expect(valueText(read(request)?.parameter ?? null)).toBe(parameter);
  });

  test.each(['GET', 'HEAD', 'DELETE'] as const)('%s has none', (method) => {
    expect(read({ method, body: 'x', headers: { contentType: 'text/x' } })).toBeUndefined();
  });

  test.each([
    { method: 'POST', contentType: 'text/plain' },
    { method: 'POST', contentType: 'application/x-www-form-urlencoded' },
    { method: 'PATCH', contentType: 'text/csv' },
  ] as const)('$method takes no $contentType', ({ method, contentType }) => {
    expect(() => read({ method, headers: { contentType }, body: '{}' })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 }),
    );
  });
});

describe('bodies of calls', () => {
  test.each([
    { body: '{"a":1,"b":[2]}', given: { kind: 'object', keys: ['a', 'b'] } },
    { body: '[1,2]', given: { kind: 'single', type: 'json' } },
    { body: '5', given: { kind: 'single', type: 'json' } },
    { body: 'null', given: { kind: 'single', type: 'json' } },
    { body: 'a text', contentType: 'text/plain', given: { kind: 'single', type: 'text' } },
    { body: '', contentType: 'text/plain', given: { kind: 'single', type: 'text' } },
    {
      body: String.raw`\x00ff`,
      contentType: 'application/octet-stream',
      given: { kind: 'single', type: 'bytes' },
    },
  ])('$body as $contentType', ({ body, contentType, given }) => {
    expect(read({ function: 'add', body, headers: { contentType } })).toEqual({
      text: { kind: 'arguments', arguments: given },
      parameter: [Buffer.from(body)],
    });
  });

  test('no body is no argument', () => {
    expect(read({ function: 'add' })).toEqual({
      text: { kind: 'arguments', arguments: { kind: 'object', keys: [] } },
      parameter: [Buffer.from('{}')],
    });
  });

  test.each([
    { body: '{', contentType: 'application/json', code: 'PGRST102' },
    {
      body: 'a=1',
      contentType: 'application/x-www-form-urlencoded',
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    { body: 'a\n1', contentType: 'text/csv', code: 'UNSUPPORTED_MEDIA_TYPE' },
  ])('$body as $contentType is $code', ({ body, contentType, code }) => {
    expect(() => read({ function: 'add', body, headers: { contentType } })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('CSV', () => {
  test.each([
    { csv: 'a', keys: ['a'], rows: [] },
    { csv: 'a,b\r\n1,x\r\n', keys: ['a', 'b'], rows: [{ a: '1', b: 'x' }] },
    {
      csv: 'a,b\n,NULL\n"","NULL"',
      keys: ['a', 'b'],
      rows: [
        { a: null, b: null },
        { a: '', b: 'NULL' },
      ],
    },
    {
      csv: '"x,y","q""q"\n"line\r\nline","a,""b"""\n',
      keys: ['x,y', 'q"q'],
      rows: [{ 'x,y': 'line\r\nline', 'q"q': 'a,"b"' }],
    },
    { csv: '\uFEFFa\nä日', keys: ['a'], rows: [{ a: 'ä日' }] },
    { csv: 'a\n x \nnull', keys: ['a'], rows: [{ a: ' x ' }, { a: 'null' }] },
    { csv: 'a,b\n1,', keys: ['a', 'b'], rows: [{ a: '1', b: null }] },
    { csv: 'a,b\n1,""', keys: ['a', 'b'], rows: [{ a: '1', b: '' }] },
  ])('$csv', ({ csv, keys, rows }) => {
    const read = finish(readCsv(csv));
    expect(read.keys).toEqual(keys);
    expect(JSON.parse(read.json)).toEqual(rows);
  });

  test.each([
    { csv: '', reason: /it is empty/ },
    { csv: 'a,b\n1', reason: /row 1 does not have 2 fields/ },
    { csv: 'a\n1\n1,2', reason: /row 2 does not have 1 fields/ },
    { csv: 'a,a\n1,2', reason: /a column is named twice/ },
    { csv: 'a,\n1,2', reason: /a column has no name/ },
    { csv: 'a\n"x', reason: /a quote is not closed/ },
    { csv: 'a\n"x"y', reason: /row 1 has a quote out of place/ },
  ])('refuses $csv', ({ csv, reason }) => {
    expect(() => finish(readCsv(csv))).toThrow(reason);
    expect(() => finish(readCsv(csv))).toThrow(expect.objectContaining({ code: 'PGRST102' }));
  });
});

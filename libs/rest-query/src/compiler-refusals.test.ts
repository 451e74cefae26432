import { describe, expect, test } from 'vitest';
import { compileAtOnce, inputOf, LIMITS, type Request } from '../tests/run-request.js';
import { sampleCatalog } from '../tests/sample-catalog.js';
import { createQueryCompiler } from './compiler.js';
import type { Compiled } from './compiled.js';

function compile(request: Request): Compiled {
  return compileAtOnce(
    createQueryCompiler({ maxShapes: 10 }),
    sampleCatalog,
    LIMITS,
    inputOf(request),
  );
}

describe('refusals', () => {
  const rows: readonly (Request & { readonly name: string; readonly code: string })[] = [
    { name: 'an unknown table', table: 'planet', code: 'PGRST205' },
    { name: 'a blocked table', table: 'session', code: 'PGRST205' },
    { name: 'an unknown column in select', queryString: 'select=nam', code: 'PGRST204' },
    { name: 'an unknown column in order', queryString: 'order=nam', code: 'PGRST204' },
    { name: 'an unknown column in a filter', queryString: 'nam=eq.1', code: 'PGRST204' },
    { name: 'an unknown operator', queryString: 'id=equals.1', code: 'PGRST100' },
    { name: 'a filter without operator', queryString: 'id=5', code: 'PGRST100' },
    { name: 'a number with a dot as a filter', queryString: 'mass=5.3', code: 'PGRST100' },
    { name: 'not twice', queryString: 'id=not.not.eq.1', code: 'PGRST100' },
    { name: 'an unknown is', queryString: 'id=is.5', code: 'PGRST100' },
    { name: 'a modifier that does not fit', queryString: 'id=neq(any).{1}', code: 'PGRST100' },
    { name: 'an unknown modifier', queryString: 'id=eq(some).{1}', code: 'PGRST100' },
    { name: 'in with a modifier', queryString: 'id=in(any).(1)', code: 'PGRST100' },
    { name: 'an unclosed list', queryString: 'id=in.(1', code: 'PGRST100' },
    { name: 'a filter of no embed', queryString: 'moons.name=eq.1', code: 'PGRST108' },
    { name: 'a limit of no embed', queryString: 'moons.limit=1', code: 'PGRST108' },
    { name: 'select twice', queryString: 'select=id&select=name', code: 'PGRST100' },
    { name: 'another schema', headers: { acceptProfile: 'auth' }, code: 'PGRST106' },
    { name: 'another schema for a write', headers: { contentProfile: 'auth' }, code: 'PGRST106' },
    { name: 'limit on a write', method: 'DELETE', queryString: 'limit=1', code: 'PGRST100' },
    { name: 'columns on a read', queryString: 'columns=id', code: 'PGRST100' },
    {
      name: 'a filter on POST',
      method: 'POST',
      queryString: 'id=eq.1',
      body: '{}',
      code: 'PGRST100',
    },
    { name: 'a key without column', method: 'POST', body: '{"nam":1}', code: 'PGRST204' },
    { name: 'a key with NUL', method: 'POST', body: '{"id\\u0000name":1}', code: 'PGRST204' },
    {
      name: 'an unknown name in columns',
      method: 'POST',
      queryString: 'columns=x',
      body: '{}',
      code: 'PGRST204',
    },
    {
      name: 'a column named twice',
      method: 'POST',
      queryString: 'columns=id,id',
      body: '{}',
      code: 'PGRST100',
    },
    {
      name: 'on_conflict without resolution',
      method: 'POST',
      queryString: 'on_conflict=id',
      body: '{}',
      code: 'PGRST100',
    },
    {
      name: 'PATCH with rows',
      method: 'PATCH',
      queryString: 'id=eq.1',
      body: '[{"id":1}]',
      code: 'PGRST102',
    },
    { name: 'POST without a body', method: 'POST', code: 'PGRST102' },
    {
      name: 'a body of text',
      method: 'POST',
      body: '{}',
      headers: { contentType: 'text/plain' },
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    { name: 'an unknown function', function: 'ad', code: 'PGRST202' },
    {
      name: 'an argument that no function has',
      function: 'add',
      queryString: 'c=1',
      code: 'PGRST202',
    },
    { name: 'a call by DELETE', function: 'add', method: 'DELETE', code: 'METHOD_NOT_ALLOWED' },
    {
      name: 'a function of a schema that is not exposed',
      function: 'add',
      headers: { acceptProfile: 'auth' },
      code: 'PGRST106',
    },
  ];
  test.each(rows)('$name is $code', ({ name: _name, code, ...request }) => {
    expect(() => compile(request)).toThrow(expect.objectContaining({ code }));
  });

  test('a misspelt name gets a hint, a blocked one is never the hint', () => {
    expect(() => compile({ table: 'planet' })).toThrow(
      expect.objectContaining({ hint: 'Perhaps you meant the table planets' }),
    );
    expect(() => compile({ queryString: 'select=nme' })).toThrow(
      expect.objectContaining({ hint: 'Perhaps you meant the column name' }),
    );
    expect(() => compile({ table: 'sesion' })).toThrow(
      expect.objectContaining({ hint: expect.not.stringContaining('session') }),
    );
  });
});

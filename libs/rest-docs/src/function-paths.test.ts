import { describe, expect, test } from 'vitest';

import { documentOf } from '../tests/sample-project.js';

const document = documentOf();

describe('a function', () => {
  test.each([
    { path: '/rpc/by_position', is: 'whose arguments have no names' },
    { path: '/rpc/variadic', is: 'with a variadic tail' },
    { path: '/rpc/full_name', is: 'of a row, which is a computed column' },
    { path: '/rpc/as_owner', is: 'that runs as its owner and is not allow-listed' },
  ])('$is is not there', ({ path }) => {
    expect(document.paths[path]).toBeUndefined();
  });

  test.each(['as_owner', 'public.as_owner'])('%s on the list is there', (name) => {
    expect(documentOf({ definerFunctions: [name] }).paths['/rpc/as_owner']).toBeDefined();
  });

  test('is read with GET and HEAD only when it is declared not to write', () => {
    expect(Object.keys(document.paths['/rpc/forget'] ?? {})).toEqual(['post']);
    expect(Object.keys(document.paths['/rpc/list'] ?? {})).toEqual(['get', 'head', 'post']);
  });

  test('shows the arguments of every overload, and of the readable ones for GET', () => {
    const item = document.paths['/rpc/add'];
    expect(item?.post?.requestBody?.content['application/json']?.schema.anyOf).toMatchObject([
      { properties: { a: {}, b: {} }, required: ['a'], additionalProperties: false },
      { properties: { a: {}, limit: {} }, required: ['a', 'limit'] },
    ]);
    const names = item?.get?.parameters?.map((each) => ('name' in each ? each.name : each.$ref));
    expect(names).toEqual(['a', 'b', '#/components/parameters/preferRead']);
  });

  test('an argument with the name of a parameter is quoted and stands beside it', () => {
    const parameters = document.paths['/rpc/window_of']?.get?.parameters ?? [];
    const names = parameters.map((each) => ('name' in each ? each.name : each.$ref));
    expect(names).toEqual([
      '"limit"',
      '"a.b"',
      '#/components/parameters/limit',
      '#/components/parameters/offset',
      '#/components/parameters/preferRead',
    ]);
  });

  test.each([
    { path: '/rpc/forget', status: '204', content: undefined },
    {
      path: '/rpc/list',
      status: '200',
      content: { type: 'array', items: { $ref: '#/components/schemas/authors' } },
    },
    {
      path: '/rpc/raw',
      status: '200',
      content: { type: 'object', properties: { id: { type: ['integer', 'null'] } } },
    },
  ])('$path answers with $status and its result', ({ path, status, content }) => {
    const response = document.paths[path]?.post?.responses[status];
    const shown = response && 'content' in response ? response.content : undefined;
    if (content === undefined) expect(shown).toBeUndefined();
    else expect(shown?.['application/json']?.schema).toMatchObject(content);
  });

  test('takes the body as its only argument when that has no name', () => {
    const body = document.paths['/rpc/raw']?.post?.requestBody;
    expect(body?.content['application/json']?.schema.properties).toBeUndefined();
  });
});

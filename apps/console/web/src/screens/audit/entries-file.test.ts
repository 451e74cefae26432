import { expect, test } from 'vitest';

import { hidden } from './changes.js';
import { fileOf } from './entries-file.js';
import type { Entry } from './queries.js';

const entry: Entry = {
  id: '7',
  at: '2030-01-31T12:00:00.000Z',
  actor: { id: 'op', name: '=cmd|x' },
  action: 'project.rename',
  organizationId: null,
  ref: 'shop',
  target: 'shop',
  before: { name: 'A "B", C' },
  after: { name: 'D', password: 'hunter2' },
  ip: '::1',
  requestId: 'r',
};

test('a file for spreadsheets has a line for each entry, and calculates nothing', () => {
  const [head, line, end] = fileOf([entry], 'csv').split('\r\n');
  expect(head).toBe(
    'id,at,actor,actorId,action,organizationId,ref,target,before,after,ip,requestId',
  );
  expect(line).toBe(
    `7,2030-01-31T12:00:00.000Z,'=cmd|x,op,project.rename,,shop,shop,"{""name"":""A \\""B\\"", C""}","{""name"":""D"",""password"":""${hidden}""}",::1,r`,
  );
  expect(end).toBe('');
});

test('a file for programs has the entries as they are, without secrets', () => {
  expect(JSON.parse(fileOf([entry], 'json'))).toEqual([
    {
      id: '7',
      at: '2030-01-31T12:00:00.000Z',
      actor: '=cmd|x',
      actorId: 'op',
      action: 'project.rename',
      organizationId: null,
      ref: 'shop',
      target: 'shop',
      before: { name: 'A "B", C' },
      after: { name: 'D', password: hidden },
      ip: '::1',
      requestId: 'r',
    },
  ]);
});

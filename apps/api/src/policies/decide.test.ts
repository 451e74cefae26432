import { expect, test } from 'vitest';

import { decide } from './decide.js';
import type { PolicyVerdict, RowCommand } from './try-result.js';

type Result = PolicyVerdict['result'];

const verdict = (
  policy: string,
  result: Result,
  isPermissive = true,
  command: RowCommand = 'select',
) => ({
  command,
  verdict: {
    policy,
    command: 'all' as const,
    clause: 'using' as const,
    isPermissive,
    result,
    message: result === 'error' ? 'broken' : null,
  },
});

test.each([
  { name: 'no policy refuses', found: [], kind: 'no-policy' },
  {
    name: 'restrictive policies alone refuse',
    found: [verdict('r', 'true', false)],
    kind: 'no-policy',
  },
  {
    name: 'one true policy allows',
    found: [verdict('a', 'false'), verdict('b', 'true')],
    kind: undefined,
  },
  { name: 'null is not true', found: [verdict('a', 'null')], kind: 'no-permissive' },
  {
    name: 'a restrictive policy that is null refuses',
    found: [verdict('a', 'true'), verdict('r', 'null', false)],
    kind: 'restrictive',
  },
  { name: 'an error refuses', found: [verdict('a', 'error')], kind: 'error' },
  {
    name: 'an error beside a true policy does not',
    found: [verdict('a', 'true'), verdict('b', 'error')],
    kind: undefined,
  },
  {
    name: 'an error of a restrictive policy does',
    found: [verdict('a', 'true'), verdict('r', 'error', false)],
    kind: 'error',
  },
] as const)('$name', ({ found, kind }) => {
  const { decision } = decide({ commands: ['select'], clause: 'using' }, found);
  expect(decision?.kind).toBe(kind);
});

test('each command must allow the row, and the first that does not decides', () => {
  const { decision, verdicts } = decide({ commands: ['update', 'select'], clause: 'using' }, [
    verdict('a', 'true', true, 'update'),
    verdict('b', 'false', true, 'select'),
  ]);
  expect(decision).toMatchObject({ kind: 'no-permissive', command: 'select', policies: ['b'] });
  expect(verdicts).toHaveLength(2);
});

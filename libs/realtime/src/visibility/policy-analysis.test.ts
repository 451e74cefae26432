import { expect, test } from 'vitest';

import { maxAnalyzedChars } from './conditions.js';
import { factsOf, type TableFacts } from './facts.js';
import { PolicyAnalysis } from './policy-analysis.js';

const own = '(owner = auth.uid())';
const tree = { nodes: ['OPEXPR', 'VAR'], hasWholeRow: false, hasOwnTypes: false };

/** A table with conditions that are all simple, and the number of times that they were read. */
function simpleTable(conditions: readonly string[]) {
  const columns = ['owner', 'text'].map((name) => ({ name, isReadable: true, type: 'text' }));
  const found = {
    name: 'notes',
    sqlName: 'public.notes',
    alias: 'notes',
    isSecured: true,
    isSelectable: true,
  };
  const rows = conditions.map((condition) => [true, condition]);
  const trees = conditions.map((condition) => ({
    ...tree,
    functions: condition === own ? ['uid'] : [],
  }));
  const facts = factsOf([
    JSON.stringify({ ...found, columns, conditions: rows }),
    'hash',
    JSON.stringify(trees),
  ]);
  if (!facts) throw new Error('No facts');
  let reads = 0;
  const counted: TableFacts = {
    ...facts,
    policies: facts.policies.map((policy) => ({
      ...policy,
      get condition() {
        reads += 1;
        return policy.condition;
      },
    })),
  };
  return { analysis: new PolicyAnalysis(counted), readsNow: () => reads };
}

test('policies are read once, however often their table is judged', () => {
  const { analysis, readsNow } = simpleTable([own]);
  const judge = () => [analysis.method, analysis.reads, analysis.program(analysis.method).text];
  const first = judge();
  const reads = readsNow();
  expect(first.slice(0, 2)).toEqual(['joined', { subject: true, claims: [] }]);
  expect(judge()).toEqual(first);
  expect(readsNow()).toBe(reads);
});

const filling = (length: number): string => `'${'x'.repeat(length - 2)}'`;
test.each([
  { name: 'as much text as is analyzed', more: 0, method: 'joined', reads: { subject: true } },
  { name: 'more text', more: 1, method: 'loop', reads: undefined },
])('policies with $name together are judged as $method', ({ more, method, reads }) => {
  const rest = maxAnalyzedChars - own.length - 100 + more;
  const { analysis } = simpleTable([own, filling(100), filling(rest)]);
  expect(analysis.method).toBe(method);
  expect(analysis.reads).toEqual(reads && { ...reads, claims: [] });
  // Without an analysis each column counts as read.
  const needed = more === 0 ? `array['owner']` : `array['owner', 'text']`;
  expect(analysis.program(analysis.method).text).toContain(`any (${needed}::pg_catalog.text[])`);
});

import { randomBytes } from 'node:crypto';

import { expect, test } from 'vitest';

import { callerKey, functionSecretsSeal } from './function-secrets.js';

const dataKey = randomBytes(32);
const seal = functionSecretsSeal('shop', dataKey);
const value = seal.close('WORD', 'a secret');

test.each([
  { name: 'opens under its own name', from: seal, as: 'WORD', opens: true },
  { name: 'does not open under another name', from: seal, as: 'OTHER', opens: false },
  {
    name: 'does not open in another project',
    from: functionSecretsSeal('other', dataKey),
    as: 'WORD',
    opens: false,
  },
  {
    name: 'does not open with another key',
    from: functionSecretsSeal('shop', randomBytes(32)),
    as: 'WORD',
    opens: false,
  },
])('a sealed value $name', ({ from, as, opens }) => {
  const unopened: string[] = [];
  const opened = from.openAll([{ name: as, value }], (name) => unopened.push(name));
  expect([opened, unopened]).toEqual(opens ? [{ [as]: 'a secret' }, []] : [{}, [as]]);
});

test('each project has a key of its own for the tokens of callers', () => {
  expect(callerKey(dataKey)).toBe(callerKey(dataKey));
  expect(callerKey(randomBytes(32))).not.toBe(callerKey(dataKey));
  expect(callerKey(dataKey)).not.toContain(dataKey.toString('base64url'));
});

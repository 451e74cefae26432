import { describe, expect, test } from 'vitest';

import { signAssertion, verifyAssertion } from './operator-assertion.js';
import { hashProjectKey, newProjectKey } from './project-key.js';
import { deriveKey, newDataKey, open, OpenSecretError, seal, sealingKey } from './seal.js';

describe('a sealed secret', () => {
  const key = sealingKey(newDataKey());

  test('opens with its key and in its place', () => {
    const envelope = seal(key, 'hunter22 ✓', 'project:abc/settings');
    expect(envelope).toMatch(new RegExp(`^v1\\.${key.id}\\.[\\w-]+$`));
    expect(open(key, envelope, 'project:abc/settings').toString()).toBe('hunter22 ✓');
  });

  test('is another envelope each time', () => {
    expect(seal(key, 'same', 'c')).not.toBe(seal(key, 'same', 'c'));
  });

  test.each([
    { name: 'with another key', change: (text: string) => text, context: 'c', other: true },
    { name: 'in another place', change: (text: string) => text, context: 'd' },
    { name: 'when it was cut', change: (text: string) => text.slice(0, -4), context: 'c' },
    {
      name: 'when it was changed',
      change: (text: string) => text.replace(/.$/, flipped),
      context: 'c',
    },
    { name: 'when it is no envelope', change: () => 'plain', context: 'c' },
    { name: 'when it is too short', change: () => `v1.${key.id}.AAAA`, context: 'c' },
  ])('does not open $name', ({ change, context, other }) => {
    const opening = other ? sealingKey(newDataKey()) : key;
    expect(() => open(opening, change(seal(key, 'secret', 'c')), context)).toThrow(OpenSecretError);
  });

  test('a key has 32 bytes', () => {
    expect(() => sealingKey(Buffer.alloc(16))).toThrow(RangeError);
  });
});

test('derived keys differ by purpose and are the same each time', () => {
  const from = newDataKey();
  expect(deriveKey(from, 'one')).toEqual(deriveKey(from, 'one'));
  expect(deriveKey(from, 'one')).not.toEqual(deriveKey(from, 'two'));
  expect(deriveKey(from, 'one')).toHaveLength(32);
});

test('project keys tell their kind and hash to what is stored', () => {
  expect(newProjectKey('secret')).toMatch(/^svc_secret_[\w-]{43}$/);
  expect(newProjectKey('publishable')).toMatch(/^svc_publishable_[\w-]{43}$/);
  expect(hashProjectKey('svc_secret_x')).toMatch(/^[0-9a-f]{64}$/);
});

describe('an operator assertion', () => {
  const key = Buffer.alloc(32, 1);
  const assertion = {
    ref: 'abc',
    operatorId: 'o',
    email: 'e',
    capabilities: ['content.read'],
    expiresAt: 160,
  };
  const expected = { ref: 'abc', nowSeconds: 100 };

  test('is read back while it lasts', () => {
    expect(verifyAssertion(key, signAssertion(key, assertion), expected)).toEqual(assertion);
  });

  test.each([
    { name: 'after its time', expected: { ref: 'abc', nowSeconds: 160 } },
    { name: 'when it would live longer than a minute', expected: { ref: 'abc', nowSeconds: 99 } },
    { name: 'for another project', expected: { ref: 'def', nowSeconds: 100 } },
  ])('is not accepted $name', ({ expected: other }) => {
    expect(verifyAssertion(key, signAssertion(key, assertion), other)).toBeUndefined();
  });

  test.each([
    { name: 'without signature', token: 'e30' },
    { name: 'with an empty signature', token: 'e30.' },
    { name: 'with a part too many', token: `${signAssertion(key, assertion)}.x` },
    { name: 'of another key', token: signAssertion(Buffer.alloc(32, 2), assertion) },
    { name: 'that is empty', token: '' },
  ])('$name is not accepted', ({ token }) => {
    expect(verifyAssertion(key, token, expected)).toBeUndefined();
  });
});

function flipped(letter: string): string {
  return letter === 'A' ? 'Q' : 'A';
}

import { describe, expect, test } from 'vitest';
import { readClaims, readSignUp, refusalOf } from './answers.js';

function nested(depth: number): unknown {
  return JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
}

describe('a refusal', () => {
  test.each([
    {
      rule: 'has its message',
      answer: { decision: 'reject', message: 'Members only' },
      text: 'Members only',
    },
    {
      rule: 'may be written as an error',
      answer: { error: { http_code: 400, message: 'No' } },
      text: 'No',
    },
    {
      rule: 'without a message has ours',
      answer: { decision: 'reject' },
      text: 'The sign-up was refused',
    },
    {
      rule: 'with an empty message has ours',
      answer: { error: { message: ' \n' } },
      text: 'The sign-up was refused',
    },
    {
      rule: 'with no text has ours',
      answer: { decision: 'reject', message: { a: 1 } },
      text: 'The sign-up was refused',
    },
    {
      rule: 'is cut at 200 characters',
      answer: { decision: 'reject', message: '🙂'.repeat(300) },
      text: '🙂'.repeat(200),
    },
    {
      rule: 'has no control characters',
      answer: { decision: 'reject', message: 'a\r\nb\0c\ud800' },
      text: 'a b c',
    },
    { rule: 'is not an answer that goes on', answer: { decision: 'continue' }, text: undefined },
    { rule: 'is not an answer without error', answer: { error: null }, text: undefined },
    { rule: 'is not a text', answer: 'reject', text: undefined },
    { rule: 'is not nothing', answer: undefined, text: undefined },
  ])('$rule', ({ answer, text }) => {
    expect(refusalOf(answer)).toBe(text);
  });
});

describe('what a sign-up hook adds', () => {
  const nothing = { app_metadata: {}, user_metadata: {} };
  test.each([
    { rule: 'is nothing without an answer', answer: undefined, value: nothing },
    { rule: 'is nothing with an empty one', answer: {}, value: nothing },
    { rule: 'is nothing with a bare consent', answer: { decision: 'continue' }, value: nothing },
    {
      rule: 'are its metadata',
      answer: { app_metadata: { plan: 'a' } },
      value: { app_metadata: { plan: 'a' }, user_metadata: {} },
    },
    {
      rule: 'are no other fields',
      answer: { role: 'ADMIN', user_metadata: { a: [1] } },
      value: { app_metadata: {}, user_metadata: { a: [1] } },
    },
  ])('$rule', ({ answer, value }) => {
    expect(readSignUp(answer)).toEqual({ kind: 'value', value });
  });

  test.each([
    { rule: 'a text', answer: 'yes' },
    { rule: 'a list', answer: [] },
    { rule: 'another decision', answer: { decision: 'maybe' } },
    { rule: 'metadata that are a list', answer: { app_metadata: [] } },
    { rule: 'metadata that are null', answer: { user_metadata: null } },
    { rule: 'a NUL in a value', answer: { app_metadata: { a: ['b\0'] } } },
    { rule: 'a NUL in a name', answer: { app_metadata: { 'a\0': 1 } } },
    { rule: 'half of a surrogate pair', answer: { app_metadata: { a: '\ud83d' } } },
    { rule: 'a value that is nested too deeply', answer: { app_metadata: nested(20_000) } },
  ])('cannot be $rule', ({ answer }) => {
    expect(readSignUp(answer)).toMatchObject({ kind: 'unusable' });
  });
});

describe('the claims of a token', () => {
  const claims = { iss: 'i', sub: 'u1', role: 'authenticated', aal: 'aal1', user_role: 'USER' };
  test.each([
    { rule: 'stay without an answer', answer: undefined, changed: claims },
    { rule: 'stay without claims', answer: {}, changed: claims },
    { rule: 'get new ones', answer: { claims: { team: 7 } }, changed: { ...claims, team: 7 } },
    {
      rule: 'are replaced',
      answer: { claims: { app_metadata: { plan: 'gold' } } },
      changed: { ...claims, app_metadata: { plan: 'gold' } },
    },
    { rule: 'that the answer repeats stay', answer: { claims: { ...claims } }, changed: claims },
  ])('$rule', ({ answer, changed }) => {
    expect(readClaims(answer, claims)).toEqual({
      kind: 'value',
      value: { claims: changed, ignored: [] },
    });
  });

  const reserved =
    `iss aud exp nbf iat jti sub role user_role email is_anonymous aal has_second_factor session_id
     org_id org_role team_id api_key_id api_key_permissions operator`.split(/\s+/);
  test.each(reserved)('the reserved claim %s stays as it is, or absent', (name) => {
    expect(readClaims({ claims: { [name]: 'changed', extra: 1 } }, claims)).toEqual({
      kind: 'value',
      value: { claims: { ...claims, extra: 1 }, ignored: [name] },
    });
  });

  test('a name of JavaScript is a claim like any other', () => {
    const read = readClaims(JSON.parse('{"claims":{"__proto__":{"role":"x"}}}'), claims);
    expect(Reflect.get(Object(read), 'value').claims.role).toBe('authenticated');
    expect(Reflect.get({}, 'role')).toBeUndefined();
  });

  test.each([
    { rule: 'a text', answer: 'claims' },
    { rule: 'a list', answer: { claims: [] } },
    { rule: 'a NUL', answer: { claims: { a: '\0' } } },
    { rule: 'a value that is nested too deeply', answer: { claims: { a: nested(100) } } },
  ])('cannot come from $rule', ({ answer }) => {
    expect(readClaims(answer, claims)).toMatchObject({ kind: 'unusable' });
  });
});

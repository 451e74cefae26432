import { expect, test } from 'vitest';
import { targetOf, withoutSecrets } from './hidden-values.js';

const head = { type: 'x', id: 'evt_1', createdAt: '2000-01-01T00:00:00.000Z', project: 'abc' };

test('of a message that is sent only the names of its values are kept', () => {
  const values = { code: '123456', url: 'https://a.test/?token=t', token: 't' };
  const data = { channel: 'email', to: 'a@b.test', values };
  expect(withoutSecrets('send', { ...head, data })).toEqual({
    ...head,
    data: {
      channel: 'email',
      to: 'a@b.test',
      values: { code: '(hidden)', url: '(hidden)', token: '(hidden)' },
    },
  });
});

test('of an event everything is kept but what signs in', () => {
  const at = new Date(0);
  const data = {
    session: { id: 's1', token: 'secret-1', createdAt: at },
    factors: [{ type: 'totp', secret: 'secret-2', backupCodes: ['secret-3'] }],
    user: { email: 'a@b.test', password: 'secret-4', app_metadata: { code: 'DE' } },
  };
  const kept = withoutSecrets('events', { ...head, data });
  expect(JSON.stringify(kept)).not.toContain('secret-');
  expect(kept.data).toMatchObject({
    session: { id: 's1', createdAt: at },
    factors: [{ type: 'totp' }],
    user: { email: 'a@b.test', app_metadata: { code: 'DE' } },
  });
});

test.each([
  {
    rule: 'a URL without its query and credentials',
    hook: { target: 'http', url: 'https://u:p@a.test/x?key=k#f' },
    target: 'https://a.test/x',
  },
  { rule: 'nothing for what is no URL', hook: { target: 'http', url: 'x' }, target: '' },
  {
    rule: 'the name of a function',
    hook: { target: 'function', functionName: 'public.f', url: 'https://a.test' },
    target: 'public.f',
  },
  {
    rule: 'the slug of an edge function',
    hook: { target: 'edge', edgeFunction: 'on-event', url: 'https://a.test' },
    target: 'on-event',
  },
] as const)('a target is $rule', ({ hook, target }) => {
  expect(targetOf(hook)).toBe(target);
});

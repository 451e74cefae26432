import { randomBytes } from 'node:crypto';

import { expect, test } from 'vitest';

import { resolveAll } from '#libs/settings';

import { MessageOutbox } from './message-outbox.js';
import { messageSeal } from './message-seal.js';

const settings = resolveAll({}, {});
const mail = {
  channel: 'email',
  kind: 'magicLink',
  to: 'a@example.org',
  values: { url: 'https://a.example/secret-link', code: '482913', expiresInMinutes: 10 },
} as const;

/** An outbox that tells in which order it works. */
function open() {
  const steps: string[] = [];
  const rows: (readonly unknown[])[] = [];
  const seal = messageSeal('abc', randomBytes(32));
  const outbox = new MessageOutbox({
    ref: 'abc',
    seal,
    db: {
      queryAsEngine: async (_text: string, values?: readonly unknown[]) => {
        steps.push('row');
        rows.push(values ?? []);
        return [];
      },
    },
    waiting: {
      note: async () => void steps.push('note'),
      addJobs: async () => void steps.push('job'),
    },
    canMail: () => true,
    onError: (error) => {
      throw error;
    },
  });
  return { outbox, seal, steps, rows };
}

test('the note is written before the row, and the job is added after the answer', async () => {
  const { outbox, steps } = open();
  const store = outbox.forEngine(settings);
  store.send(await store.store([mail]));
  // What is left of an answer takes a turn of the event loop.
  await new Promise((next) => setImmediate(next));
  expect(steps).toEqual(['note', 'row']);
  outbox.close();
});

test('what is stored shows no value, and opens in its own message alone', async () => {
  const { outbox, seal, rows } = open();
  const [id = ''] = await outbox.store([mail], settings);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const [ids, , , recipients, sealed] = rows[0] ?? [];
  expect([ids, recipients]).toEqual([[id], ['a@example.org']]);
  expect(JSON.stringify(rows)).not.toMatch(/482913|secret-link/);
  const text = String(Array.isArray(sealed) ? sealed[0] : '');
  expect(seal.open(id, text)).toEqual(mail.values);
  expect(() => seal.open('another', text)).toThrow();
});

test('nothing to send is a row all the same', async () => {
  const { outbox, rows, steps } = open();
  expect(await outbox.store([], settings)).toHaveLength(1);
  expect(steps).toEqual(['note', 'row']);
  expect(rows[0]?.[5]).toEqual(['void']);
});

test.each([
  { kind: 'secondFactor', life: settings['auth.twoFactor'].codeExpiresIn },
  { kind: 'signIn', life: settings['auth.phoneOtp'].expiresIn },
] as const)('an SMS of the kind $kind expires with its code', async ({ kind, life }) => {
  const { outbox, rows } = open();
  await outbox.store([{ channel: 'sms', kind, to: '+15551230000', code: '482913' }], settings);
  expect(rows[0]?.[6]).toEqual([life]);
});

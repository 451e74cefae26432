import { expect, test } from 'vitest';

import type { AuthMail, AuthMessage, MessageStore } from './auth-config.js';
import { inEngineTransaction, type EnginePool } from './engine-pool.js';
import { collectingMessages, outgoingMessages, storingPool } from './outgoing-messages.js';

const mail = (to: string) => ({ to }) as AuthMail; // The rest of a mail is not read here.
const sms = (code: string) => ({ kind: 'signIn', to: '+15550100', code }) as const;

/** A store that hands over `during` while it stores, and a pool that counts statements. */
function parts(during: () => Promise<void>) {
  const stored: AuthMessage[][] = [];
  const store: MessageStore = {
    canMail: () => true,
    hasSms: true,
    checkRoom: () => Promise.resolve(),
    async store(messages) {
      stored.push([...messages]);
      await during();
      return messages.map((_, at) => String(at));
    },
    send: () => undefined,
  };
  return { store, stored };
}

function poolThat(answers: (text: string) => void): EnginePool {
  const query = (text: string) => {
    answers(text);
    return Promise.resolve({ rows: [], rowCount: 0, command: 'SELECT' });
  };
  const client = { query, release: () => undefined };
  // The part of a pool that a transaction uses.
  return { connect: () => Promise.resolve(client), end: () => Promise.resolve() } as never;
}

const openRequest = () => ({ messages: [] as AuthMessage[], stored: [] as string[] });

test('a message that is handed over during a commit is kept for the next one', async () => {
  const outgoing = openRequest();
  await outgoingMessages.run(outgoing, async () => {
    const { store, stored } = parts(() => messages.mail(mail('second')));
    const messages = collectingMessages(store);
    await messages.mail(mail('first'));
    await inEngineTransaction(
      storingPool(
        poolThat(() => undefined),
        store,
      ),
      () => Promise.resolve(),
    );
    expect(stored).toEqual([[{ channel: 'email', to: 'first' }]]);
  });
  expect(outgoing).toEqual({ messages: [{ channel: 'email', to: 'second' }], stored: ['0'] });
});

test('messages of a commit that fails are handed over still', async () => {
  const outgoing = openRequest();
  await outgoingMessages.run(outgoing, async () => {
    const { store } = parts(() => Promise.resolve());
    await collectingMessages(store).sms?.(sms('1'));
    const failing = storingPool(
      poolThat((text) => {
        if (text === 'commit') throw new Error('serialization failure');
      }),
      store,
    );
    await expect(inEngineTransaction(failing, () => Promise.resolve())).rejects.toThrow('serial');
  });
  expect(outgoing).toEqual({ messages: [{ channel: 'sms', ...sms('1') }], stored: [] });
});

import { expect, test } from '@jest/globals';

import type { HookedMessage, MessagesDeps } from './project-messages.js';
import { ProjectMessages } from './project-messages.js';
import { resolveAll } from '#libs/settings';

const settings = resolveAll({ 'auth.hooks': { send: { enabled: true } } }, {});

/** Messages of a project whose hook delivers everything. */
function open(): { readonly messages: ProjectMessages; readonly sent: readonly HookedMessage[] } {
  const sent: HookedMessage[] = [];
  const unused = (): never => {
    throw new Error('the hook delivers everything');
  };
  // Only what a hook that delivers needs; the rest would throw.
  const deps = {
    settings: () => settings,
    sendByHook: async (message: HookedMessage) => sent.push(message) > 0,
    onError: unused,
  } as unknown as MessagesDeps;
  return { messages: new ProjectMessages(deps), sent };
}

test('the work on a mail begins after the answer that asked for it', async () => {
  const { messages, sent } = open();
  const engine = messages.forEngine(settings);
  await engine.mail({
    kind: 'magicLink',
    to: 'a@example.org',
    values: { url: 'x', expiresInMinutes: 1 },
  });
  // What is left of an answer takes a turn of the event loop.
  await new Promise((next) => setImmediate(next));
  expect(sent).toEqual([]);
  await messages.close();
  expect(sent).toMatchObject([{ to: 'a@example.org' }]);
});

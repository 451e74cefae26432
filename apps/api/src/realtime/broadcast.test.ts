import { expect, test } from 'vitest';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { broadcast } from './broadcast.js';

test('a refused request is not counted: others would have to wait for it', async () => {
  const counted: [count: number, sender: string][] = [];
  const realtime = {
    maxFrameBytes: 1_000,
    findRights: () => Promise.resolve({ role: 'anon', subject: '' }),
    async requireSending(_rights: unknown, topic: string) {
      if (topic !== 'open') throw fail('CHANNEL_REFUSED', { topic });
    },
    countMessages: (count: number, sender: string) => void counted.push([count, sender]),
    broadcast: () => undefined,
  };
  // What the request needs of a project.
  const project = { realtime } as unknown as ProjectRuntime;
  const send = (topic: string) =>
    broadcast(
      project,
      { credential: { kind: 'none' }, network: '203.0.113.9' },
      { messages: [{ topic, event: 'e', private: true }] },
    );
  await expect(send('shut')).rejects.toMatchObject({ code: 'CHANNEL_REFUSED' });
  expect(counted).toEqual([]);
  await send('open');
  expect(counted).toEqual([[1, 'anon at 203.0.113.9']]);
});

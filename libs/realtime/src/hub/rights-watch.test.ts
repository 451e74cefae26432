// Lookups whose answers come when the test says so.
import { expect, test } from 'vitest';

import type { Credential } from '#libs/wire';

import { Delivery } from './delivery.js';
import type { Frame } from './frame.js';
import { Member } from './member.js';
import { type Rights, unknownRights } from './rights.js';
import { RightsWatch } from './rights-watch.js';

const before: Credential = { kind: 'none' };
const after: Credential = { kind: 'none' };

function openWatch() {
  const frames: Frame[] = [];
  const ends: unknown[] = [];
  const socket = {
    id: 's',
    bufferedBytes: 0,
    send: (frame: Frame) => void frames.push(frame),
    close: (reason: unknown) => void ends.push(reason),
  };
  const timers: (() => void)[] = [];
  const answers = new Map<Credential, (rights: Rights | undefined) => void>();
  const watch = new RightsWatch({
    callers: {
      findRights: (credential) => new Promise((resolve) => answers.set(credential, resolve)),
    },
    clock: {
      now: () => 1_000,
      setTimer(_ms, work) {
        timers.push(work);
        return { cancel: () => undefined };
      },
    },
    now: () => 1_000,
    delivery: new Delivery(() => 1_000),
    onChange: () => Promise.resolve(),
    hold: () => undefined,
    release: () => Promise.resolve(),
    onError: (error) => {
      throw error;
    },
  });
  const member = new Member(socket, before, { ...unknownRights, expiresAt: 2_000 });
  watch.add(member);
  return { watch, member, frames, ends, timers, answers };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('at the end of its credential a member is asked for another one', async () => {
  const { member, frames, timers, answers } = openWatch();
  timers[0]?.();
  answers.get(before)?.(undefined);
  await settled();
  expect(member.isExpired).toBe(true);
  expect(frames.map(({ json }) => json)).toEqual([expect.stringContaining('TOKEN_EXPIRED')]);
});

test('a late answer about a credential that was replaced changes nothing', async () => {
  const { watch, member, frames, ends, timers, answers } = openWatch();
  timers[0]?.();
  const renewed = watch.renew(member, after);
  answers.get(after)?.({ ...unknownRights, expiresAt: 3_600_000 });
  await renewed;
  answers.get(before)?.(undefined);
  await settled();
  expect([member.isExpired, frames, ends]).toEqual([false, [], []]);
});

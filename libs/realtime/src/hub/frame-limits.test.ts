import { expect, test } from 'vitest';

import { FrameLimits } from './frame-limits.js';
import { Member } from './member.js';
import type { HubLimits } from './ports.js';
import { unknownRights } from './rights.js';

const socket = { id: 'a', bufferedBytes: 0, send: () => undefined, close: () => undefined };
const newMember = (): Member => new Member(socket, { kind: 'none' }, unknownRights);

test('the messages of others do not keep a client from leaving and from showing a token', () => {
  const own = { perSecond: 1, burst: 2 };
  const projectMessages = { perSecond: 1, burst: 2 };
  // The rates, of which alone it knows.
  const limits = { joins: own, messages: own, presence: own, projectMessages } as HubLimits;
  const frames = new FrameLimits({
    clock: { now: () => 0, setTimer: () => ({ cancel: () => undefined }) },
    limits: () => limits,
  });
  const [busy, quiet] = [newMember(), newMember()];
  frames.count(busy, 'rt:send');
  frames.count(busy, 'rt:send');
  expect(() => frames.count(quiet, 'rt:join')).toThrow('Too many requests');
  frames.count(quiet, 'rt:leave');
  frames.count(quiet, 'rt:token');
  expect(() => frames.count(quiet, 'rt:token')).toThrow('Too many requests');
});

// Reviews whose end a test decides, on a clock without timers.
import { expect, test } from 'vitest';

import { AccountReviews } from './account-reviews.js';
import { Member } from './member.js';
import { unknownRights } from './rights.js';

const socket = { id: 's', bufferedBytes: 0, send: () => undefined, close: () => undefined };

function openReviews() {
  const member = new Member(socket, { kind: 'none' }, unknownRights);
  const ends: (() => void)[] = [];
  const timers: number[] = [];
  const reviews = new AccountReviews({
    clock: {
      now: () => 1_000,
      setTimer(ms, work) {
        timers.push(ms);
        work();
        return { cancel: () => undefined };
      },
    },
    membersOf: () => [member],
    review: () => new Promise<void>((resolve) => ends.push(resolve)),
    hold: () => undefined,
    release: () => Promise.resolve(),
    onError: (error) => {
      throw error;
    },
  });
  return { reviews, member, ends, timers };
}

test('a member of two accounts is held until both are reviewed', async () => {
  const { reviews, member, ends } = openReviews();
  await reviews.changed('one', 1_250);
  await reviews.changed('other', 1_250);
  ends[0]?.();
  await reviews.settled('one');
  expect(member.isUnderReview).toBe(true);
  ends[1]?.();
  await reviews.settled('other');
  expect(member.isUnderReview).toBe(false);
});

test('when the time of the page is over, the feed does not wait for another account', async () => {
  const { reviews, member, timers } = openReviews();
  await reviews.changed('one', 1_250);
  expect(timers).toEqual([250]);
  await reviews.changed('other', 1_000);
  expect(timers).toEqual([250]);
  expect(member.reviews.size).toBe(2);
});

import { expect, test } from 'vitest';

import { deliveryRate } from './messages.js';
import { SharedRate } from './shared-rate.js';

function rateAt(clock: { now: number }) {
  const rate = new SharedRate(
    () => clock.now,
    () => ({ perSecond: 1_000, burst: 1_000 }),
  );
  /** Sends as often as it may; returns how often that was. */
  const sendAll = (sender: string): number => {
    let sent = 0;
    for (; rate.waitMs(sender) === 0; sent += 1) rate.take(1, sender);
    return sent;
  };
  return { rate, sendAll };
}

test('a sender alone takes all that a second has', () => {
  const clock = { now: 0 };
  const { sendAll } = rateAt(clock);
  expect(sendAll('a')).toBe(1_000);
  expect(sendAll('a')).toBe(0);
  clock.now = 100;
  expect(sendAll('a')).toBe(100);
});

test('a sender that takes everything leaves the others their shares', () => {
  const clock = { now: 0 };
  const { rate, sendAll } = rateAt(clock);
  const sent = { greedy: 0, calm: 0 };
  let refused = 0;
  for (; clock.now < 5_000; clock.now += 10) {
    sent.greedy += sendAll('greedy');
    // 400 in a second are less than its half.
    for (let count = 0; count < 4; count += 1) {
      if (rate.waitMs('calm') > 0) refused += 1;
      else rate.take(1, 'calm');
    }
    sent.calm += 4;
  }
  expect(refused).toBe(0);
  expect(sent.calm).toBe(2_000);
  // What the other leaves of 5,000, and the burst.
  expect(sent.greedy).toBeGreaterThan(3_700);
  expect(sent.greedy + sent.calm).toBeLessThanOrEqual(6_250);
});

test('senders that all want more get the same', () => {
  const clock = { now: 0 };
  const { rate } = rateAt(clock);
  const senders = ['a', 'b', 'c', 'd'];
  const sent = new Map<string, number>();
  for (; clock.now < 10_000; clock.now += 1) {
    for (const sender of senders) {
      if (rate.waitMs(sender) > 0) continue;
      rate.take(1, sender);
      sent.set(sender, (sent.get(sender) ?? 0) + 1);
    }
    // Each is the first one at times.
    senders.push(senders.shift() ?? '');
  }
  expect(sent.size).toBe(4);
  for (const count of sent.values()) {
    expect(count).toBeGreaterThan(2_400);
    expect(count).toBeLessThan(3_200);
  }
});

test('a sender that comes when another has taken everything does not wait', () => {
  const { rate, sendAll } = rateAt({ now: 0 });
  sendAll('greedy');
  expect(rate.waitMs('late')).toBe(0);
  // A quarter of the burst is kept, of which it has its half.
  expect(sendAll('late')).toBe(125);
  expect(rate.waitMs('late')).toBeGreaterThan(0);
});

test('a sender counts for a second', () => {
  const clock = { now: 0 };
  const { rate, sendAll } = rateAt(clock);
  for (let sender = 0; sender < 9; sender += 1) rate.take(1, `other ${sender}`);
  sendAll('greedy');
  expect(sendAll('late')).toBe(22);
  clock.now = 2_000;
  sendAll('greedy');
  expect(sendAll('late')).toBe(125);
});

test('senders that get nothing take nothing from the shares of others', () => {
  const clock = { now: 0 };
  const { rate, sendAll } = rateAt(clock);
  sendAll('greedy');
  sendAll('late');
  // All that is kept is taken, too, so none of these is let through.
  rate.take(125);
  for (let sender = 0; sender < 500; sender += 1) {
    expect(rate.waitMs(`idle ${sender}`)).toBeGreaterThan(0);
  }
  clock.now = 400;
  sendAll('greedy');
  expect(sendAll('late')).toBeGreaterThan(100);
});

test('several tokens are taken together or not at all', () => {
  const { rate } = rateAt({ now: 0 });
  rate.take(950, 'a');
  expect(rate.waitMs('a', 50)).toBe(0);
  expect(rate.waitMs('a', 60)).toBe(10);
  expect(rate.waitMs('b', 300)).toBe(0);
  expect(rate.waitMs('b', 301)).toBe(1);
});

/** A client that sends batches over HTTP, where a refusal names whole seconds. */
function batchSender(rate: SharedRate, clock: { now: number }, name: string, tokens: number) {
  let sent = 0;
  let nextAt = 0;
  return {
    sent: () => sent,
    trySend: (): void => {
      if (clock.now < nextAt) return;
      const waitMs = rate.waitMs(name, tokens);
      nextAt = clock.now + Math.max(1, Math.ceil(waitMs / 1_000)) * 1_000;
      if (waitMs > 0) return;
      rate.take(tokens, name);
      sent += 1;
    },
  };
}

test.each([
  { name: 'one that sends more than is kept', sizes: [300], fewest: 8 },
  { name: 'one that sends a whole burst', sizes: [1_000], fewest: 5 },
  { name: 'several that send whole bursts', sizes: [1_000, 1_000, 1_000], fewest: 3 },
])('batches get their turn beside a sender that takes all it can: $name', ({ sizes, fewest }) => {
  const clock = { now: 0 };
  const { rate, sendAll } = rateAt(clock);
  const senders = sizes.map((tokens, n) => batchSender(rate, clock, `batches ${n}`, tokens));
  let greedy = 0;
  for (; clock.now < 20_000; clock.now += 10) {
    greedy += sendAll('greedy');
    for (const { trySend } of senders) trySend();
  }
  for (const { sent } of senders) expect(sent()).toBeGreaterThanOrEqual(fewest);
  const batched = senders.reduce((sum, { sent }, n) => sum + sent() * (sizes[n] ?? 0), 0);
  // Its share is an equal part, and it takes what the others leave.
  expect(greedy).toBeGreaterThan((20_000 / (sizes.length + 1)) * 0.9);
  expect(greedy + batched).toBeLessThanOrEqual(21_250);
});

test('a turn that nobody takes ends', () => {
  const clock = { now: 0 };
  const { rate, sendAll } = rateAt(clock);
  sendAll('greedy');
  expect(rate.waitMs('batches', 1_000)).toBe(750);
  clock.now = 2_700;
  // Until then it has no more than its share.
  expect(sendAll('greedy')).toBe(125);
  clock.now = 2_751;
  expect(sendAll('greedy')).toBeGreaterThan(875);
});

test('a sender beyond its share gets no turn for its batches', () => {
  const clock = { now: 0 };
  const { rate, sendAll } = rateAt(clock);
  sendAll('greedy');
  expect(rate.waitMs('greedy', 600)).toBe(600);
  sendAll('late');
  clock.now = 500;
  expect(sendAll('late')).toBeGreaterThan(350);
});

const deliveriesAt = (now: () => number) => new SharedRate(now, () => deliveryRate);

test('100,000 deliveries at once and in a second, of which the last message is sent whole', () => {
  let now = 0;
  const deliveries = deliveriesAt(() => now);
  const sendAll = (): number => {
    let messages = 0;
    for (; deliveries.waitMs('a') === 0; messages += 1) deliveries.take(300, 'a');
    return messages;
  };
  expect(sendAll()).toBe(334);
  expect(deliveries.waitMs('a')).toBe(3);
  now = 1_000;
  expect(sendAll()).toBe(333);
  now = 60_000;
  expect(sendAll()).toBe(334);
});

test('a message with more receivers than are left is paid for later', () => {
  let now = 0;
  const deliveries = deliveriesAt(() => now);
  deliveries.take(150_000, 'a');
  now = 400;
  expect(deliveries.waitMs('a')).toBe(101);
  now = 501;
  expect(deliveries.waitMs('a')).toBe(0);
});

test('a client that has sent little sends while another has used everything up', () => {
  const deliveries = deliveriesAt(() => 0);
  while (deliveries.waitMs('greedy') === 0) deliveries.take(1_000, 'greedy');
  expect(deliveries.waitMs('calm')).toBe(0);
});

test('whatever SQL and other processes send, senders wait for little more than a second at most', () => {
  let now = 0;
  const deliveries = deliveriesAt(() => now);
  for (let count = 0; count < 10; count += 1) deliveries.take(1_000_000);
  expect(deliveries.waitMs('a')).toBe(1_001);
  now = 1_001;
  expect(deliveries.waitMs('a')).toBe(0);
});

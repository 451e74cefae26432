import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { watchStall } from './stall-watch.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test.each([
  {
    name: 'bytes that stop while the store is waited for',
    step: 0,
    isWaiting: true,
    isStall: true,
  },
  { name: 'bytes that move', step: 1, isWaiting: true, isStall: false },
  { name: 'bytes that stop because of the other side', step: 0, isWaiting: false, isStall: false },
])('$name: stalled is $isStall', ({ step, isWaiting, isStall }) => {
  let bytes = 0;
  const onStall = jest.fn();
  const end = watchStall({
    limitMs: 1000,
    progress: () => (bytes += step),
    waitsForStore: () => isWaiting,
    onStall,
  });
  jest.advanceTimersByTime(5000);
  end();
  expect(onStall).toHaveBeenCalledTimes(isStall ? 1 : 0);
});

test('a watch that has ended tells nothing', () => {
  const onStall = jest.fn();
  watchStall({ limitMs: 1000, progress: () => 0, waitsForStore: () => true, onStall })();
  jest.advanceTimersByTime(5000);
  expect(onStall).not.toHaveBeenCalled();
});

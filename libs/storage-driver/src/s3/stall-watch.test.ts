import { afterEach, beforeEach, expect, vi, test } from 'vitest';
import { watchStall } from './stall-watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
  const onStall = vi.fn();
  const end = watchStall(
    1000,
    () => (bytes += step),
    () => isWaiting,
    onStall,
  );
  vi.advanceTimersByTime(5000);
  end();
  expect(onStall).toHaveBeenCalledTimes(isStall ? 1 : 0);
});

test('a watch that has ended tells nothing', () => {
  const onStall = vi.fn();
  watchStall(
    1000,
    () => 0,
    () => true,
    onStall,
  )();
  vi.advanceTimersByTime(5000);
  expect(onStall).not.toHaveBeenCalled();
});

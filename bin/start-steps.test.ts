import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openLog } from './log.js';
import { StartSteps } from './start-steps.js';

const lines: Record<string, unknown>[] = [];
/** What was logged since the last look, without level and time. */
const newLines = () => lines.splice(0).map(({ level: _level, time: _time, ...rest }) => rest);
const steps = () =>
  new StartSteps(openLog('info', { write: (line) => lines.push(JSON.parse(line)) }));

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a first start says each step when it begins, and at the end how long each took', () => {
  const start = steps();
  expect(newLines()).toEqual([]);
  start.begin('database', 'the database in ./data');
  expect(newLines()).toEqual([{ step: 'database', msg: 'starting: the database in ./data' }]);
  vi.advanceTimersByTime(61_200);
  start.begin('projects', 'the demo project');
  expect(newLines()).toEqual([{ step: 'projects', msg: 'starting: the demo project' }]);
  vi.advanceTimersByTime(7_800);
  start.end();
  expect(newLines()).toEqual([
    { ms: 69_000, steps: { database: 61_200, projects: 7_800 }, msg: 'started in 69.0 s' },
  ]);
});

test('a start that fails in a step has said which, and no times', () => {
  steps().begin('database', 'the database of DATABASE_URL');
  vi.advanceTimersByTime(1_000);
  expect(newLines()).toEqual([{ step: 'database', msg: 'starting: the database of DATABASE_URL' }]);
});

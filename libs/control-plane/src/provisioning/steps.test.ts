import { expect, test } from 'vitest';
import { runSteps, sideBySide, UndoFailedError, type Step } from './steps.js';

function recorded(log: string[], name: string, fails?: 'run' | 'undo'): Step {
  const act = async (what: 'run' | 'undo'): Promise<void> => {
    log.push(`${what} ${name}`);
    if (fails === what) throw new Error(`${what} ${name} failed`);
  };
  return { name, run: () => act('run'), undo: () => act('undo') };
}

test('steps run in their order', async () => {
  const log: string[] = [];
  await runSteps([recorded(log, 'a'), recorded(log, 'b')]);
  expect(log).toEqual(['run a', 'run b']);
});

test('a failing step and those before it are taken back in reverse order', async () => {
  const log: string[] = [];
  const steps = [recorded(log, 'a'), recorded(log, 'b', 'run'), recorded(log, 'c')];
  await expect(runSteps(steps)).rejects.toThrow('run b failed');
  expect(log).toEqual(['run a', 'run b', 'undo b', 'undo a']);
});

test('taking back stops where it fails, and both errors are kept', async () => {
  const log: string[] = [];
  const steps = [recorded(log, 'a'), recorded(log, 'b', 'undo'), recorded(log, 'c', 'run')];
  const error: unknown = await runSteps(steps).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UndoFailedError);
  expect(error).toMatchObject({
    cause: new Error('run c failed'),
    undoError: new Error('undo b failed'),
  });
  expect(log).not.toContain('undo a');
});

test('steps side by side begin at once, and are taken back in reverse order', async () => {
  const log: string[] = [];
  const both = sideBySide('both', [recorded(log, 'a'), recorded(log, 'b')]);
  await expect(runSteps([both, recorded(log, 'c', 'run')])).rejects.toThrow('run c failed');
  expect(log).toEqual(['run a', 'run b', 'run c', 'undo c', 'undo b', 'undo a']);
});

test('a failure side by side waits for the other steps before it is taken back', async () => {
  const log: string[] = [];
  const slow: Step = {
    ...recorded(log, 'slow'),
    async run() {
      await new Promise((resolve) => setImmediate(resolve));
      log.push('slow has run');
    },
  };
  const both = sideBySide('both', [slow, recorded(log, 'b', 'run')]);
  await expect(runSteps([both])).rejects.toThrow('run b failed');
  expect(log).toEqual(['run b', 'slow has run', 'undo b', 'undo slow']);
});

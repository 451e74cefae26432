import { expect, test } from 'vitest';

import { RunningScripts } from './running-scripts.js';

const id = '11111111-1111-4111-8111-11111111111a';

test('a script is cancelled by its author alone, in either case of letters', () => {
  const scripts = new RunningScripts();
  const script = scripts.start('operator:1', id);
  expect(scripts.cancel('operator:2', id)).toBe(false);
  expect(script.signal.aborted).toBe(false);
  expect(scripts.cancel('operator:1', id.toUpperCase())).toBe(true);
  expect(script.signal.aborted).toBe(true);
});

test('an id is free again when its script has ended', () => {
  const scripts = new RunningScripts();
  {
    using _script = scripts.start('operator:1', id);
    expect(() => scripts.start('operator:1', id)).toThrow('is running');
    using _other = scripts.start('operator:2', id);
  }
  expect(scripts.cancel('operator:1', id)).toBe(false);
  using _again = scripts.start('operator:1', id);
});

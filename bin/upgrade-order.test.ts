import { expect, test } from 'vitest';
import { readUpgradeOrder } from './upgrade-order.js';

const fleet = {
  kind: 'fleet',
  withSnapshots: undefined,
  throughWave: undefined,
  resumes: false,
  skips: [],
};

test.each([
  { args: [], order: fleet },
  { args: ['--canary', 'shop'], order: { kind: 'canary', ref: 'shop' } },
  { args: ['--undo', 'shop'], order: { kind: 'undo', ref: 'shop' } },
  { args: ['--confirm', 'shop'], order: { kind: 'confirm', ref: 'shop' } },
  { args: ['--confirm', 'all'], order: { kind: 'confirm', ref: undefined } },
  { args: ['--status'], order: { kind: 'status' } },
  { args: ['--wave', '2'], order: { ...fleet, throughWave: 2 } },
  { args: ['--resume', '--snapshot'], order: { ...fleet, resumes: true, withSnapshots: true } },
  { args: ['--no-snapshot'], order: { ...fleet, withSnapshots: false } },
  { args: ['--skip', 'shop', '--skip', 'cafe'], order: { ...fleet, skips: ['shop', 'cafe'] } },
])('rowhouse upgrade $args', ({ args, order }) => {
  expect(readUpgradeOrder(args, 4)).toEqual(order);
});

test.each([
  {
    args: ['--canary'],
    line: "Option '--canary <value>' argument missing; see rowhouse --help",
  },
  { args: ['shop'], line: "Unexpected argument 'shop'" },
  { args: ['--all'], line: "Unknown option '--all'; see rowhouse --help" },
  { args: ['--wave', '5'], line: '--wave must be a whole number from 1 to 4, not "5"' },
  { args: ['--wave', 'two'], line: '--wave must be a whole number from 1 to 4, not "two"' },
  {
    args: ['--canary', 'shop', '--snapshot'],
    line: '--canary cannot be given with another option of rowhouse upgrade',
  },
  {
    args: ['--snapshot', '--no-snapshot'],
    line: '--snapshot cannot be given with --no-snapshot',
  },
  {
    args: ['--status', '--resume'],
    line: '--status cannot be given with another option of rowhouse upgrade',
  },
])('rowhouse upgrade $args is refused', ({ args, line }) => {
  expect(() => readUpgradeOrder(args, 4)).toThrow(line);
});

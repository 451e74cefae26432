import type { SoakResult } from './run-soak.js';

/** The table at the end of a long run. */
export function reportOf({ tally, seconds, memory, violations }: SoakResult): string {
  const rows = [...tally.byStep].map(([step, { granted, refused }]) =>
    line(step, granted + refused, refused),
  );
  const refusals = [...tally.byStep.values()].reduce((sum, { refused }) => sum + refused, 0);
  const curve = Object.entries(memory).map(
    ([when, { heapMb, rssMb }]) => `${when}: heap ${heapMb} MB, process ${rssMb} MB`,
  );
  return [
    line('step', 'requests', 'refused as expected'),
    ...rows,
    line('all', tally.total, refusals),
    `${Math.round(seconds)} s, ${Math.round(tally.total / seconds)} requests/s`,
    ...curve,
    `${violations.length} violations`,
    '',
  ].join('\n');
}

function line(step: string, requests: number | string, refused: number | string): string {
  return `${step.padEnd(24)}${String(requests).padStart(10)}${String(refused).padStart(22)}`;
}

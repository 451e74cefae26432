import { isRecord } from '#libs/wire';
import type { Steps } from './steps.js';

/**
 * Returns the text of `JSON.stringify(value)`, in steps: one for each member of objects nested less than `depth` deep.
 * Deeper members are written at once, as are arrays and objects with `toJSON`.
 */
export function* jsonText(value: object, depth: number): Steps<string> {
  if (depth === 0 || !isDivided(value)) return JSON.stringify(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = isDivided(member) ? yield* jsonText(member, depth - 1) : textOf(member);
    if (text === undefined) continue;
    members.push(`${JSON.stringify(key)}:${text}`);
    yield;
  }
  return `{${members.join(',')}}`;
}

/** Undefined for values that JSON cannot express; the type of `JSON.stringify` leaves that out. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value) as string | undefined;
}

function isDivided(value: unknown): value is object {
  return isRecord(value) && !('toJSON' in value);
}

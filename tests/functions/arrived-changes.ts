// The calls of triggers as their receivers have them.
import { asRecord } from '../support/deployment.js';
import { type Change, deletedVersion, keyOf } from './change-writers.js';

export const arrivalsSql = `
create table public.arrivals (
  place bigint generated always as identity primary key, delivery text not null, body json not null
);`;

/** A function that keeps its calls in the table `arrivals`. */
export const recorder = `
Deno.serve(async (request) => {
  const delivery = request.headers.get('x-rowhouse-delivery');
  const answer = await fetch(Deno.env.get('SUPABASE_URL') + '/api/rest/v1/arrivals', {
    method: 'POST',
    headers: { apikey: Deno.env.get('KEY'), 'content-type': 'application/json' },
    body: JSON.stringify({ delivery, body: await request.json() }),
  });
  const text = await answer.text();
  if (!answer.ok) console.error(answer.status, text);
  return new Response(null, { status: answer.ok ? 204 : 500 });
});`;

export interface Arrival extends Change {
  readonly delivery: string;
  readonly note: string;
}

/** What a call of a trigger says. */
export function arrivalOf(delivery: string, body: unknown): Arrival {
  const { type, record, old_record: old } = asRecord(body);
  const isDeletion = type === 'DELETE';
  const { id, version, note } = asRecord(isDeletion ? old : record);
  return {
    delivery,
    id: String(id),
    version: isDeletion ? deletedVersion : Number(version),
    note: String(note),
  };
}

/** Changes that have first arrived after a later one of their row. */
export function disordered(arrivals: readonly Arrival[]): readonly Arrival[] {
  const latest = new Map<string, number>();
  const known = new Set<string>();
  return arrivals.filter((arrival) => {
    const { id, version } = arrival;
    if (known.has(keyOf(arrival))) return false;
    known.add(keyOf(arrival));
    const before = latest.get(id) ?? -1;
    latest.set(id, Math.max(before, version));
    return version < before;
  });
}

// What was refused, in words.
import type { Refusal } from './queries.js';

const frames: Readonly<Record<string, string>> = {
  connect: 'Connecting',
  'rt:join': 'Joining',
  'rt:leave': 'Leaving',
  'rt:send': 'Sending to',
  'rt:track': 'Tracking presence in',
  'rt:untrack': 'Ending presence in',
  'rt:token': 'A new token',
};

/** What the client wanted, or what the server has ended. */
export function refusalTitle({
  kind,
  event,
  topic,
}: Pick<Refusal, 'kind' | 'event' | 'topic'>): string {
  if (kind === 'ended') return topic === undefined ? 'Connection ended' : `Channel ${topic} ended`;
  const wanted = frames[event ?? ''] ?? event ?? 'A frame';
  // A connection that is refused has joined nothing; the inspector knows what it would have joined.
  if (event === 'connect') return topic === undefined ? wanted : `${wanted}, to join ${topic}`;
  return topic === undefined ? `${wanted} a channel` : `${wanted} ${topic}`;
}

/** Who the client is. */
export function refusedClient({
  role,
  user,
  client,
}: Pick<Refusal, 'role' | 'user' | 'client'>): string {
  if (client === undefined) return 'Not connected';
  const who =
    user ?? (role === 'anon' ? 'a visitor' : role === 'service_role' ? 'a secret key' : '');
  const by = client.startsWith('inspector-') ? ' (console)' : '';
  return `${who === '' ? (role ?? 'unknown') : who}${by}, connection ${client}`;
}

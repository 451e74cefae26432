import type {
  RealtimePresence,
  RealtimePresenceJoin,
  RealtimePresenceLeave,
  RealtimePresenceState,
} from './types.js';

/** From one state of presence to the next: who has come, and who has gone. A client that tracks again does both. */
export function comparePresence(
  before: RealtimePresenceState,
  after: RealtimePresenceState,
): readonly (RealtimePresenceJoin | RealtimePresenceLeave)[] {
  // A key may be any text, `__proto__` as well, so fields are not looked up by name.
  const old = new Map(Object.entries(before));
  const now = new Map(Object.entries(after));
  const joins = [...now].map(([key, presences]): RealtimePresenceJoin => {
    const currentPresences = old.get(key) ?? [];
    const newPresences = without(presences, currentPresences);
    return { event: 'join', key, currentPresences, newPresences };
  });
  const leaves = [...old].map(([key, presences]): RealtimePresenceLeave => {
    const currentPresences = now.get(key) ?? [];
    const leftPresences = without(presences, currentPresences);
    return { event: 'leave', key, currentPresences, leftPresences };
  });
  return [
    ...joins.filter(({ newPresences }) => newPresences.length > 0),
    ...leaves.filter(({ leftPresences }) => leftPresences.length > 0),
  ];
}

function without(
  presences: readonly RealtimePresence[],
  others: readonly RealtimePresence[],
): readonly RealtimePresence[] {
  const refs = new Set(others.map(({ presence_ref }) => presence_ref));
  return presences.filter(({ presence_ref }) => !refs.has(presence_ref));
}

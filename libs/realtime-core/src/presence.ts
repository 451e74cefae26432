// What is tracked in one topic, over all processes, as a value: changes make the next state. A member is a socket of a
// node (a process of the deployment), because a node that has died takes its sockets along.
import { fail } from '#libs/errors';
import type { JsonRecord } from '#libs/wire';

import { invalidFrame } from './fields.js';

/** A socket of a node. */
export interface Member {
  readonly node: string;
  readonly socket: string;
}

/** What a member tracks. */
export interface Tracked {
  /** The name under which others see it; several members may share one. */
  readonly key: string;
  /** Names this tracking: another one after each `rt:track`. */
  readonly ref: string;
  /** Text of a JSON object: objects of small lists take many times as much memory. */
  readonly payload: string;
}

/** The state of a topic: what each socket of each node tracks, in the order of the first tracking. */
export type Presence = ReadonlyMap<string, ReadonlyMap<string, Tracked>>;

export const emptyPresence: Presence = new Map();

export type PresenceChange =
  | { readonly kind: 'track'; readonly member: Member; readonly tracked: Tracked }
  /** The member untracks, leaves the channel or is disconnected. */
  | { readonly kind: 'untrack'; readonly member: Member }
  /** Everything that a node tracks, in place of what was known of it. */
  | { readonly kind: 'node'; readonly node: string; readonly members: ReadonlyMap<string, Tracked> }
  /** The node has ended or died. */
  | { readonly kind: 'node-gone'; readonly node: string };

/**
 * The state after the changes, in their order; the same object if they change nothing. Maps are copied once for all of
 * them, so a caller applies the changes of a moment together.
 */
export function changePresence(presence: Presence, changes: readonly PresenceChange[]): Presence {
  const next = new Map(presence);
  const copies = new Map<string, Map<string, Tracked>>();
  let isChanged = false;
  const membersOf = (node: string): Map<string, Tracked> => {
    const members = copies.get(node) ?? new Map(next.get(node));
    copies.set(node, members);
    next.set(node, members);
    isChanged = true;
    return members;
  };
  for (const change of changes) {
    switch (change.kind) {
      case 'track':
        membersOf(change.member.node).set(change.member.socket, change.tracked);
        break;
      case 'untrack': {
        const { node, socket } = change.member;
        if (next.get(node)?.has(socket) !== true) break;
        const members = membersOf(node);
        members.delete(socket);
        if (members.size === 0) removeNode(node);
        break;
      }
      case 'node':
        removeNode(change.node);
        for (const [socket, tracked] of change.members) membersOf(change.node).set(socket, tracked);
        break;
      case 'node-gone':
        removeNode(change.node);
        break;
    }
  }
  return isChanged ? next : presence;

  function removeNode(node: string): void {
    copies.delete(node);
    if (next.delete(node)) isChanged = true;
  }
}

/** A state as clients receive it: what is tracked, by key. */
export type PresenceState = Readonly<Record<string, readonly PresenceEntry[]>>;
export type PresenceEntry = JsonRecord & { readonly presence_ref: string };

/** The full state as it is sent. Keys and entries are in the order of nodes, and in each of the first tracking. */
export function presenceState(presence: Presence): PresenceState {
  const byKey = new Map<string, PresenceEntry[]>();
  for (const members of presence.values()) {
    for (const { key, ref, payload } of members.values()) {
      // Made from an object by `presencePayload`.
      const entry = { ...(JSON.parse(payload) as JsonRecord), presence_ref: ref };
      const entries = byKey.get(key);
      if (entries) entries.push(entry);
      else byKey.set(key, [entry]);
    }
  }
  // A key may be any text, `__proto__` as well: entries define a field, an assignment would not.
  return Object.fromEntries(byKey);
}

export interface PresenceLimits {
  /** Of the payload as JSON, in UTF-8. */
  readonly maxBytes: number;
  readonly maxFields: number;
}

/** The text of a payload. Throws PRESENCE_TOO_LARGE and INVALID_FRAME for one over the limits. */
export function presencePayload(payload: JsonRecord, limits: PresenceLimits): string {
  if (Object.keys(payload).length > limits.maxFields) {
    throw invalidFrame('payload', `must have at most ${limits.maxFields} fields`);
  }
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > limits.maxBytes) {
    throw fail('PRESENCE_TOO_LARGE', { maxBytes: limits.maxBytes });
  }
  return text;
}

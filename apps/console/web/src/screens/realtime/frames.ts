// What the server sends to a listener, as lines of the log.
import type { LogEntry } from './log.js';

/** What is tracked in a channel, by key. */
export type PresenceState = Readonly<Record<string, readonly object[]>>;

export interface ChangesFrame {
  readonly e: readonly {
    readonly id: string;
    readonly d: {
      readonly table: string;
      readonly eventType: string;
      readonly new: object;
      readonly old: object;
      readonly commit_timestamp: string;
    };
  }[];
  readonly cur?: string;
}

export interface MessageFrame {
  readonly event: string;
  readonly payload: unknown;
}

export interface PresenceFrame {
  readonly state: PresenceState;
}

export interface SystemFrame {
  /** The topic; absent: the connection. */
  readonly t?: string;
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

/** The frames by their events. */
export type Frame =
  | { readonly event: 'rt:pg'; readonly frame: ChangesFrame }
  | { readonly event: 'rt:msg'; readonly frame: MessageFrame }
  | { readonly event: 'rt:presence'; readonly frame: PresenceFrame }
  | { readonly event: 'rt:system'; readonly frame: SystemFrame };

/** The part of an entry that a frame decides. */
export type Line = Pick<LogEntry, 'kind' | 'isBad' | 'title' | 'preview' | 'content'> & {
  readonly writtenAt?: number;
};

type Change = ChangesFrame['e'][number]['d'];

export function changeLine(change: Change): Line {
  const { table, eventType } = change;
  const row = eventType === 'DELETE' ? change.old : change.new;
  return {
    kind: 'change',
    isBad: false,
    title: `${eventType} ${table}`,
    preview: JSON.stringify(row),
    content: change,
    writtenAt: Date.parse(change.commit_timestamp),
  };
}

export function messageLine({ event, payload }: MessageFrame): Line {
  const preview = JSON.stringify(payload);
  return { kind: 'message', isBad: false, title: event, preview, content: { event, payload } };
}

/** Undefined if nothing has changed but the references, as when a client comes back. */
export function presenceLine(before: PresenceState, after: PresenceState): Line | undefined {
  const [keysBefore, keysAfter] = [Object.keys(before), Object.keys(after)];
  const joined = keysAfter.filter((key) => !keysBefore.includes(key));
  const left = keysBefore.filter((key) => !keysAfter.includes(key));
  const changed = keysAfter.filter(
    (key) => keysBefore.includes(key) && payloads(before[key]) !== payloads(after[key]),
  );
  const parts = [
    ...(joined.length > 0 ? [`joined: ${joined.join(', ')}`] : []),
    ...(left.length > 0 ? [`left: ${left.join(', ')}`] : []),
    ...(changed.length > 0 ? [`changed: ${changed.join(', ')}`] : []),
  ];
  if (parts.length === 0) return undefined;
  const title = `${keysAfter.length} present`;
  return { kind: 'presence', isBad: false, title, preview: parts.join('; '), content: after };
}

/** The distinct payloads of a key without their references. */
function payloads(members: readonly object[] = []): string {
  const texts = members.map((member) => JSON.stringify({ ...member, presence_ref: undefined }));
  return JSON.stringify([...new Set(texts)].sort());
}

export function channelLine(title: string, preview: string, isBad: boolean): Line {
  return { kind: 'channel', isBad, title, preview, content: { title, message: preview } };
}

// The listeners of the inspector, and the log of what they receive.
import {
  changeLine,
  channelLine,
  type Frame,
  type Line,
  messageLine,
  presenceLine,
  type PresenceState,
} from './frames.js';
import { type Listener, type ListenerChoice, listenerBody } from './listener.js';
import { type LogEntry, maxEntries, type Times } from './log.js';
import { ServerClock } from './server-clock.js';
import type { InspectorEvent } from './stream.js';
import { Streams, type Wanted } from './streams.js';

export type ListenerState =
  | { readonly kind: 'joining' }
  /** `isWarming`: changes may be missing until the transactions that were open have ended. */
  | { readonly kind: 'joined'; readonly isWarming: boolean }
  | {
      readonly kind: 'refused' | 'ended';
      readonly code: string;
      readonly message: string;
      readonly hint: string | undefined;
    };

export interface ListenerView {
  readonly listener: Listener;
  readonly state: ListenerState;
  readonly present: PresenceState;
  /** Changes and messages. */
  readonly received: number;
}

export interface InspectionView {
  readonly listeners: readonly ListenerView[];
  /** The newest first. */
  readonly entries: readonly LogEntry[];
  /** Why nothing is received; undefined while all is well. */
  readonly problem: unknown;
}

/** The page is drawn at most this often. */
const drawMs = 100;
/** Changes that are remembered, so that a change that comes twice is shown once. */
const maxSeen = 5_000;

interface Kept extends ListenerView {
  /** Up to which the changes have been received. */
  readonly cursor: string | undefined;
  readonly seen: Set<string>;
}

type Note = (line: Line | undefined) => void;
type EventOf<Kind extends InspectorEvent['kind']> = Extract<
  InspectorEvent,
  { readonly kind: Kind }
>;

export class Inspection {
  readonly #streams: Streams;
  readonly #clock = new ServerClock();
  readonly #watchers = new Set<() => void>();
  readonly #kept = new Map<number, Kept>();
  #view: InspectionView = { listeners: [], entries: [], problem: undefined };
  #entries: readonly LogEntry[] = [];
  /** Entries that are not drawn yet. */
  #added: LogEntry[] = [];
  #problem: unknown;
  #lastId = 0;
  #lastSeq = 0;
  #drawing: number | undefined;

  constructor(ref: string) {
    this.#streams = new Streams(ref, {
      wanted: () => this.#wanted(),
      onEvent: (id, event) => this.#take(id, event),
      onProblem: (problem) => {
        this.#problem = problem;
        this.#drawSoon();
      },
    });
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly view = (): InspectionView => this.#view;

  join(choice: ListenerChoice): void {
    const id = (this.#lastId += 1);
    const presenceKey = `console-${Math.random().toString(36).slice(2, 10)}`;
    this.#kept.set(id, {
      listener: { ...choice, id, presenceKey, presence: undefined },
      state: { kind: 'joining' },
      present: {},
      received: 0,
      cursor: undefined,
      seen: new Set(),
    });
    this.#streams.open();
  }

  leave(id: number): void {
    this.#kept.delete(id);
    this.#streams.drop(id);
    this.#streams.open();
  }

  /** Joins again after a refusal or an end. */
  rejoin(id: number): void {
    this.#set(id, { state: { kind: 'joining' } });
    this.#streams.open();
  }

  /** Tracks a payload in the name of the listener; undefined ends that. */
  track(id: number, presence: Listener['presence']): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    this.#set(id, { listener: { ...kept.listener, presence } });
    this.#streams.open();
  }

  clear(): void {
    this.#entries = [];
    this.#added = [];
    this.#draw();
  }

  /** Tries again after a problem. */
  retry(): void {
    this.#streams.retry();
  }

  close(): void {
    this.#streams.close();
  }

  #wanted(): readonly Wanted[] {
    return [...this.#kept.values()]
      .filter(({ state: { kind } }) => kind === 'joining' || kind === 'joined')
      .map(({ listener, cursor }) => ({ id: listener.id, body: listenerBody(listener, cursor) }));
  }

  #take(id: number, event: InspectorEvent): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    const sentAt = Date.parse(event.at);
    const arrivedAt = this.#clock.arrived(sentAt, Date.now());
    const note: Note = (line) => {
      if (line) this.#note(kept.listener, line, { sentAt, arrivedAt });
    };
    switch (event.kind) {
      case 'joined':
        this.#joined(kept, event, note);
        break;
      case 'refused':
        this.#refused(kept.listener, event, note);
        break;
      case 'ended':
        this.#end(id, event, note);
        break;
      case 'frame':
        this.#frame(kept, event.frame, note);
        break;
    }
    this.#drawSoon();
  }

  #joined({ listener, state }: Kept, { ack }: EventOf<'joined'>, note: Note): void {
    this.#set(listener.id, {
      state: { kind: 'joined', isWarming: ack.warming === true },
      cursor: ack.cursor,
      present: ack.presence ?? {},
    });
    // Another stream has taken over a listener that was joined already.
    if (state.kind !== 'joined') note(channelLine('Joined', `as ${listener.who}`, false));
    else if (ack.recovered === false) {
      note(channelLine('Changes are missing', 'They were too many, or too long ago', true));
    }
  }

  #refused(
    listener: Listener,
    { event, code, message, hint }: EventOf<'refused'>,
    note: Note,
  ): void {
    const { id } = listener;
    note(channelLine(`${code} (${event})`, message, true));
    if (event === 'rt:track') this.#set(id, { listener: { ...listener, presence: undefined } });
    else this.#set(id, { state: { kind: 'refused', code, message, hint }, present: {} });
  }

  #frame({ listener: { id }, present, received, seen, cursor }: Kept, of: Frame, note: Note): void {
    switch (of.event) {
      case 'rt:pg': {
        const unseen = of.frame.e.filter((change) => !seen.has(change.id));
        for (const change of unseen) {
          remember(seen, change.id);
          note(changeLine(change.d));
        }
        this.#set(id, { cursor: of.frame.cur ?? cursor, received: received + unseen.length });
        break;
      }
      case 'rt:msg':
        note(messageLine(of.frame));
        this.#set(id, { received: received + 1 });
        break;
      case 'rt:presence':
        note(presenceLine(present, of.frame.state));
        this.#set(id, { present: of.frame.state });
        break;
      case 'rt:system': {
        const { t: topic, status, code, message } = of.frame;
        if (code === 'WARM') this.#set(id, { state: { kind: 'joined', isWarming: false } });
        else if (topic === undefined) note(channelLine(code, message, status !== 'ok'));
        else this.#end(id, { code, message }, note);
        break;
      }
    }
  }

  #end(
    id: number,
    { code, message }: { readonly code: string; readonly message: string },
    note: Note,
  ): void {
    note(channelLine(code, message, true));
    this.#set(id, { state: { kind: 'ended', code, message, hint: undefined }, present: {} });
    this.#streams.drop(id);
  }

  #note(
    { id, topic, who }: Listener,
    { writtenAt, ...line }: Line,
    times: Omit<Times, 'writtenAt'>,
  ): void {
    const seq = (this.#lastSeq += 1);
    const all = { ...times, ...(writtenAt !== undefined && { writtenAt }) };
    this.#added.push({ seq, listener: id, topic, who, ...line, times: all });
  }

  #set(id: number, change: Partial<Kept>): void {
    const kept = this.#kept.get(id);
    if (kept) this.#kept.set(id, { ...kept, ...change });
  }

  #drawSoon(): void {
    this.#drawing ??= window.setTimeout(() => this.#draw(), drawMs);
  }

  #draw(): void {
    window.clearTimeout(this.#drawing);
    this.#drawing = undefined;
    this.#entries = [...this.#added.toReversed(), ...this.#entries].slice(0, maxEntries);
    this.#added = [];
    const listeners = [...this.#kept.values()];
    this.#view = { listeners, entries: this.#entries, problem: this.#problem };
    for (const watcher of this.#watchers) watcher();
  }
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  for (const oldest of seen) {
    if (seen.size <= maxSeen) break;
    seen.delete(oldest);
  }
}

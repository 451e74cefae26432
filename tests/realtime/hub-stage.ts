// The channels of a project without sockets, on a clock that a test can move on.
import type { ProjectDatabase, ProjectDatabaseOptions } from '#libs/database';
import {
  type Clock,
  type Exchange,
  type Frame,
  type Member,
  Places,
  PollingFeeds,
  type RealtimeSocket,
  type Timer,
} from '#libs/realtime';
import { parseFrame } from '#libs/realtime-core';
import type { Credential } from '#libs/wire';

import { ProjectCatalog } from '../../libs/project-runtime/src/project-catalog.js';
import { ProjectSettings } from '../../libs/project-runtime/src/project-settings.js';
import { ProjectRealtime } from '../../libs/project-runtime/src/realtime/project-realtime.js';
import { settingsSeal } from '../../libs/project-runtime/src/settings-seal.js';
import type { ProjectFixture } from '../database/project-fixture.js';

interface Waiting {
  readonly dueAt: number;
  readonly work: () => void;
  readonly handle: NodeJS.Timeout;
}

/** The time of the process, and more. */
export class MovableClock implements Clock {
  #ahead = 0;
  readonly #timers = new Set<Waiting>();

  now(): number {
    return performance.now() + this.#ahead;
  }

  setTimer(ms: number, work: () => void): Timer {
    const handle = setTimeout(() => this.#run(timer), ms);
    const timer: Waiting = { dueAt: this.now() + ms, work, handle };
    this.#timers.add(timer);
    return { cancel: () => this.#forget(timer) };
  }

  /** Moves the time on, and does what is due then. */
  move(ms: number): void {
    this.#ahead += ms;
    const due = [...this.#timers].filter(({ dueAt }) => dueAt <= this.now());
    for (const timer of due.toSorted((one, other) => one.dueAt - other.dueAt)) this.#run(timer);
  }

  #run(timer: Waiting): void {
    if (!this.#timers.has(timer)) return;
    this.#forget(timer);
    timer.work();
  }

  #forget(timer: Waiting): void {
    clearTimeout(timer.handle);
    this.#timers.delete(timer);
  }
}

/** A client in this process. */
export interface Listener {
  readonly member: Member;
  /** What it has received, by event. */
  frames(event: string): readonly Record<string, unknown>[];
  join(frame: object): Promise<Record<string, unknown>>;
  leave(): void;
  /** From now on it reads each frame a moment after it was sent. */
  readLate(): void;
}

export interface HubStage {
  readonly clock: MovableClock;
  readonly realtime: ProjectRealtime;
  readonly db: ProjectDatabase;
  readonly replayPlaces: Places;
  readonly errors: unknown[];
  /** Without a credential: as `anon`. */
  connect(credential?: Credential): Promise<Listener>;
  close(): Promise<void>;
}

const alone: Exchange = {
  node: 'test',
  hasOthers: false,
  publish: () => undefined,
  subscribe: () => () => undefined,
  onGone: () => () => undefined,
};

export async function openHubStage(
  project: ProjectFixture,
  options: Partial<ProjectDatabaseOptions> = {},
): Promise<HubStage> {
  const db = project.open(options);
  const clock = new MovableClock();
  const errors: unknown[] = [];
  const replayPlaces = new Places(4);
  const seal = settingsSeal('test', Buffer.alloc(32));
  const settings = await ProjectSettings.load({ db, env: {}, seal });
  const catalog = new ProjectCatalog({
    db,
    stored: { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() },
    onKeepError: (error) => errors.push(error),
  });
  const realtime = new ProjectRealtime({
    db,
    catalog,
    clock,
    exchange: alone,
    writeSignals: { subscribe: () => () => undefined },
    pace: undefined,
    polling: new PollingFeeds(),
    replayPlaces,
    settings: () => settings.values,
    now: Date.now,
    onError: (error) => errors.push(error),
    keys: () => ({ publishable: [], secret: [] }),
    areKeysEnforced: () => false,
  });
  let clients = 0;
  return {
    clock,
    realtime,
    db,
    replayPlaces,
    errors,
    connect: (credential = { kind: 'none' }) =>
      connect(realtime, { id: `client-${++clients}`, credential }),
    close: () => realtime.close(),
  };
}

async function connect(
  { hub }: ProjectRealtime,
  { id, credential }: { readonly id: string; readonly credential: Credential },
): Promise<Listener> {
  const received: Frame[] = [];
  let [isLate, unread] = [false, 0];
  const socket: RealtimeSocket = {
    id,
    get bufferedBytes() {
      return unread;
    },
    send(frame) {
      received.push(frame);
      if (!isLate) return;
      unread += frame.json.length;
      setTimeout(() => (unread -= frame.json.length), 50);
    },
    close: () => hub.disconnect(member),
  };
  const member = await hub.connect(socket, credential);
  return {
    member,
    frames: (event) =>
      received
        .filter((frame) => frame.event === event)
        .map(({ json }) => JSON.parse(json) as Record<string, unknown>),
    async join(value) {
      const frame = parseFrame('rt:join', value);
      if (frame.kind !== 'join') throw new Error('not a join');
      return { ...(await hub.frames.join(member, frame)) };
    },
    leave: () => hub.disconnect(member),
    readLate: () => void (isLate = true),
  };
}

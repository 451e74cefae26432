// Projects and clients of the tests of channels. Every client is closed at the end of its file.
import { expect } from 'vitest';

import type { Pace } from '#libs/realtime';
import { waitFor } from '#libs/testing';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { openClient, type RealtimeClient } from './realtime-client.js';

export type Auth = Record<string, unknown>;
export type Answer = Record<string, unknown>;

const hour = 3_600_000;
/** Polls so far apart that only a signal can bring a change in time. */
export const hourlyPace: Pace = {
  hotPauseMs: hour,
  hotMs: hour,
  mildPauseMs: hour,
  mildMs: hour,
  coldPauseMsEach: hour,
  coldPauseMs: hour,
  minGapMs: 3,
};

/** An event of a table change, without its id and its time. */
export interface ChangeEvent {
  readonly eventType: string;
  readonly new: unknown;
  readonly old: unknown;
}

export class ChannelFixture {
  readonly #clients: RealtimeClient[] = [];

  private constructor(
    readonly deployment: Deployment,
    readonly project: ProjectUnderTest,
  ) {}

  /** Makes a project; `sql` runs as its owner. */
  static async open(
    sql = 'select 1',
    preset?: Parameters<typeof Deployment.shared>[0],
  ): Promise<ChannelFixture> {
    return ChannelFixture.in(await Deployment.shared(preset), sql);
  }

  /** The same in a deployment of the test, which closes with the fixture. */
  static async in(deployment: Deployment, sql: string): Promise<ChannelFixture> {
    const project = await deployment.createProject();
    await project.sql(sql);
    return new ChannelFixture(deployment, project);
  }

  /** Connects; throws the `data` of a connection error. */
  async client(
    auth: Auth = {},
    project = this.project,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RealtimeClient> {
    const client = await openClient(project, auth, headers);
    this.#clients.push(client);
    return client;
  }

  as(user: SignedIn): Promise<RealtimeClient> {
    return this.client({ token: user.token });
  }

  /** Connects and joins a topic. */
  async joined(topic: string, config: object = {}, auth: Auth = {}): Promise<RealtimeClient> {
    const client = await this.client(auth);
    expect(await client.ask('rt:join', { topic, config })).toMatchObject({ status: 'ok' });
    return client;
  }

  /** Runs SQL as the superuser in the database of the project. */
  asSuperuser(text: string, values: unknown[] = []): Promise<unknown> {
    return asSuperuser(text, { database: this.project.database, values });
  }

  async act(user: SignedIn, verb: string): Promise<void> {
    const path = `/api/admin/users/${user.id}/${verb}`;
    const reply = await this.project.asService({ method: 'POST', path });
    expect(reply.status, reply.text).toBeLessThan(300);
  }

  /** Saves settings of the group `realtime`. */
  async limit(body: object): Promise<void> {
    const path = '/api/admin/settings/realtime';
    const reply = await this.project.asService({ method: 'PUT', path, body });
    expect(reply.status, reply.text).toBe(200);
  }

  /** A request to the console about the project. */
  console(path: string, body: object = {}): Promise<Reply> {
    const { ref } = this.project;
    return this.deployment.console({
      method: 'POST',
      path: `/platform/projects/${ref}${path}`,
      body,
    });
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.deployment.close();
  }
}

/** The config of a join that subscribes to tables. */
export const changesOf = (...bindings: readonly object[]): object => ({
  postgres_changes: bindings,
});

/**
 * The table changes that a client has received, of one topic or of all. A change may arrive twice after a resume, with the
 * same id: clients take the first.
 */
export function changesIn(client: RealtimeClient, topic?: string): readonly ChangeEvent[] {
  // The frames of the server, which the tests check field by field.
  const frames = client.frames('rt:pg') as unknown as readonly {
    readonly t: string;
    readonly e: readonly { readonly id: string; readonly d: ChangeEvent }[];
  }[];
  const events = frames
    .filter(({ t }) => topic === undefined || t === topic)
    .flatMap(({ t, e }) => e.map(({ id, d }) => [`${t} ${id}`, d] as const));
  return [...new Map(events).values()].map((d) => ({
    eventType: d.eventType,
    new: d.new,
    old: d.old,
  }));
}

/**
 * Waits until a client has received the row `last` as new or deleted row, which the test has written last and the client
 * may see. What it has not received until then does not come.
 */
export async function changesUntil(
  client: RealtimeClient,
  last: string,
  topic?: string,
): Promise<readonly ChangeEvent[]> {
  const until = `a change with ${last}`;
  await waitFor(() => JSON.stringify(changesIn(client, topic)).includes(`"${last}"`), { until });
  return changesIn(client, topic);
}

/** Waits for a system frame with this code. */
export function systemFrame(client: RealtimeClient, code: string): Promise<Answer> {
  return waitFor(() => client.frames('rt:system').find((frame) => frame['code'] === code), {
    until: `the system frame ${code}`,
    ms: 20_000,
  });
}

export function disconnected({ socket }: RealtimeClient): Promise<boolean> {
  return waitFor(() => socket.disconnected, { until: 'the server disconnects', ms: 20_000 });
}

/** The payloads of the messages that a client has received. */
export const messagesIn = (client: RealtimeClient): readonly unknown[] =>
  client.frames('rt:msg').map(({ payload }) => payload);

/** What the connection is refused with. */
export async function refusalOf(connecting: Promise<RealtimeClient>): Promise<unknown> {
  const error: unknown = await connecting.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Error && 'data' in error ? error.data : error;
}

// A project with live tables, and clients of ours that follow it over a gateway. Every channel is left at the end.
import { expect } from 'vitest';

import { type ClientOptions, createClient, memoryStorage, type RowhouseClient } from '#libs/sdk';
import type { RealtimeChannel, RealtimeStatus } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { Deployment } from '../../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../../support/project.js';
import { type Gateway, openGateway } from './gateway.js';

/** Planets that everybody reads and writes, and notes of users. */
export const liveSql = `
create table planets (id int primary key, name text not null, moons int not null default 0);
create policy everybody on planets using (true) with check (true);
create table notes (id int primary key, text text, owner text not null default auth.uid());
create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
`;

/** A channel that the server has joined, and what it has reported. */
export interface Followed {
  readonly channel: RealtimeChannel;
  readonly statuses: readonly RealtimeStatus[];
  /** Codes of errors. */
  readonly errors: readonly string[];
  /** Waits until the channel has been SUBSCRIBED as many times. */
  subscribed(times?: number): Promise<void>;
  /** Waits for an error and returns its code. */
  failed(): Promise<string>;
}

export class Live {
  readonly #clients: RowhouseClient[] = [];

  private constructor(
    readonly deployment: Deployment,
    readonly project: ProjectUnderTest,
    readonly gateway: Gateway,
  ) {}

  /** `sql` runs as the owner of the project, after that of the tables. */
  static async open(sql = '', from?: Deployment): Promise<Live> {
    const deployment = from ?? (await Deployment.shared());
    const project = await deployment.createProject();
    await project.sql(liveSql + sql);
    return new Live(deployment, project, await openGateway(project));
  }

  /** A client of a visitor, or with another key. */
  client(options: ClientOptions = {}, key = this.project.publishableKey): RowhouseClient {
    const client = createClient(this.gateway.url, key, options);
    this.#clients.push(client);
    return client;
  }

  /** A client that is signed in as a user of the project. */
  async as(user: SignedIn): Promise<RowhouseClient> {
    const client = this.client({ storage: memoryStorage() });
    const { error } = await client.auth.setSession({ access_token: user.token });
    expect(error).toBeNull();
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.removeAllChannels()));
    await this.gateway.close();
    await this.deployment.close();
  }
}

/** Subscribes a channel. */
export function follow(channel: RealtimeChannel, timeout?: number): Followed {
  const statuses: RealtimeStatus[] = [];
  const errors: string[] = [];
  channel.subscribe((status, error) => {
    statuses.push(status);
    if (error) errors.push(error.code);
  }, timeout);
  const count = () => statuses.filter((status) => status === 'SUBSCRIBED').length;
  return {
    channel,
    statuses,
    errors,
    async subscribed(times = 1) {
      const until = `${channel.topic} is subscribed (${times})`;
      await waitFor(() => count() >= times, { until, ms: 20_000 });
    },
    failed: () => waitFor(() => errors.at(-1), { until: 'an error', ms: 20_000 }),
  };
}

/** Subscribes a channel and waits until the server has joined it. */
export async function joined(channel: RealtimeChannel): Promise<Followed> {
  const followed = follow(channel);
  await followed.subscribed();
  return followed;
}

/** Waits until a list has as many items, and returns them. */
export async function arrived<T>(items: readonly T[], count: number): Promise<readonly T[]> {
  await waitFor(() => items.length >= count, { until: `${count} have arrived`, ms: 20_000 });
  return items;
}

export const message = (event: string, payload?: unknown) =>
  ({ type: 'broadcast', event, payload }) as const;

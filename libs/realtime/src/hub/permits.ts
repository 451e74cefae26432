// What a join is allowed, asked in the database: the rights in a private topic and the tables of the bindings.
import type { JoinConfig } from '#libs/realtime-core';

import type { Member } from './member.js';
import type { BoundTable, HubParts } from './ports.js';
import {
  allTopicRights,
  requireReceiving,
  type Rights,
  seeTheSame,
  type TopicRights,
} from './rights.js';

export interface Permit {
  readonly topicRights: TopicRights;
  readonly bound: readonly BoundTable[];
}

/** What a channel asks for. */
export interface Wish {
  readonly topic: string;
  readonly config: JoinConfig;
  /** Whether its filters have been checked before. */
  readonly areChecked?: boolean;
  /** Whether a lock is known, so that filters that need it are not tried. */
  readonly isLocked?: (lock: string) => boolean;
}

export type PermitParts = Pick<HubParts, 'bindTables' | 'readTopicRights'>;

/** Whether the schema decides what a channel is allowed. */
export function dependsOnSchema({ isPrivate, bindings }: JoinConfig): boolean {
  return isPrivate || bindings.length > 0;
}

/**
 * Throws CHANNEL_REFUSED, POLICY_READS_MESSAGE, the errors of tables and filters, and {@link TableLocked} for filters that
 * have not been checked before.
 */
export async function readPermit(
  { bindTables, readTopicRights }: PermitParts,
  rights: Rights,
  { topic, config, areChecked = false, isLocked = () => false }: Wish,
): Promise<Permit> {
  const [topicRights, bound] = await Promise.all([
    config.isPrivate ? readTopicRights(rights, topic) : allTopicRights,
    config.bindings.length === 0
      ? []
      : bindTables(rights, config.bindings, { areChecked, isLocked }),
  ]);
  requireReceiving(topicRights, topic);
  return { topicRights, bound };
}

/** Returns what `read` says under the rights of a member and a schema that have not changed meanwhile. */
export async function permitted(
  schema: { readonly changes: number },
  member: Pick<Member, 'rights'>,
  read: (rights: Rights) => Promise<Permit>,
): Promise<Permit> {
  for (;;) {
    const { rights } = member;
    const { changes } = schema;
    const permit = await read(rights);
    if (seeTheSame(member.rights, rights) && schema.changes === changes) return permit;
  }
}

/** Equal for channels that ask for the same under the same rights. */
export function permitKey({ role, claims }: Rights, { topic, config }: Wish): string {
  return JSON.stringify([role, claims, topic, config.isPrivate, config.bindings]);
}

/** Reads the permits of many channels; channels that ask for the same under the same rights are read once. */
export class SharedPermits {
  readonly #known = new Map<string, Promise<Permit>>();

  constructor(private readonly parts: PermitParts) {}

  read(rights: Rights, wish: Wish): Promise<Permit> {
    const key = permitKey(rights, wish);
    const known = this.#known.get(key) ?? readPermit(this.parts, rights, wish);
    this.#known.set(key, known);
    return known;
  }
}

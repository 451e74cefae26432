// What a client may do: as a caller of the database, and in a private topic.
import { type AppError, fail } from '#libs/errors';
import type { DatabaseRole } from '#libs/wire';

/** Whose eyes a client sees with: read live, and again when its account changes. */
export interface Rights {
  readonly role: DatabaseRole;
  /** Text of a JSON object. */
  readonly claims: string;
  /** The claim `sub`; empty without a user. */
  readonly subject: string;
  /** Undefined for callers without a row in the table of users. */
  readonly userId: string | undefined;
  /** Members with the same one see the same rows. */
  readonly audience: string;
  /** When the credential ends by itself; milliseconds since 1970. */
  readonly expiresAt: number | undefined;
}

/** Of a member until its rights are read. */
export const unknownRights: Rights = {
  role: 'anon',
  claims: '{}',
  subject: '',
  userId: undefined,
  audience: '',
  expiresAt: undefined,
};

/**
 * Names a sender for the shares of a project's rates: the account, whatever number of connections it has, or for others
 * the place that they send from.
 */
export function senderOf({ role, subject }: Rights, place: string): string {
  return `${role} ${subject === '' ? `at ${place}` : subject}`;
}

/** Whether callers with these rights see the same rows, although the rights may have been read at different times. */
export function seeTheSame(one: Rights, other: Rights): boolean {
  return one.role === other.role && one.claims === other.claims && one.audience === other.audience;
}

export type FrameKind = 'broadcast' | 'presence';

/** What the policies of a private topic allow; everything on other topics. */
export interface TopicRights {
  readonly mayReceive: Readonly<Record<FrameKind, boolean>>;
  readonly maySend: Readonly<Record<FrameKind, boolean>>;
  /** Rights that are not given because they depend on policies that read a message; as text, which ones read what. */
  readonly undecided: Readonly<
    Record<'receive' | 'send', Readonly<Partial<Record<FrameKind, string>>>>
  >;
}

export const allTopicRights: TopicRights = {
  mayReceive: { broadcast: true, presence: true },
  maySend: { broadcast: true, presence: true },
  undecided: { receive: {}, send: {} },
};

/** Throws CHANNEL_REFUSED and POLICY_READS_MESSAGE if the client may receive nothing, or if it is not known what. */
export function requireReceiving({ mayReceive, undecided }: TopicRights, topic: string): void {
  const policies = undecided.receive.broadcast ?? undecided.receive.presence;
  if (policies !== undefined) throw fail('POLICY_READS_MESSAGE', { policies });
  if (!mayReceive.broadcast && !mayReceive.presence) throw fail('CHANNEL_REFUSED', { topic });
}

/** Why the client may not send a kind of frame: CHANNEL_REFUSED or POLICY_READS_MESSAGE; undefined if it may. */
export function sendingRefusal(
  { maySend, undecided }: TopicRights,
  kind: FrameKind,
  topic: string,
  details?: object,
): AppError | undefined {
  if (maySend[kind]) return undefined;
  const policies = undecided.send[kind];
  return policies === undefined
    ? fail('CHANNEL_REFUSED', { topic }, { details })
    : fail('POLICY_READS_MESSAGE', { policies }, { details });
}

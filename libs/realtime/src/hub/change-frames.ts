// From the changes of a batch and what may be seen of them to the frames of channels. Channels of one topic, with the
// same bindings and role, that may see the same receive the same frame.
import { fail } from '#libs/errors';

import type { Change } from '../feed/lines.js';
import { errorFrame, Frame } from './frame.js';
import type { InspectedEvent } from './inspection.js';
import type { Channel } from './member.js';
import type { BoundTable, HubQuestion, Ruling, Sight } from './ports.js';

/** More events than this go out in several frames. */
const maxEvents = 200;
/** So do events with more characters than this together. */
const maxCharacters = 256 * 1024;

/** What a client has missed. */
export type Missed =
  /** The frames with it, and the cursor after them. */
  | { readonly kind: 'frames'; readonly cursor: string; readonly frames: readonly Frame[] }
  /** It cannot be decided while a table is locked: this question has no answer. */
  | { readonly kind: 'locked'; readonly question: HubQuestion };

/** What channels of one audience with the same bindings receive. Equal ones of other audiences are the same object. */
interface View {
  /** By change; undefined for nothing. */
  readonly sights: readonly (Sight | undefined)[];
  /** By change the ids of the bindings that it matches, as texts of JSON. */
  readonly wanted: readonly (readonly string[])[];
  readonly framesByTopic: Map<string, readonly Frame[]>;
}

/** The frames of one batch. */
export class ChangeFrames {
  /** By role and bindings. */
  readonly #wanted = new Map<string, readonly (readonly string[])[]>();
  /** By audience, and by bindings. */
  readonly #views = new Map<string, Map<string, View>>();
  /** By what is in them. */
  readonly #equalViews = new Map<string, View>();

  constructor(
    private readonly changes: readonly Change[],
    private readonly rulingOf: (channel: Channel, change: Change) => Ruling | undefined,
    /** Up to which the receivers know everything after these changes; undefined if more of them follow. */
    private readonly cursor: string | undefined,
  ) {}

  /** The frames for a channel: none if it receives no change. */
  for(channel: Channel): readonly Frame[] {
    const view = this.#viewOf(channel);
    const { topic } = channel;
    const known = view.framesByTopic.get(topic);
    if (known) return known;
    const events = this.changes.flatMap((change, index) => {
      const sight = view.sights[index];
      return sight ? [this.#event(channel, change, { sight, ids: view.wanted[index] ?? [] })] : [];
    });
    const frames = packEvents(topic, events, this.cursor);
    view.framesByTopic.set(topic, frames);
    return frames;
  }

  /** How many of the channels receive a change, and why the others do not; undefined if none listens to its table. */
  report(change: Change, channels: Iterable<Channel>): InspectedEvent | undefined {
    const index = this.changes.indexOf(change);
    let table: string | undefined;
    const counts = { receivers: 0, unmatched: 0, hidden: 0 };
    for (const channel of channels) {
      const ruling = this.rulingOf(channel, change);
      const isBound = channel.bound.some((one) => one.table === change.table);
      if (!ruling?.table || !isBound) continue;
      table = ruling.table;
      const { sights } = this.#viewOf(channel);
      if (sights[index]) counts.receivers += 1;
      // Filters are not evaluated on hidden rows.
      else if (asksFor(channel, change) && !this.#sightOf(channel, change)) counts.hidden += 1;
      else counts.unmatched += 1;
    }
    if (table === undefined) return undefined;
    return {
      kind: 'change',
      id: idOf(change),
      table,
      eventType: eventTypes[change.kind],
      ...counts,
    };
  }

  #viewOf(channel: Channel): View {
    const { boundKey, member } = channel;
    const { audience, role } = member.rights;
    const ofAudience = this.#views.get(audience) ?? new Map<string, View>();
    this.#views.set(audience, ofAudience);
    const known = ofAudience.get(boundKey);
    if (known) return known;
    const wanted = this.#wantedBy(channel);
    const sights = this.changes.map((change, index) =>
      wanted[index]?.length ? this.#sightOf(channel, change) : undefined,
    );
    const key = JSON.stringify([role, boundKey, sights]);
    const view = this.#equalViews.get(key) ?? { sights, wanted, framesByTopic: new Map() };
    this.#equalViews.set(key, view);
    ofAudience.set(boundKey, view);
    return view;
  }

  #wantedBy(channel: Channel): View['wanted'] {
    const key = `${channel.member.rights.role} ${channel.boundKey}`;
    const known = this.#wanted.get(key);
    if (known) return known;
    const wanted = this.changes.map((change) => {
      const ruling = this.rulingOf(channel, change);
      return ruling ? wantedBy(channel, change, ruling).map(({ id }) => JSON.stringify(id)) : [];
    });
    this.#wanted.set(key, wanted);
    return wanted;
  }

  /** What the audience of a channel may see of a change that the channel asks for. */
  #sightOf(channel: Channel, change: Change): Sight | undefined {
    const sight = this.rulingOf(channel, change)?.sightOf(channel.member.rights.audience, change);
    const needed = change.kind === 'D' ? 'old' : 'new';
    return sight === needed || sight === 'both' ? sight : undefined;
  }

  #event(
    channel: Channel,
    change: Change,
    { sight, ids }: { readonly sight: Sight; readonly ids: readonly string[] },
  ): string {
    const ruling = this.rulingOf(channel, change);
    if (!ruling) return '';
    const newRow = change.kind === 'D' ? '{}' : ruling.newText(change);
    const hasOld = change.kind !== 'I' && sight !== 'new';
    const head = JSON.stringify({
      schema: ruling.schema,
      table: ruling.table,
      eventType: eventTypes[change.kind],
      commit_timestamp: change.at,
      ...(change.isCut && { truncated: true }),
    });
    const rows = `"new":${newRow},"old":${hasOld ? ruling.oldText(change) : '{}'}`;
    return `{"id":"${idOf(change)}","b":[${ids.join(',')}],"d":${head.slice(0, -1)},${rows}}}`;
  }
}

const idOf = ({ txid, seq }: Change): string => `${txid}.${seq}`;

const eventTypes = { I: 'INSERT', U: 'UPDATE', D: 'DELETE' } as const;

function wantedBy({ bound }: Channel, change: Change, ruling: Ruling): readonly BoundTable[] {
  return bound.filter((one) => isAbout(one, change) && ruling.matches(one.id, change));
}

/** Whether a binding is to the table and the kind of a change, whatever its filter. */
function isAbout({ table, binding: { event } }: BoundTable, { table: changed, kind }: Change) {
  return table === changed && (event === '*' || event === eventTypes[kind]);
}

function asksFor({ bound }: Channel, change: Change): boolean {
  return bound.some((one) => isAbout(one, change));
}

/** Puts events into frames. The last one has the cursor up to which its receiver then knows everything. */
function packEvents(
  topic: string,
  events: readonly string[],
  cursor: string | undefined,
): readonly Frame[] {
  const frames: Frame[] = [];
  const name = JSON.stringify(topic);
  let at = 0;
  while (at < events.length) {
    const first = at;
    let characters = 0;
    while (at < events.length && at - first < maxEvents) {
      characters += events[at]?.length ?? 0;
      if (characters > maxCharacters && at > first) break;
      at += 1;
    }
    const isComplete = at === events.length && cursor !== undefined;
    const end = isComplete ? `,"cur":${JSON.stringify(cursor)}` : '';
    frames.push(
      new Frame('rt:pg', `{"t":${name},"e":[${events.slice(first, at).join(',')}]${end}}`),
    );
  }
  return frames;
}

/** Informs a channel that changes are missing. */
export function missedFrame(topic: string): Frame {
  return errorFrame(fail('CHANGES_MISSED'), topic);
}

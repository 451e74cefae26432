// A listener of the inspector: as whom, to which channel, and how the API takes it.

export type ActingAs =
  | { readonly role: 'anon' | 'service_role' }
  | { readonly role: 'authenticated'; readonly claims: Readonly<Record<string, unknown>> }
  | { readonly userId: string };

export const changeEvents = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const;
export type ChangeEvent = (typeof changeEvents)[number];

/** What the operator has chosen. */
export interface ListenerChoice {
  readonly as: ActingAs;
  /** Whom it joins as, in words. */
  readonly who: string;
  readonly topic: string;
  readonly isPrivate: boolean;
  /** The tables whose changes it receives. */
  readonly tables: readonly string[];
  readonly event: ChangeEvent;
  /** For a single table; empty without. */
  readonly filter: string;
}

export interface Listener extends ListenerChoice {
  readonly id: number;
  /** Under which its presence is kept: the same one each time that the stream is opened. */
  readonly presenceKey: string;
  /** What it tracks; undefined: nothing. */
  readonly presence: Readonly<Record<string, unknown>> | undefined;
}

/** A listener in the body of a request. `resume`: the cursor up to which it has received the changes. */
export function listenerBody(
  { as, topic, isPrivate, tables, event, filter, presenceKey, presence }: Listener,
  resume?: string,
) {
  const changes = tables.map((table) => ({
    event,
    schema: 'public',
    table,
    ...(filter !== '' && { filter }),
  }));
  return {
    as: { ...as },
    join: {
      topic,
      config: {
        private: isPrivate,
        presence: { key: presenceKey },
        postgres_changes: changes,
      },
      ...(resume !== undefined && { resume }),
    },
    ...(presence && { presence: { ...presence } }),
  };
}

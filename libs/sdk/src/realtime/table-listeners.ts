import type { Listener } from './ports.js';

type TableListener = Extract<Listener, { readonly type: 'postgres_changes' }>;

/** The listeners of a channel to changes of tables. Listeners with the same filter share a binding of the server. */
export class TableListeners {
  /** As a join sends them. */
  readonly filters: readonly object[];
  readonly #groups: readonly (readonly TableListener[])[];
  #byBinding = new Map<string, TableListener[]>();

  constructor(listeners: readonly Listener[]) {
    const groups = new Map<string, TableListener[]>();
    for (const listener of listeners) {
      if (listener.type !== 'postgres_changes') continue;
      const { event, schema, table, filter } = listener.filter;
      const text = JSON.stringify({ event, schema, table, filter });
      groups.set(text, [...(groups.get(text) ?? []), listener]);
    }
    this.filters = [...groups.keys()].map((text) => Object(JSON.parse(text)));
    this.#groups = [...groups.values()];
  }

  /** Takes the ids that the server has given the filters, in their order. */
  bind(bindings: readonly { readonly id: string }[]): void {
    this.#byBinding = new Map();
    bindings.forEach(({ id }, index) => {
      // Filters that are written differently may be the same for the server.
      const listeners = [...(this.#byBinding.get(id) ?? []), ...(this.#groups[index] ?? [])];
      this.#byBinding.set(id, listeners);
    });
  }

  /** The listeners to a change with these bindings. */
  of(bindings: readonly string[]): readonly TableListener[] {
    return bindings.flatMap((id) => this.#byBinding.get(id) ?? []);
  }
}

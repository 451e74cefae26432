/** What a browser has beside the platform that all runtimes share. Declared here: servers have no DOM types. */
interface Page {
  readonly fetch: typeof fetch;
  readonly localStorage?: KeyValueStore;
  readonly document?: { cookie: string };
  readonly location?: { readonly protocol: string };
}

interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export const page: Page = globalThis;

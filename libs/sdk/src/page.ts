/** The parts of a browser that other runtimes do not have. Declared here: servers have no DOM types. */
interface Page {
  readonly fetch: typeof fetch;
  readonly localStorage?: KeyValueStore;
  readonly document?: PageDocument;
  readonly location?: PageLocation;
  readonly history?: { replaceState(state: unknown, unused: string, url: string): void };
  readonly navigator?: { readonly credentials?: PageCredentials; readonly userAgent?: string };
  readonly BroadcastChannel?: new (name: string) => PageChannel;
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface PageDocument {
  cookie: string;
  readonly visibilityState?: string;
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

interface PageLocation {
  readonly protocol: string;
  readonly href: string;
  assign(url: string): void;
}

interface PageCredentials {
  create(options?: { publicKey?: unknown }): Promise<unknown>;
  get(options?: { publicKey?: unknown }): Promise<unknown>;
}

interface PageChannel {
  onmessage: unknown;
  postMessage(message: unknown): void;
}

export const page: Page = globalThis;

/** Whether this is a page or a worker of a browser. Other runtimes name themselves. */
export function isBrowser(): boolean {
  return page.navigator?.userAgent?.startsWith('Mozilla/') ?? false;
}

/** Keeps a timer or a channel from keeping the program running. In browsers it does nothing. */
export function letProgramEnd(handle: unknown): void {
  if (hasUnref(handle)) handle.unref();
}

function hasUnref(handle: unknown): handle is { unref(): void } {
  return typeof handle === 'object' && handle !== null && 'unref' in handle;
}

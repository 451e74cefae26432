/**
 * The other tabs of a page's origin that keep their session under the same name. They tell each other what
 * happened and to which token; the session itself each reads from its storage.
 */
import { isRecord, textOf } from '../json.js';
import { letProgramEnd, page } from '../page.js';
import { type Happening, isHappening } from './states.js';

export interface TabMessage {
  readonly happening: Happening;
  /** The token of the session that it happened to. */
  readonly token: string;
  /** What the storage holds for the session since then; absent when it has ended. */
  readonly text?: string;
}

/** When to look again after having looked in vain, each in ms after the time before. */
const lookAgainMs = [5, 20, 75, 200];

/**
 * Listens to the other tabs and gives the way to tell them something. Outside of pages nobody listens: on a
 * server, clients of the same project belong to different people.
 */
export function joinTabs(
  name: string,
  hear: (message: TabMessage) => void,
): (message: TabMessage) => void {
  if (!page.document || !page.BroadcastChannel) return () => undefined;
  const channel = new page.BroadcastChannel(name);
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    const message = readMessage(data);
    if (message) hear(message);
  };
  letProgramEnd(channel);
  return (message) => channel.postMessage(message);
}

function readMessage(data: unknown): TabMessage | undefined {
  if (!isRecord(data)) return undefined;
  const token = textOf(data['token']);
  const text = textOf(data['text']);
  const { happening } = data;
  if (token === undefined || !isHappening(happening)) return undefined;
  return { happening, token, ...(text !== undefined && { text }) };
}

/**
 * Looks until something is seen, 0.3 s at most: a browser keeps tabs in several processes, and a message about
 * a change of `localStorage` may arrive in another one before the change does.
 */
export async function lookRepeatedly(isSeen: () => Promise<boolean>): Promise<void> {
  for (const ms of lookAgainMs) {
    // Each look comes after the one before it.
    if (await isSeen()) return;
    await new Promise<void>((resolve) => letProgramEnd(setTimeout(resolve, ms)));
  }
}

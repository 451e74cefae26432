/**
 * The other tabs of a page's origin that store their session under the same name. They inform each other of changes and
 * of the token concerned; each reads the session itself from its storage.
 */
import { isRecord, textOf } from '../json.js';
import { letProgramEnd, page } from '../page.js';
import { type Happening, isHappening } from './states.js';

export interface TabMessage {
  readonly happening: Happening;
  /** The token of the changed session. */
  readonly token: string;
  /** The stored text of the session after the change; absent if it has ended. */
  readonly text?: string;
}

/** The pauses between checks, in ms. */
const lookAgainMs = [5, 20, 75, 200];

/**
 * Subscribes to the other tabs and returns a function that sends them a message. Does nothing outside of pages: on a
 * server, clients of the same project belong to different users.
 */
export function joinTabs(
  name: string,
  onMessage: (message: TabMessage) => void,
): (message: TabMessage) => void {
  if (!page.document || !page.BroadcastChannel) return () => undefined;
  const channel = new page.BroadcastChannel(name);
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    const message = readMessage(data);
    if (message) onMessage(message);
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
 * Repeats a check until it succeeds, for at most 0.3 s: browsers keep tabs in several processes, and a message may
 * arrive in another process before the change of `localStorage`.
 */
export async function lookRepeatedly(isSeen: () => Promise<boolean>): Promise<void> {
  for (const ms of lookAgainMs) {
    // One check after the other.
    if (await isSeen()) return;
    await new Promise<void>((resolve) => letProgramEnd(setTimeout(resolve, ms)));
  }
}

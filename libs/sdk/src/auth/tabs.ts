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
}

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
  const { happening } = data;
  return token !== undefined && isHappening(happening) ? { happening, token } : undefined;
}

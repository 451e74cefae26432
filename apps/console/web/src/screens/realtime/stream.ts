// The stream of the inspector (`POST /api/admin/realtime/inspect`), whose events no description types.
import { projectPath } from '../../api/place.js';
import { sendPlain } from '../../api/client.js';
import { parseJson } from '../../api/json.js';
import { problemOf, unreachable } from '../../api/problem.js';
import { readEvents } from '../../api/event-stream.js';
import type { Frame, PresenceState } from './frames.js';
import type { listenerBody } from './listener.js';

export interface JoinedAck {
  readonly cursor: string;
  readonly recovered?: boolean;
  readonly warming?: boolean;
  readonly presence?: PresenceState;
}

interface Refused {
  /** `connect`, or the frame that was refused. */
  readonly event: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** `listener` is its place in the request, `at` the time by the clock of the server. */
export type InspectorEvent = { readonly at: string; readonly listener: number } & (
  | { readonly kind: 'joined'; readonly ack: JoinedAck }
  | ({ readonly kind: 'refused'; readonly hint: string | undefined } & Omit<Refused, 'hint'>)
  | { readonly kind: 'ended'; readonly code: string; readonly message: string }
  | { readonly kind: 'frame'; readonly frame: Frame }
);

export interface InspectBody {
  readonly listeners: readonly ReturnType<typeof listenerBody>[];
}

export const inspectPath = (ref: string): string => projectPath(ref, '/api/admin/realtime/inspect');

/** Reads the stream until the server ends it. Throws Problem if it cannot be opened, or is interrupted. */
export async function openStream(
  ref: string,
  body: InspectBody,
  signal: AbortSignal,
  onEvent: (event: InspectorEvent) => void,
): Promise<void> {
  const response = await sendPlain(inspectPath(ref), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok || !response.body) {
    throw problemOf(response, parseJson(await response.text()));
  }
  try {
    await readEvents(response.body, ({ event, data }) => {
      const read = eventOf(event, data);
      if (read && !signal.aborted) onEvent(read);
    });
  } catch (error) {
    // What browsers throw when a connection breaks off.
    if (error instanceof TypeError) throw unreachable();
    throw error;
  }
}

interface Data {
  readonly at: string;
  readonly listener: number;
  readonly of: unknown;
}

/** Undefined for an event that this page does not know. */
function eventOf(kind: string, data: string): InspectorEvent | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API of the same release has written it
  const { at, listener, of } = JSON.parse(data) as Data;
  const common = { at, listener };
  switch (kind) {
    case 'joined':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      return { ...common, kind, ack: (of as { ack: JoinedAck }).ack };
    case 'refused': {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      const { event, code, message, hint } = of as Refused;
      return { ...common, kind, event, code, message, hint };
    }
    case 'ended':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      return { ...common, kind, ...(of as { code: string; message: string }) };
    case 'frame':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      return { ...common, kind, frame: of as Frame };
    default:
      return undefined;
  }
}

// Channels that an administrator looks into as other callers, in one stream of events.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { appendAudit, type AuditActor, authorOf, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { EventStream } from '../../http/event-stream.js';
import { maxSeconds } from '../../http/live-feed-query.js';
import { logRefusal } from '../refusals.js';
import type { SocketDeps } from '../socket-deps.js';
import { actingCredential, auditedAs } from './acting-credential.js';
import type { InspectBody, ListenerBody } from './inspector.dto.js';
import { Listener, type WantedListener } from './listener.js';
import { requireWriting } from './require-writing.js';

/** Topics that the audit log names are cut to this many characters. */
const maxTopicLength = 255;

interface Inspector {
  readonly caller: Caller;
  readonly actor: AuditActor;
  readonly log: SocketDeps['log'];
}

interface Inspected {
  readonly stream: Readable;
  /** Whether each listener goes on, and has its entry in the audit log. */
  readonly isContinued: boolean;
}

/**
 * Joins channels as other callers and returns the stream of what these receive. A listener has an entry in the audit
 * log unless the same actor has the same one open, or had a moment ago: a stream that takes over from another one begins
 * nothing. A listener that is refused is an event of the stream. Throws INVALID_INPUT for a wrong `as`, LIVE_FEED_BUSY, and
 * CAPABILITY_REQUIRED for presence without `content.write`.
 */
export async function inspect(
  project: ProjectRuntime,
  { caller, actor, log }: Inspector,
  { listeners, seconds = maxSeconds }: InspectBody,
): Promise<Inspected> {
  if (listeners.some(({ presence }) => presence !== undefined)) requireWriting(caller);
  const wanted = listeners.map((listener) => wantedListener(actor, listener));
  const { inspection } = project.realtime.hub;
  const begun = listeners.filter((_, index) => !inspection.isListening(wanted[index]?.name ?? ''));
  if (begun.length > 0) {
    const after = { listeners: begun.map(auditedListener) };
    const entry = { actor, action: 'realtime.inspect', target: 'channels', before: null, after };
    await project.db.runAsEngine((tx) => appendAudit(tx, entry));
  }
  const stream = openListeners(project, log, { wanted, seconds });
  return { stream, isContinued: begun.length === 0 };
}

interface NamedListener extends WantedListener {
  /** The same for each request in which the same actor wants the same listener. */
  readonly name: string;
}

function wantedListener(actor: AuditActor, { as, join, presence }: ListenerBody): NamedListener {
  // The cursor from which it continues is another one each time.
  const { resume: _resume, ...joined } = join;
  const facts = JSON.stringify([authorOf(actor), actor.ip, as, joined, presence ?? null]);
  const name = createHash('sha256').update(facts).digest('base64');
  return { name, credential: actingCredential(as), join, presence };
}

function auditedListener({ as, join, presence }: ListenerBody): object {
  const { topic } = join;
  return {
    as: auditedAs(as),
    topic: typeof topic === 'string' ? topic.slice(0, maxTopicLength) : null,
    tracks: presence !== undefined,
  };
}

/** The stream ends when its time is over, and when no listener is left. */
function openListeners(
  project: ProjectRuntime,
  log: SocketDeps['log'],
  { wanted, seconds }: { readonly wanted: readonly NamedListener[]; readonly seconds: number },
): Readable {
  const { hub } = project.realtime;
  const leave = hub.inspection.admitInspector();
  const stream = new EventStream({
    onStop() {
      for (const listener of listeners) listener.close();
      for (const end of ends) end();
      leave();
    },
  });
  const left = new Set(wanted.keys());
  const ends = wanted.map(({ name }) => hub.inspection.rememberListener(name));
  const listeners = wanted.map(
    (one, index) =>
      new Listener(hub, one, {
        get bytesWaiting() {
          return stream.bytesWaiting;
        },
        send(event, fields) {
          const at = new Date().toISOString();
          stream.send(event, `{"at":"${at}","listener":${index},"of":${fields}}`);
        },
        onRefusal: (error, event) => logRefusal(log, error, { project: project.record.ref, event }),
        onEnd() {
          left.delete(index);
          ends[index]?.();
          // What was sent last goes out first.
          if (left.size === 0) setImmediate(() => stream.end());
        },
      }),
  );
  stream.start(seconds);
  for (const listener of listeners) void listener.open();
  return stream.readable;
}

// One message to a channel as another caller: a connection that joins, sends and leaves, so that the limits and policies
// of clients decide.
import { randomUUID } from 'node:crypto';

import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Hub, Member, RealtimeSocket } from '#libs/realtime';
import { type ClientEvent, parseFrame } from '#libs/realtime-core';
import type { Caller } from '#libs/wire';

import { publicError } from '../refusals.js';
import { actingCredential, auditedAs } from './acting-credential.js';
import type { SendAsBody } from './inspector.dto.js';
import { requireWriting } from './require-writing.js';

/**
 * Sends a message, with an entry in the audit log. Throws CAPABILITY_REQUIRED without `content.write`, INVALID_INPUT,
 * INVALID_FRAME, RATE_LIMITED, and what a client would be refused with.
 */
export async function sendAs(
  project: ProjectRuntime,
  { caller, actor }: { readonly caller: Caller; readonly actor: AuditActor },
  { as, topic, private: isPrivate = false, event, payload }: SendAsBody,
): Promise<void> {
  requireWriting(caller);
  const credential = actingCredential(as);
  const join = parseFrame('rt:join', { topic, config: { private: isPrivate } });
  const send = parseFrame('rt:send', { topic, event, payload });
  const { hub } = project.realtime;
  project.realtime.countMessages(1, 'the inspector');
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, {
      actor,
      action: 'realtime.send',
      target: topic,
      before: null,
      after: { as: auditedAs(as), event, private: isPrivate },
    }),
  );
  const member = await noted(hub, { topic, event: 'connect' }, () =>
    hub.connect(silentSocket(), credential),
  );
  try {
    await noted(hub, { topic, event: 'rt:join', member }, () => hub.frames.join(member, join));
    await noted(hub, { topic, event: 'rt:send', member }, () => hub.frames.send(member, send));
  } finally {
    hub.disconnect(member);
  }
}

interface Step {
  readonly topic: string;
  readonly event: ClientEvent | 'connect';
  readonly member?: Member;
}

/** A step whose refusal is among those of clients, too. */
async function noted<Value>(
  hub: Hub,
  { event, ...from }: Step,
  step: () => Promise<Value>,
): Promise<Value> {
  try {
    return await step();
  } catch (thrown) {
    const error = publicError(thrown);
    hub.inspection.noteRefusal(event, error, from);
    throw error;
  }
}

/** Nothing that arrives is read. */
function silentSocket(): RealtimeSocket {
  return {
    id: `inspector-${randomUUID()}`,
    bufferedBytes: 0,
    send: () => undefined,
    close: () => undefined,
  };
}

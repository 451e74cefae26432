// Messages to channels without a socket. Every message is checked before the first one is sent.
import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { type Rights, senderOf } from '#libs/realtime';
import { type BroadcastMessage, parseBroadcast } from '#libs/realtime-core';
import type { Credential } from '#libs/wire';

import { requireCapability } from '../http/require-capability.js';

/**
 * Sends the messages of a body. Throws INVALID_FRAME, FRAME_TOO_LARGE, RATE_LIMITED, UNAUTHORIZED, CAPABILITY_REQUIRED,
 * CHANNEL_REFUSED and POLICY_READS_MESSAGE; `details.field` is the path of the field.
 */
export async function broadcast(
  project: ProjectRuntime,
  { credential, network }: { readonly credential: Credential; readonly network: string },
  body: unknown,
): Promise<void> {
  requireCapability(credential, 'content.write');
  const messages = parseBroadcast(body);
  const { realtime } = project;
  checkSizes(messages, realtime.maxFrameBytes);
  const rights = await realtime.findRights(credential);
  if (rights === undefined) throw fail('UNAUTHORIZED');
  if (rights.role !== 'service_role') await checkTopics(project, rights, messages);
  // A refused request takes nothing from others.
  const sender = senderOf(rights, network);
  realtime.countMessages(messages.length, sender);
  realtime.broadcast(messages, sender);
}

function checkSizes(messages: readonly BroadcastMessage[], maxBytes: number): void {
  const large = messages.findIndex(({ payload }) => Buffer.byteLength(payload) > maxBytes);
  if (large === -1) return;
  throw fail('FRAME_TOO_LARGE', { maxBytes }, { details: { field: `messages[${large}].payload` } });
}

/** Public topics are for users; private ones for callers whom the policies of `realtime.messages` allow. */
async function checkTopics(
  { realtime }: ProjectRuntime,
  rights: Rights,
  messages: readonly BroadcastMessage[],
): Promise<void> {
  const allowed = new Set<string>();
  for (const [index, { topic, isPrivate }] of messages.entries()) {
    const details = { field: `messages[${index}].topic` };
    if (!isPrivate) {
      if (rights.role === 'anon') throw fail('UNAUTHORIZED', {}, { details });
      continue;
    }
    if (allowed.has(topic)) continue;
    // In order: a request holds one connection, and the first refusal is the answer.
    await realtime.requireSending(rights, topic, details);
    allowed.add(topic);
  }
}

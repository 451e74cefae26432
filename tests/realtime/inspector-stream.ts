// The stream in which administrators join channels as other callers, as tests read it.
import { request as httpRequest, type IncomingMessage } from 'node:http';

import { expect } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

export type InspectorEvent = Record<string, unknown>;

export interface InspectorStream {
  readonly response: IncomingMessage;
  /** Of one listener in their order: the name of the event, and its fields. */
  events(listener: number, name?: string): readonly InspectorEvent[];
  hasEnded(): boolean;
  close(): void;
}

export const inspectPath = '/api/admin/realtime/inspect';
export const visitor = { role: 'anon' };

/** Opens the stream; without `headers` with the secret key. */
export function inspect(
  project: ProjectUnderTest,
  listeners: readonly object[],
  headers: Readonly<Record<string, string>> = { apikey: project.secretKey },
  seconds = 60,
): Promise<InspectorStream> {
  const { hostname, port } = new URL(project.apiOrigin);
  const options = {
    hostname,
    port,
    path: inspectPath,
    method: 'POST',
    agent: false,
    headers: { host: project.host, 'content-type': 'application/json', ...headers },
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(options, (response) => {
      let text = '';
      let hasEnded = false;
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => (hasEnded = true)).on('error', () => undefined);
      resolve({
        response,
        events: (listener, name) =>
          eventsIn(text).filter(
            (event) =>
              event['listener'] === listener && (name === undefined || event['name'] === name),
          ),
        hasEnded: () => hasEnded,
        close: () => request.destroy(),
      });
    });
    request.on('error', reject);
    request.end(JSON.stringify({ listeners, seconds }));
  });
}

function eventsIn(text: string): readonly InspectorEvent[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name = '', data = '']) => {
    const { at, listener, of } = asRecord(JSON.parse(data));
    expect(Number.isNaN(Date.parse(String(at)))).toBe(false);
    return { name, listener, ...asRecord(of) };
  });
}

/** Waits until a listener has an event with these fields. */
export function has(
  stream: InspectorStream,
  listener: number,
  expected: object,
): Promise<InspectorEvent> {
  const isWanted = (event: InspectorEvent): boolean =>
    Object.entries(expected).every(
      ([name, value]) => JSON.stringify(event[name]) === JSON.stringify(value),
    );
  return waitFor(() => stream.events(listener).find(isWanted), {
    until: `an event ${JSON.stringify(expected)}`,
    ms: 20_000,
  });
}

/** The texts of the new rows that a listener has received. */
export function textsIn(stream: InspectorStream, listener: number): readonly unknown[] {
  return stream
    .events(listener, 'frame')
    .filter(({ event }) => event === 'rt:pg')
    .flatMap(({ frame }) => listOf(asRecord(frame)['e']))
    .map((entry) => asRecord(asRecord(asRecord(entry)['d'])['new'])['text']);
}

/** Waits until a listener has received the row with this text. */
export async function textUntil(
  stream: InspectorStream,
  listener: number,
  text: string,
): Promise<void> {
  await waitFor(() => textsIn(stream, listener).includes(text), {
    until: `the row ${text}`,
    ms: 20_000,
  });
}

/** What the project lists as refused lately. */
export async function refusalsOf(project: ProjectUnderTest): Promise<readonly unknown[]> {
  const { body } = await project.asService({ path: '/api/admin/realtime/refusals' });
  return listOf(asRecord(body)['refusals']);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

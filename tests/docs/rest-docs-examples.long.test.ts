// Runs the pages of docs/rest, each on two projects with the tables of the overview: one gets the requests, the other
// gets those of the client. Both return the answer of the page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileFunction } from 'node:vm';

import { createClient } from '#libs/sdk';

import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { patternOf, textPattern } from '../support/markdown.js';
import type { ProjectUnderTest } from '../support/project.js';
import { readPages } from './folder-pages.js';
import { type Exchange, readExamples } from './rest-examples.js';

/** One of the two projects, and the values of the placeholders of the page. */
interface Twin {
  readonly project: ProjectUnderTest;
  readonly gateway: Gateway;
  readonly credentials: ReadonlyMap<string, string>;
}

let deployment: Deployment;

beforeAll(async () => {
  deployment = await Deployment.shared();
});
afterAll(() => deployment.close());

const pages = readPages('docs/rest').map(({ path, text }) => ({
  path,
  examples: readExamples(text),
}));
const [overview] = pages;

describe.each(pages)('$path', ({ path, examples }) => {
  let spoken: Twin;
  let called: Twin;

  beforeAll(async () => {
    [spoken, called] = await Promise.all([openTwin(), openTwin()]);
    if (path === overview?.path) return;
    for (const { project } of [spoken, called]) await makeTables(project);
  });
  afterAll(() => Promise.all([spoken, called].map(({ gateway }) => gateway.close())));

  test.each(examples)('$name', async (example) => {
    if (example.kind === 'sql') {
      await Promise.all([spoken, called].map(({ project }) => project.sql(example.text)));
      return;
    }
    const reply = await send(spoken, example);
    expectReply(reply, example);
    if (example.counterpart === undefined) {
      expectReply(await send(called, example), example);
    } else {
      expectSame(await evaluate(called, example, example.counterpart), example);
    }
  });
});

async function makeTables(project: ProjectUnderTest): Promise<void> {
  for (const example of overview?.examples ?? []) {
    if (example.kind === 'sql') await project.sql(example.text);
  }
}

async function openTwin(): Promise<Twin> {
  const project = await deployment.createProject();
  const [ada, bob] = [
    await project.signUp('ada@example.org'),
    await project.signUp('bob@example.org'),
  ];
  const credentials = new Map([
    ['<ada>', ada.token],
    ['<bob>', bob.token],
    ['<secret key>', project.secretKey],
  ]);
  return { project, credentials, gateway: await openGateway(project) };
}

/** The text with credentials in place of their names. */
function filled(text: string, { credentials }: Twin): string {
  return text.replace(/<[a-z ]+>/g, (name) => credentials.get(name) ?? name);
}

function headersFor(twin: Twin, { headers }: Exchange): Record<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, filled(value, twin)] as const,
  );
  return Object.fromEntries(entries);
}

function send(twin: Twin, example: Exchange): Promise<Reply> {
  const { method, path, body } = example;
  return twin.project.send({ method, path, body, headers: headersFor(twin, example) });
}

function expectReply(reply: Reply, { answer }: Exchange): void {
  const shown = Object.keys(answer.headers).map((name) => [name, reply.headers[name]] as const);
  const headers = Object.entries(answer.headers).map(
    ([name, value]) => [name, textPattern(value)] as const,
  );
  expect({
    status: reply.status,
    headers: Object.fromEntries(shown),
    body: reply.body ?? lines(reply.text),
  }).toEqual({
    status: answer.status,
    headers: Object.fromEntries(headers),
    body: bodyPattern(answer.body ?? ''),
  });
}

function bodyPattern(body: string): unknown {
  if (body === '…') return expect.anything();
  const value = jsonOf(body);
  return value === undefined ? textPattern(body) : patternOf(value, 'whole');
}

/** Text with the line ends of a page, which has no empty line at its end. */
function lines(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/** The result of a counterpart of an example, by a client with the credential of the example. */
function evaluate(twin: Twin, example: Exchange, expression: string): Promise<unknown> {
  const { authorization, apikey } = headersFor(twin, example);
  const client = createClient(twin.gateway.url, apikey, {
    headers: { ...(authorization !== undefined && { authorization }) },
  });
  const run: (used: typeof client) => Promise<unknown> = compileFunction(`return ${expression}`, [
    'client',
  ]) as () => Promise<unknown>; // What the page awaits.
  return run(client);
}

/** The answer of the client says what the page's answer says. */
function expectSame(result: unknown, { answer, path }: Exchange): void {
  const { status, data, error, count } = asRecord(result);
  const total = /\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1];
  const body = bodyPattern(answer.body ?? '');
  const isError = answer.status >= 300;
  expect({
    status,
    data: typeof data === 'string' ? lines(data) : data,
    error: error && JSON.parse(JSON.stringify(error)),
    count,
  }).toEqual({
    status: answer.status,
    data: isError || body === '' ? null : path.endsWith('/batch') ? resultsIn(body) : body,
    error: isError ? expect.objectContaining(asRecord(body)) : null,
    count: total === undefined || isError ? null : Number(total),
  });
}

function resultsIn(envelope: unknown): unknown {
  return asRecord(asRecord(envelope)['data'])['results'];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// A client that shows tokens without a pause, while changes are evaluated: the feed of the project goes on.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { Visibility } from '#libs/realtime';
import { waitFor } from '#libs/testing';
import type { Credential } from '#libs/wire';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

let project: ProjectFixture;
let stage: HubStage;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.news (text text);
    create policy everybody on public.news using (true);
    grant select on public.news to anon, authenticated`);
  stage = await openHubStage(project);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await stage.close();
  await project.drop();
});

const session = (token: string): Credential => ({ kind: 'session', token });
const news = { topic: 'news', config: { postgres_changes: [{ table: 'news' }] } };

async function write(text: string): Promise<void> {
  await project.admin.query('insert into public.news values ($1)', [text]);
  stage.realtime.wake();
}

const textsIn = (client: Listener) =>
  client
    .frames('rt:pg')
    .flatMap(({ e }) => e as readonly { readonly d: { readonly new: { text: string } } }[])
    .map(({ d }) => d.new.text);

/** Shows the next credential during each evaluation for users; returns a function that ends it. */
function renewAlways(client: Listener, credentials: readonly Credential[]): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the object below
  const original = Visibility.prototype.decide;
  let [times, isOver] = [0, false];
  vi.spyOn(Visibility.prototype, 'decide').mockImplementation(async function (
    this: Visibility,
    question,
  ) {
    const credential = credentials[times % credentials.length];
    if (question.role === 'authenticated' && credential && !isOver) {
      times += 1;
      await stage.realtime.hub.frames.renew(client.member, credential);
    }
    return original.call(this, question);
  });
  return () => (isOver = true);
}

test('the same rights, read again, are no others', async () => {
  const ada = await stage.connect(session('ada-token'));
  await ada.join(news);
  const stop = renewAlways(ada, [session('ada-token')]);
  await write('once');
  await waitFor(() => textsIn(ada).length > 0).finally(stop);
  expect(textsIn(ada)).toEqual(['once']);
  ada.leave();
});

test('rights that change without a pause delay their own channel alone', async () => {
  const [ada, visitor] = [await stage.connect(session('ada-token')), await stage.connect()];
  for (const client of [ada, visitor]) await client.join(news);
  const stop = renewAlways(ada, [session('bob-token'), session('ada-token')]);
  try {
    for (const text of ['first', 'second']) {
      await write(text);
      await waitFor(() => textsIn(visitor).includes(text));
    }
  } finally {
    stop();
  }
  await write('third');
  await waitFor(() => textsIn(ada).includes('third'));
  const isTold = ada.frames('rt:system').some(({ code }) => code === 'CHANGES_MISSED');
  expect(isTold || textsIn(ada).includes('first')).toBe(true);
  for (const client of [ada, visitor]) client.leave();
});

// The metadata of a file is bounded wherever it enters, and lists stay small whatever earlier releases have stored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { dataOf, makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { FilePlace, localPlace } from './stored-files.js';
import { TusClient } from './tus-requests.js';
import { asUser, field, file, formOf, sendBytes } from './uploads-http.js';

const limit = 8 * 1024;
/** JSON of so many bytes. */
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
const tooLong = JSON.stringify(sized(limit + 1));
const refused = [400, 'INVALID_INPUT', 'metadata: it is longer than 8192 bytes'];

let deployment: Deployment;
let project: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let id: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'docs');
  ({ id } = await place.put({ bucket: 'docs', key: 'a.txt', ownerId: ada.id }));
}, 60_000);
afterAll(() => deployment.close());

const patch = (body: object) =>
  project.as(ada, { method: 'PATCH', path: `/api/files/${id}`, body });
const stored = () =>
  rowsIn(project, 'select key, user_metadata from storage.stored_files order by key');

describe('metadata of more than 8 KiB', () => {
  const ways: readonly { name: string; send: () => Promise<Reply> }[] = [
    { name: 'PATCH', send: () => patch({ metadata: sized(limit + 1) }) },
    {
      name: 'PATCH with nine megabytes',
      send: () => patch({ metadata: { a: 'x'.repeat(9_000_000) } }),
    },
    {
      name: 'PATCH with numbers that the database writes out',
      send: () => patch({ metadata: { a: Array.from({ length: 100 }, () => 1e300) } }),
    },
    {
      name: 'a form',
      send: () => {
        const { headers, body } = formOf(
          field('bucket', 'docs'),
          field('metadata', tooLong),
          file('x'),
        );
        return sendBytes(project, {
          path: '/api/files/',
          headers: { ...headers, ...asUser(ada) },
          body,
        });
      },
    },
    {
      name: 'PUT',
      send: () =>
        sendBytes(project, {
          method: 'PUT',
          path: `/api/files/object/docs/b.txt?metadata=${encodeURIComponent(tooLong)}`,
          headers: asUser(ada),
          body: 'x',
        }),
    },
    {
      name: 'an upload in parts',
      send: () =>
        new TusClient(project, asUser(ada)).create(1, { bucket: 'docs', metadata: tooLong }),
    },
  ];

  test.each(ways)('$name is refused by the name of the field, and nothing changes', async (way) => {
    const before = await stored();
    const reply = await way.send();
    // A form and a query may be refused for their own length before.
    if (reply.status !== 431 && reply.status !== 413) expect(refusalOf(reply)).toEqual(refused);
    expect(await stored()).toEqual(before);
    expect(await rowsIn(project, 'select from storage.uploads')).toEqual([]);
  });

  test('the largest metadata is taken by PATCH', async () => {
    const reply = await patch({ metadata: sized(limit) });
    expect([reply.status, dataOf(reply)]).toMatchObject([200, { metadata: sized(limit) }]);
  });

  test('the database refuses it, too', async () => {
    const change = `update storage.stored_files set user_metadata = jsonb_build_object('a', repeat('x', 13000))`;
    await expect(rowsIn(project, change)).rejects.toThrow(/more than 8 KiB/);
  });
});

describe('files of an earlier release with large metadata', () => {
  const keys = Array.from({ length: 8 }, (_, index) => `old/${index}.txt`);

  beforeAll(async () => {
    for (const key of keys) await place.put({ bucket: 'docs', key, ownerId: ada.id });
    // An earlier release has stored it before there were triggers.
    await rowsIn(project, 'alter table storage.stored_files disable trigger user');
    await rowsIn(
      project,
      `update storage.stored_files
       set user_metadata = (select jsonb_object_agg(i, gen_random_uuid()) from generate_series(1, 200000) i)
       where key like 'old/%'`,
    );
    await rowsIn(project, 'alter table storage.stored_files enable trigger user');
  }, 120_000);

  test('are listed without it, and say so', async () => {
    const reply = await project.as(ada, { path: '/api/files/list/docs?prefix=old' });
    expect(reply.status).toBe(200);
    const listed = asRecord(reply.body)['data'];
    expect(listed).toHaveLength(keys.length);
    expect(listed).toMatchObject(keys.map((key) => ({ key, metadata: {}, metadataOmitted: true })));
    expect(reply.text.length).toBeLessThan(20_000);
  });

  test('are described with it, one by one', async () => {
    const info = await project.as(ada, { path: `/api/files/object-info/docs/${keys[0]}` });
    const { metadata, metadataOmitted } = asRecord(dataOf(info));
    expect([Object.keys(asRecord(metadata)).length, metadataOmitted]).toEqual([200_000, undefined]);
  });

  test('are moved, and changed in all else', async () => {
    const body = { bucket: 'docs', from: keys[1], to: 'old/moved.txt' };
    const moved = await project.as(ada, { method: 'POST', path: '/api/files/move', body });
    const path = `/api/files/${String(asRecord(dataOf(moved))['id'])}`;
    const changed = await project.as(ada, { method: 'PATCH', path, body: { cacheControl: '60' } });
    expect([moved.status, changed.status]).toEqual([200, 200]);
  });

  test('are not copied with it', async () => {
    const body = { bucket: 'docs', from: keys[0], to: 'copy.txt' };
    const reply = await project.as(ada, { method: 'POST', path: '/api/files/copy', body });
    expect(refusalOf(reply)).toEqual(refused);
  });
});

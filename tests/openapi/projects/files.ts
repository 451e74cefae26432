// Files and buckets.
import { randomUUID } from 'node:crypto';

import { waitFor } from '#libs/testing';
import { canvas } from '../../storage/image-samples.js';
import { sendBytes } from '../../storage/uploads-http.js';
import { asRecord } from '../../support/deployment.js';
import type { Reply } from '../../support/http.js';
import type { ProjectWorld } from './world.js';

const dataOf = ({ body }: Reply) => asRecord(asRecord(body)['data']);
const idOf = (reply: Reply) => String(dataOf(reply)['id']);
const buckets = '/api/admin/storage/buckets';

export async function tryBuckets(world: ProjectWorld): Promise<void> {
  const { contract, service: as } = world;
  await contract.try(`POST ${buckets}`, { as });
  await contract.try(`POST ${buckets}`, { as, live: { slug: 'avatars', allowedMimeTypes: null } });
  const path = { slug: 'avatars' };
  await contract.try(`GET ${buckets}`, { as });
  await contract.try(`GET ${buckets}/{slug}`, { as, path });
  await contract.try(`PATCH ${buckets}/{slug}`, { as, path });
  await contract.try(`PUT ${buckets}/{slug}/cors`, { as, path });
  await contract.try(`GET ${buckets}/{slug}/cors`, { as, path });
  await contract.try(`DELETE ${buckets}/{slug}/cors`, { as, path });
  await contract.try(`POST ${buckets}/{slug}/recount`, { as, path });
  await contract.try(`DELETE ${buckets}/{slug}`, { as, path: { slug: 'pictures' } });
  await contract.try('GET /api/admin/storage/relocation', { as });
  // Without a store there is nowhere to move files to.
  await contract.try('POST /api/admin/storage/relocation', { as, status: 400 });
  await contract.try('DELETE /api/admin/storage/relocation', { as });
}

export async function tryFiles({ contract, asUser, service }: ProjectWorld): Promise<void> {
  const [as, bucket] = [asUser, 'avatars'];
  const at = (path: string) => ({ as, path: { bucket, path } });
  await contract.try('PUT /api/files/object/{bucket}/{path}', at('drafts/ada.png'));
  const made = await contract.try('POST /api/files', { as });
  const path = { id: idOf(made) };
  await contract.try('GET /api/files/list/{bucket}', { as, path: { bucket } });
  await contract.try(`GET ${buckets}/{slug}/files`, { as: service, path: { slug: bucket } });
  await contract.try('HEAD /api/files/object/{bucket}/{path}', at('notes.txt'));
  await contract.try('GET /api/files/object/{bucket}/{path}', at('notes.txt'));
  await contract.try('GET /api/files/object-info/{bucket}/{path}', at('notes.txt'));
  await contract.try('GET /api/files/object-url/{bucket}/{path}', at('notes.txt'));
  await contract.try('GET /api/files/{id}', { as, path });
  await contract.try('GET /api/files/{id}/url', { as, path, query: { expiresIn: '60' } });
  await contract.try('HEAD /api/files/{id}/raw', { as, path });
  await contract.try('GET /api/files/{id}/raw', { as, path });
  await contract.try('PATCH /api/files/{id}', { as, path });
  await contract.try('POST /api/files/copy', { as });
  await contract.try('POST /api/files/move', { as, live: { to: 'moved.png' } });
  await contract.try('POST /api/files/remove', { as });
  await contract.try('DELETE /api/files/{id}', { as, path });
  await contract.try('DELETE /api/files/object/{bucket}/{path}', at('moved.png'));
  // Presigned uploads need S3: with files in a folder they are refused, in the described shape.
  await contract.try('POST /api/files/presign', { as, status: 400 });
  await contract.try('POST /api/files/{id}/finalize', {
    as,
    path: { id: randomUUID() },
    status: 404,
  });
}

export async function tryResumable({ contract, asUser: as }: ProjectWorld): Promise<void> {
  const tus = { 'tus-resumable': '1.0.0' };
  await contract.try('OPTIONS /api/files/resumable');
  const begun = await contract.try('POST /api/files/resumable', {
    as,
    headers: { ...tus, 'upload-length': '12' },
  });
  const path = { id: String(begun.headers.location).split('/').at(-1) ?? '' };
  await contract.try('HEAD /api/files/resumable/{id}', { as, path, headers: tus });
  const headers = { ...tus, 'upload-offset': '0' };
  await contract.try('PATCH /api/files/resumable/{id}', { as, path, headers });
  const other = await contract.try('POST /api/files/resumable', {
    as,
    headers: { ...tus, 'upload-length': '12' },
  });
  await contract.try('DELETE /api/files/resumable/{id}', {
    as,
    path: { id: String(other.headers.location).split('/').at(-1) ?? '' },
    headers: tus,
  });
}

export async function tryTokens({ contract, service: as }: ProjectWorld): Promise<void> {
  const path = { slug: 'avatars' };
  const tokenOf = async (kind: string) => {
    const made = await contract.try(`POST ${buckets}/{slug}/tokens`, { as, path, live: { kind } });
    return { id: idOf(made), headers: { 'x-bucket-token': String(dataOf(made)['token']) } };
  };
  const [write, read, remove] = [
    await tokenOf('write'),
    await tokenOf('read'),
    await tokenOf('delete'),
  ];
  const upload = 'POST /api/storage/{slug}/upload';
  await contract.try(upload, { path, headers: write.headers });
  await contract.try(upload, {
    path,
    type: 'application/octet-stream',
    query: { path: 'raw.txt' },
    headers: write.headers,
  });
  const file = { path: { ...path, path: 'notes.txt' } };
  await contract.try('HEAD /api/storage/{slug}/files/{path}', { ...file, headers: read.headers });
  await contract.try('GET /api/storage/{slug}/files/{path}', { ...file, headers: read.headers });
  await contract.try('DELETE /api/storage/{slug}/files/{path}', {
    ...file,
    headers: remove.headers,
  });
  await contract.try(`GET ${buckets}/{slug}/tokens`, { as, path });
  await contract.try(`DELETE ${buckets}/{slug}/tokens/{id}`, {
    as,
    path: { ...path, id: read.id },
  });
}

export async function tryWebhooks({ contract, web, service: as }: ProjectWorld): Promise<void> {
  const hooks = `${buckets}/{slug}/webhooks`;
  const ofBucket = { slug: 'avatars' };
  const live = { url: `${web.origin}/files` };
  const made = await contract.try(`POST ${hooks}`, { as, path: ofBucket, live });
  const path = { ...ofBucket, id: idOf(made) };
  await contract.try(`GET ${hooks}`, { as, path: ofBucket });
  await contract.try(`GET ${hooks}/{id}`, { as, path });
  await contract.try(`PATCH ${hooks}/{id}`, { as, path });
  await contract.try(`POST ${hooks}/{id}/rotate-secret`, { as, path });
  await contract.try(`POST ${hooks}/{id}/test`, { as, path });
  await contract.try('PUT /api/files/object/{bucket}/{path}', {
    as,
    path: { bucket: 'avatars', path: 'told.txt' },
  });
  const list = () => contract.try(`GET ${hooks}/{id}/deliveries`, { as, path });
  const deliveries = (reply: Reply) =>
    asRecord(reply.body)['data'] as readonly { readonly id: string }[];
  await waitFor(async () => deliveries(await list()).length > 0);
  const deliveryId = deliveries(await list())[0]?.id ?? '';
  await contract.try(`POST ${hooks}/{id}/deliveries/{deliveryId}/redeliver`, {
    as,
    path: { ...path, deliveryId },
  });
  await contract.try(`DELETE ${hooks}/{id}`, { as, path });
}

export async function tryImages({ contract, project, service: as }: ProjectWorld): Promise<void> {
  const made = await sendBytes(project, {
    method: 'PUT',
    path: '/api/files/object/avatars/red.png',
    headers: { ...as, 'content-type': 'image/png' },
    body: await canvas(40, 30).png().toBuffer(),
  });
  if (made.status !== 201) throw new Error(made.text);
  await contract.try('GET /storage/v1/render/image', {
    as,
    query: { bucket: 'avatars', path: 'red.png', width: '20' },
  });
  const id = String(asRecord(asRecord(made.body)['data'])['id']);
  await contract.try('GET /api/files/{id}/image', { as, path: { id }, query: { width: '20' } });
}

export async function tryEmptying({ contract, service: as }: ProjectWorld): Promise<void> {
  const path = { slug: 'avatars' };
  await contract.try(`POST ${buckets}/{slug}/empty`, { as, path });
  await contract.try(`GET ${buckets}/{slug}/empty`, { as, path });
}

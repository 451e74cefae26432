// Edge functions: code, versions, secrets, tokens and records. Needs Deno.
import { asRecord } from '../../support/deployment.js';
import type { ProjectWorld } from './world.js';

const admin = (route: string) => route.replace(' ', ' /api/admin/functions');

export async function tryFunctions({ contract, service: as }: ProjectWorld): Promise<void> {
  const path = { slug: 'hello' };
  await contract.try(admin('POST '), { as });
  await contract.try(admin('PUT /{slug}'), { as, path });
  await contract.try(admin('PATCH /{slug}'), { as, path, live: { route: 'hello' } });
  await contract.try('POST /api/edge/{path}', { as, path: { path: 'hello' } });
  await contract.try('GET /api/edge/{path}', { as, path: { path: 'hello' } });
  await contract.try(admin('GET '), { as });
  await contract.try(admin('GET /{slug}'), { as, path });
  await contract.try(admin('GET /{slug}/versions'), { as, path });
  const second = { ...path, version: '2' };
  await contract.try(admin('GET /{slug}/versions/{version}'), { as, path: second });
  const query = { with: '1' };
  await contract.try(admin('GET /{slug}/versions/{version}/diff'), { as, path: second, query });
  await contract.try(admin('POST /{slug}/activate'), { as, path });
  await contract.try(admin('GET /logs'), { as });
  await contract.try(admin('GET /invocations'), { as });
  await contract.try(admin('GET /logs/stream'), { as, query: { seconds: '1' } });
  await contract.try(admin('DELETE /{slug}'), { as, path });
}

export async function tryFunctionSecrets({ contract, service: as }: ProjectWorld): Promise<void> {
  await contract.try(admin('PUT /secrets'), { as });
  await contract.try(admin('GET /secrets'), { as });
  await contract.try(admin('DELETE /secrets'), { as });
  const made = await contract.try(admin('POST /tokens'), { as });
  await contract.try(admin('GET /tokens'), { as });
  const path = { id: String(asRecord(made.body)['id']) };
  await contract.try(admin('DELETE /tokens/{id}'), { as, path });
}

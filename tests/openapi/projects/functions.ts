// Edge functions: code, versions, secrets, tokens, schedules, triggers and records. Needs Deno.
import { asRecord } from '../../support/deployment.js';
import type { Contract, Fields } from '../contract.js';
import type { Headers, ProjectWorld } from './world.js';

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

/** After {@link tryFunctions}, which removes its function. */
export async function tryCallsByTheProject({
  contract,
  project,
  service: as,
}: ProjectWorld): Promise<void> {
  const made = await contract.try(admin('POST '), { as });
  const live = { function: String(asRecord(made.body)['slug']) };
  await trySchedules(contract, as, live);
  await tryTriggers({ contract, project, as, live });
  await contract.try(admin('DELETE /{slug}'), { as, path: { slug: live.function } });
}

async function trySchedules(contract: Contract, as: Headers, live: Fields): Promise<void> {
  const made = await contract.try(admin('POST /schedules'), { as, live });
  const path = { id: String(asRecord(made.body)['id']) };
  await contract.try(admin('PATCH /schedules/{id}'), { as, path, live });
  await contract.try(admin('POST /schedules/{id}/run'), { as, path });
  await contract.try(admin('GET /schedules'), { as });
  await contract.try(admin('GET /schedules/{id}/runs'), { as, path });
  await contract.try(admin('DELETE /schedules/{id}'), { as, path });
}

async function tryTriggers({
  contract,
  project,
  as,
  live,
}: Pick<ProjectWorld, 'contract' | 'project'> & {
  readonly as: Headers;
  readonly live: Fields;
}): Promise<void> {
  const made = await contract.try(admin('POST /triggers'), { as, live });
  const path = { id: String(asRecord(made.body)['id']) };
  await project.sql(`insert into posts (title, is_published) values ('Hello', true)`);
  await contract.try(admin('GET /triggers'), { as });
  await contract.try(admin('GET /triggers/{id}/deliveries'), { as, path });
  const all = { ...path, delivery: 'all' };
  await contract.try(admin('POST /triggers/{id}/deliveries/{delivery}/retry'), { as, path: all });
  await contract.try(admin('PATCH /triggers/{id}'), { as, path });
  await contract.try(admin('DELETE /triggers/{id}'), { as, path });
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

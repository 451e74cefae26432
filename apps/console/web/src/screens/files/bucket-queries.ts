// What the parts of a bucket read and change: CORS rules, tokens, and webhooks with their deliveries.
import { queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs, watchMs } from '../../api/refresh.js';
import { bucketsKey, filesKey } from './queries.js';

export type Token = ProjectSchemas['TokenView'];
export type Webhook = ProjectSchemas['WebhookView'];
export type Delivery = ProjectSchemas['DeliveryView'];
export type RelocationView = ProjectSchemas['RelocationView'];

/** Deliveries of one request. */
export const deliveriesPerPage = 25;

const bucketRoute = '/api/admin/storage/buckets/{slug}' as const;
const hookRoute = `${bucketRoute}/webhooks/{id}` as const;

export const tokensQuery = (ref: string, slug: string) =>
  queryOptions({
    queryKey: [...bucketsKey(ref), slug, 'tokens'],
    queryFn: async () =>
      (await answer(projectApi(ref).GET(`${bucketRoute}/tokens`, { params: { path: { slug } } })))
        .data,
    refetchInterval: refreshMs,
    retry: false,
  });

export const createToken = (ref: string, slug: string, body: ProjectSchemas['CreateTokenBody']) =>
  answer(projectApi(ref).POST(`${bucketRoute}/tokens`, { params: { path: { slug } }, body }));

export const deleteToken = (ref: string, slug: string, id: string) =>
  answer(projectApi(ref).DELETE(`${bucketRoute}/tokens/{id}`, { params: { path: { slug, id } } }));

export const saveCors = (ref: string, slug: string, rules: ProjectSchemas['CorsRuleBody'][]) =>
  answer(projectApi(ref).PUT(`${bucketRoute}/cors`, { params: { path: { slug } }, body: rules }));

export const webhooksQuery = (ref: string, slug: string) =>
  queryOptions({
    queryKey: [...bucketsKey(ref), slug, 'webhooks'],
    queryFn: async () =>
      (await answer(projectApi(ref).GET(`${bucketRoute}/webhooks`, { params: { path: { slug } } })))
        .data,
    refetchInterval: refreshMs,
    retry: false,
  });

export const createWebhook = (
  ref: string,
  slug: string,
  body: ProjectSchemas['CreateWebhookBody'],
) => answer(projectApi(ref).POST(`${bucketRoute}/webhooks`, { params: { path: { slug } }, body }));

/** The place of a webhook. */
export interface HookPath {
  readonly slug: string;
  readonly id: string;
}

export const changeWebhook = (
  ref: string,
  path: HookPath,
  body: ProjectSchemas['ChangeWebhookBody'],
) => answer(projectApi(ref).PATCH(hookRoute, { params: { path }, body }));

export const deleteWebhook = (ref: string, path: HookPath) =>
  answer(projectApi(ref).DELETE(hookRoute, { params: { path } }));

export const rotateSecret = (ref: string, path: HookPath) =>
  answer(projectApi(ref).POST(`${hookRoute}/rotate-secret`, { params: { path } }));

export const testWebhook = (ref: string, path: HookPath) =>
  answer(projectApi(ref).POST(`${hookRoute}/test`, { params: { path } }));

/** A page of the deliveries to a webhook, the newest first. */
export const deliveriesQuery = (ref: string, path: HookPath, page: number) =>
  queryOptions({
    queryKey: [...bucketsKey(ref), path.slug, 'webhooks', path.id, 'deliveries', page],
    queryFn: () => {
      const query = { limit: deliveriesPerPage, offset: page * deliveriesPerPage };
      return answer(projectApi(ref).GET(`${hookRoute}/deliveries`, { params: { path, query } }));
    },
    refetchInterval: refreshMs,
    retry: false,
  });

export const redeliver = (ref: string, path: HookPath, deliveryId: string) =>
  answer(
    projectApi(ref).POST(`${hookRoute}/deliveries/{deliveryId}/redeliver`, {
      params: { path: { ...path, deliveryId } },
    }),
  );

/** How far the last move of files to another driver is. */
export const relocationQuery = (ref: string) =>
  queryOptions({
    queryKey: [...filesKey(ref), 'relocation'],
    queryFn: async () => (await answer(projectApi(ref).GET('/api/admin/storage/relocation'))).data,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? watchMs : refreshMs),
    retry: false,
  });

export const startRelocation = (ref: string) =>
  answer(projectApi(ref).POST('/api/admin/storage/relocation', { body: {} }));

export const stopRelocation = (ref: string) =>
  answer(projectApi(ref).DELETE('/api/admin/storage/relocation'));

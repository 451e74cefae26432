// What the settings of a project read. Others change them, too: what is open is read again every 15 seconds.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';

const pageSize = 20;
const listSize = 50;

/** The first page begins after no row. */
const noPage = (): string | undefined => undefined;

export type Version = ProjectSchemas['SettingsVersion'];
export type Delivery = ProjectSchemas['HookDeliveryView'];
export type Message = ProjectSchemas['MessageRow'];

const keyOf = (ref: string, ...rest: readonly unknown[]) => ['projects', ref, 'settings', ...rest];

/** The declarations of all groups; they change with the release alone. */
export const groupsQuery = (ref: string) =>
  queryOptions({
    queryKey: keyOf(ref, 'groups'),
    queryFn: () => answer(projectApi(ref).GET('/api/admin/settings')),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** How far each way to sign in is set up. Beside the key of the same answer on the home of the project. */
export const statusesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'auth-status'],
    queryFn: () => answer(projectApi(ref).GET('/api/admin/auth/status')),
    refetchInterval: refreshMs,
  });

export const groupQuery = (ref: string, group: string) =>
  queryOptions({
    queryKey: keyOf(ref, 'group', group),
    queryFn: () =>
      answer(
        projectApi(ref).GET('/api/admin/settings/{group}/sources', { params: { path: { group } } }),
      ),
    refetchInterval: refreshMs,
  });

export const historyQuery = (ref: string, group: string) =>
  infiniteQueryOptions({
    queryKey: keyOf(ref, 'history', group),
    queryFn: ({ pageParam }) => {
      const query = { limit: pageSize, ...(pageParam !== undefined && { before: pageParam }) };
      const params = { path: { group }, query };
      return answer(projectApi(ref).GET('/api/admin/settings/{group}/history', { params }));
    },
    initialPageParam: noPage(),
    getNextPageParam: ({ versions }) =>
      versions.length === pageSize ? versions.at(-1)?.id : undefined,
    refetchInterval: refreshMs,
  });

/** The kinds of mail with their variables and defaults. */
export const templatesQuery = (ref: string) =>
  queryOptions({
    queryKey: keyOf(ref, 'templates'),
    queryFn: () => answer(projectApi(ref).GET('/api/admin/settings/email/templates')),
  });

export const deliveryStates = ['succeeded', 'failed', 'pending', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveriesQuery = (ref: string, status: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: keyOf(ref, 'deliveries', status),
    queryFn: ({ pageParam }) => {
      const query = {
        limit: listSize,
        ...(status && { status }),
        ...(pageParam !== undefined && { before: pageParam }),
      };
      return answer(projectApi(ref).GET('/api/admin/hooks/deliveries', { params: { query } }));
    },
    initialPageParam: noPage(),
    getNextPageParam: ({ deliveries }) =>
      deliveries.length === listSize ? deliveries.at(-1)?.id : undefined,
    refetchInterval: refreshMs,
  });

export const messageStates = ['queued', 'sending', 'sent', 'failed'] as const;
export type MessageState = (typeof messageStates)[number];

export const messagesQuery = (ref: string, status: MessageState | undefined) =>
  infiniteQueryOptions({
    queryKey: keyOf(ref, 'messages', status),
    queryFn: ({ pageParam }) => {
      const query = {
        limit: listSize,
        ...(status && { status }),
        ...(pageParam !== undefined && { before: pageParam }),
      };
      return answer(projectApi(ref).GET('/api/admin/messages', { params: { query } }));
    },
    initialPageParam: noPage(),
    getNextPageParam: ({ messages }) =>
      messages.length === listSize ? messages.at(-1)?.id : undefined,
    refetchInterval: refreshMs,
  });

export const inboxQuery = (ref: string) =>
  infiniteQueryOptions({
    queryKey: keyOf(ref, 'inbox'),
    queryFn: ({ pageParam }) => {
      const query = { limit: listSize, ...(pageParam !== undefined && { before: pageParam }) };
      return answer(projectApi(ref).GET('/api/admin/inbox', { params: { query } }));
    },
    initialPageParam: noPage(),
    getNextPageParam: ({ mails }) => (mails.length === listSize ? mails.at(-1)?.id : undefined),
    refetchInterval: refreshMs,
  });

export const mailQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: keyOf(ref, 'mail', id),
    queryFn: () =>
      answer(projectApi(ref).GET('/api/admin/inbox/{id}', { params: { path: { id } } })),
  });

export const ssoProvidersQuery = (ref: string) =>
  queryOptions({
    queryKey: keyOf(ref, 'sso'),
    queryFn: async () => {
      const { providers } = await answer(projectApi(ref).GET('/api/admin/sso/providers'));
      return providers;
    },
    refetchInterval: refreshMs,
  });

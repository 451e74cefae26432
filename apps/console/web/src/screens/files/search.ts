// What the texts of the address mean (route.ts).
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

import type { FilesSearch } from './files-search.js';

export const orderFields = ['name', 'size', 'updatedAt'] as const;
export type OrderField = (typeof orderFields)[number];

export interface Order {
  readonly field: OrderField;
  readonly direction: 'asc' | 'desc';
}

/** The parts of a bucket. */
export const parts = {
  files: 'Files',
  access: 'Access',
  tokens: 'Tokens',
  webhooks: 'Webhooks',
} as const;
export type Part = keyof typeof parts;

/** By name, A to Z, unless the address says another order. */
export function readOrder(text: string | undefined): Order {
  const [field, direction] = (text ?? '').split('.');
  return {
    field: orderFields.find((known) => known === field) ?? 'name',
    direction: direction === 'desc' ? 'desc' : 'asc',
  };
}

/** The order in the address; undefined for the usual one. */
export function orderText({ field, direction }: Order): string | undefined {
  return field === 'name' && direction === 'asc' ? undefined : `${field}.${direction}`;
}

/** The order after a press on the head of a column. */
export function nextOrder(now: Order, field: OrderField): Order {
  if (now.field === field) return { field, direction: now.direction === 'asc' ? 'desc' : 'asc' };
  return { field, direction: field === 'name' ? 'asc' : 'desc' };
}

export function readPart(text: string | undefined): Part {
  return keysOf(parts).find((known) => known === text) ?? 'files';
}

/** The folder that the address names: empty, or with a slash at the end. */
export function readFolder(text: string | undefined): string {
  if (text === undefined || text === '') return '';
  return text.endsWith('/') ? text : `${text}/`;
}

/** Changes some parameters of the address. Typing in the search field makes no history. */
export function useSetSearch(): (change: FilesSearch) => void {
  const navigate = useNavigate({ from: '/projects/$ref/files' });
  return useCallback(
    (change) =>
      void navigate({
        search: (before) => ({ ...before, ...change }),
        replace: 'q' in change && Object.keys(change).length === 1,
        resetScroll: false,
      }),
    [navigate],
  );
}

function keysOf<T extends object>(table: T): readonly (keyof T & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a constant table has the keys of its type alone
  return Object.keys(table) as (keyof T & string)[];
}

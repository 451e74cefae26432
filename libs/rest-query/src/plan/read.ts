import type { Table } from '#libs/catalog';
import type { ReadPlan, ReadRequest } from '../types.js';
import { planRepresentation, resolveFilter } from './columns.js';

/** The plan of GET and HEAD. `maxRows` is both the default and the ceiling of `limit`. */
export function planRead(table: Table, request: ReadRequest, maxRows: number): ReadPlan {
  const { offset, limit } = request.window;
  return {
    kind: 'read',
    table,
    where: resolveFilter(table, request.where),
    rows: planRepresentation(table, request),
    readsRows: request.readsRows,
    window: { offset, limit: Math.min(limit ?? maxRows, maxRows) },
    count: request.preferences.count,
    maxRows,
  };
}

// Tables for tests.
import type { SchemaColumn, SchemaForeignKey, SchemaTable } from './schema.js';

export const column = (name: string, fields: Partial<SchemaColumn> = {}): SchemaColumn => ({
  name,
  type: 'text',
  baseType: 'text',
  category: 'S',
  isNullable: true,
  default: null,
  isGenerated: false,
  identity: null,
  enumValues: null,
  comment: null,
  ...fields,
});

export const foreignKey = (
  from: string,
  table: string,
  fields: Partial<SchemaForeignKey> = {},
): SchemaForeignKey => ({
  name: `${from}_fkey`,
  columns: [from],
  schema: 'public',
  table,
  foreignColumns: ['id'],
  onUpdate: 'no action',
  onDelete: 'no action',
  ...fields,
});

export const table = (name: string, fields: Partial<SchemaTable> = {}): SchemaTable => ({
  schema: 'public',
  name,
  kind: 'table',
  partitionOf: null,
  comment: null,
  hasRls: true,
  policyCount: 1,
  estimatedRows: 0,
  bytes: 8192,
  isExposed: true,
  primaryKey: ['id'],
  columns: [column('id', { type: 'bigint', isNullable: false }), column('name')],
  foreignKeys: [],
  ...fields,
});

/** Customers with orders and their lines, notes that nothing refers to, and a partition. */
export const shop: readonly SchemaTable[] = [
  table('customers', { foreignKeys: [foreignKey('id', 'user', { schema: 'auth' })] }),
  table('orders', {
    columns: [column('id'), column('customer', { isNullable: false }), column('note')],
    foreignKeys: [foreignKey('customer', 'customers')],
  }),
  table('lines', {
    columns: [column('id'), column('order'), column('after')],
    foreignKeys: [foreignKey('order', 'orders'), foreignKey('after', 'lines')],
  }),
  table('notes'),
  table('orders_2026', { partitionOf: 'orders' }),
];

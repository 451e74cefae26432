// How rows of one table lead to rows of another.
import type { RoutineName, Table } from './catalog.js';

/** How a request names a relationship: `relation!hint`. */
export interface RelationName {
  readonly relation: string;
  readonly hint: string | undefined;
}

/** `from` of the table where the way begins equals `to` of the table that it leads to. */
export interface ColumnPair {
  readonly from: string;
  readonly to: string;
}

export type Relationship =
  | {
      readonly kind: 'foreign-key';
      /** `one` along the key and back along a unique key, else `many`. */
      readonly cardinality: 'one' | 'many';
      /** Name of the constraint. */
      readonly constraint: string;
      readonly from: Table;
      readonly to: Table;
      readonly pairs: readonly ColumnPair[];
    }
  | {
      readonly kind: 'junction';
      readonly cardinality: 'many';
      readonly from: Table;
      readonly to: Table;
      readonly through: Table;
      /** From the table to the junction. */
      readonly near: { readonly constraint: string; readonly pairs: readonly ColumnPair[] };
      /** From the junction to the target. */
      readonly far: { readonly constraint: string; readonly pairs: readonly ColumnPair[] };
    }
  | {
      readonly kind: 'computed';
      readonly cardinality: 'one' | 'many';
      readonly from: Table;
      readonly to: Table;
      readonly routine: RoutineName;
      /** SECURITY DEFINER: it runs with the rights of its owner. */
      readonly isDefiner: boolean;
    };

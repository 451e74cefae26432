export type {
  FunctionArgs,
  FunctionReturns,
  FunctionTable,
  GenericDatabase,
  GenericFunction,
  GenericRelationship,
  GenericSchema,
  GenericTable,
  GenericView,
  Json,
  LooseRow,
  TableInsert,
  TableRow,
  TableUpdate,
} from './database.js';
export type { SelectResult } from './select-result.js';

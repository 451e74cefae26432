// The result of a statement as the server sends it: every value is the text that PostgreSQL writes.

export interface ResultField {
  readonly name: string;
  readonly type: string;
}

export interface StatementResult {
  readonly command: string;
  readonly fields: readonly ResultField[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly rowCount: number;
  readonly isCut: boolean;
  readonly durationMs: number;
  readonly notices: readonly { readonly severity: string; readonly message: string }[];
}

const numbers = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid']);
const times = new Set(['date', 'timestamp', 'timestamptz']);

export const isNumeric = ({ type }: ResultField): boolean => numbers.has(type);
export const isTime = ({ type }: ResultField): boolean => times.has(type);
export const isJson = ({ type }: ResultField): boolean => type === 'json' || type === 'jsonb';

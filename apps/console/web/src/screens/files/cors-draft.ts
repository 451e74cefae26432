// CORS rules as texts of a form, and back.
import type { ProjectSchemas } from '../../api/client.js';

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A rule as it is typed; lists have commas between their entries. */
export interface CorsDraft {
  readonly origins: string;
  readonly methods: readonly string[];
  readonly allowedHeaders: string;
  readonly exposedHeaders: string;
  readonly maxAgeSeconds: string;
}

export const emptyDraft: CorsDraft = {
  origins: '',
  methods: ['GET'],
  allowedHeaders: '',
  exposedHeaders: '',
  maxAgeSeconds: '600',
};

export function draftsOf(rules: readonly unknown[]): readonly CorsDraft[] {
  return rules.map((rule) => {
    const fields: Readonly<Record<string, unknown>> =
      typeof rule === 'object' && rule !== null ? { ...rule } : {};
    const list = (name: string): readonly string[] => {
      const value = fields[name];
      return Array.isArray(value) ? value.map(String) : [];
    };
    return {
      origins: list('origins').join(', '),
      methods: list('methods'),
      allowedHeaders: list('allowedHeaders').join(', '),
      exposedHeaders: list('exposedHeaders').join(', '),
      maxAgeSeconds: JSON.stringify(fields['maxAgeSeconds'] ?? 600),
    };
  });
}

/** A rule without methods covers no request. */
export const lacksMethods = ({ methods: chosen }: CorsDraft): boolean => chosen.length === 0;

export function ruleOf(draft: CorsDraft): ProjectSchemas['CorsRuleBody'] {
  return {
    origins: entriesOf(draft.origins),
    methods: [...draft.methods],
    allowedHeaders: entriesOf(draft.allowedHeaders),
    exposedHeaders: entriesOf(draft.exposedHeaders),
    maxAgeSeconds: Number(draft.maxAgeSeconds),
  };
}

function entriesOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

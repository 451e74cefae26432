import { expect, test } from 'vitest';

import { typeOf } from './types-part.js';

const types = `export type Database = {
  public: {
    Tables: {
      a: {
        Row: {
          id: number;
        };
      };
      "b: {": {
        Row: {
          id: string;
        };
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      a: {
        Args: Record<PropertyKey, never>;
      };
      search: 
        | {
          Args: { text: string; };
        }
        | {
          Args: { id: number; };
        };
      tick: {
        Returns: null;
      };
    };
  };
};`;

test.each([
  {
    name: 'the first table',
    of: ['Tables', 'a'] as const,
    text: 'a: {\n  Row: {\n    id: number;\n  };\n};',
  },
  {
    name: 'the last table, whose name is quoted',
    of: ['Tables', 'b: {'] as const,
    text: '"b: {": {\n  Row: {\n    id: string;\n  };\n};',
  },
  {
    name: 'the last function',
    of: ['Functions', 'tick'] as const,
    text: 'tick: {\n  Returns: null;\n};',
  },
  { name: 'none of what is not there', of: ['Functions', 'b: {'] as const, text: undefined },
])('$name', ({ of: [section, name], text }) => {
  expect(typeOf(types, section, name)).toBe(text);
});

test('a function with several forms is whole', () => {
  expect(typeOf(types, 'Functions', 'search')).toMatch(
    /^search: \n {2}\| \{[^]*id: number[^]*\};$/,
  );
});

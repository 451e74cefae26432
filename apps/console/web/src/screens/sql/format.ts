import { formatDialect, postgresql } from 'sql-formatter';

/** The text in a form that is easy to read; undefined if it cannot be read as SQL. */
export function formatSql(text: string): string | undefined {
  try {
    return formatDialect(text, {
      dialect: postgresql,
      tabWidth: 2,
      keywordCase: 'lower',
      dataTypeCase: 'lower',
      functionCase: 'preserve',
      expressionWidth: 80,
    });
  } catch (error) {
    // The library throws plain errors with the place that it cannot read.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

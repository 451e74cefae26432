// The documents of the repository.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of all documents: those of the root, of docs with its folders, and of the client. */
export function listDocuments(): readonly string[] {
  const isDocument = (file: string): boolean => file.endsWith('.md');
  const root = readdirSync('.').filter(isDocument);
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(isDocument);
  return [...root, ...docs.map((file) => join('docs', file)), 'libs/sdk/README.md'];
}

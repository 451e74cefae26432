import { DefaultNamingStrategy } from 'typeorm';

/** Entity `ProjectDomain` is table `project_domain`, property `createdAt` is column `created_at`. */
export class SnakeCase extends DefaultNamingStrategy {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? snakeCase(className);
  }

  override columnName(propertyName: string, customName: string, prefixes: string[]): string {
    return [...prefixes, customName || propertyName].map(snakeCase).join('_');
  }
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

import { fail } from '#libs/errors';

/**
 * What `load` imports. For packages that only some projects need: they are loaded with the first engine that
 * does, and by the process once. Throws INTERNAL_ERROR (500) with the cause when the package cannot be loaded,
 * which is a fault of the installation and not of a project's settings.
 */
export async function loadPackage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw fail('INTERNAL_ERROR', {}, { cause });
  }
}

export function initialFiles(
  page: string,
  names: readonly string[],
  read: (name: string) => Promise<string>,
): Promise<readonly string[]>;

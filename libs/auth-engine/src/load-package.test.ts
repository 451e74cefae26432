import { expect, test } from 'vitest';
import { loadPackage } from './load-package.js';

const missing: string = './not-there.js';

test('a package that cannot be loaded is a failure of ours, with what is missing as its cause', async () => {
  await expect(loadPackage(() => import(missing))).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
    status: 500,
    cause: { message: expect.stringContaining('not-there.js') },
  });
});

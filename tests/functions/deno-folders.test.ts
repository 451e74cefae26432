// The folders of a project, where the server runs as root: what code does there that has left its sandbox.
import { spawnSync } from 'node:child_process';
import { chown, lstat, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { describeIf } from '#libs/testing';

import {
  canRunFunctions,
  type FixtureProject,
  type FunctionsFixture,
  openFixture,
} from './functions-fixture.js';

const isRoot = process.getuid?.() === 0;

describeIf(canRunFunctions && isRoot, 'no functions, or not root')(
  'the folders of a project',
  () => {
    let fixture: FunctionsFixture;
    let project: FixtureProject;
    let folder: string;
    let id: number;
    beforeEach(async () => {
      fixture = await openFixture();
      project = fixture.open({ ref: 'owner' });
      folder = join(fixture.folder, 'functions/projects/owner');
      const version = await project.deploy('hello', `Deno.serve(() => new Response('hello'));`);
      expect((await project.call(version)).text).toBe('hello');
      id = (await lstat(folder)).gid;
    });
    afterEach(() => fixture.close());

    const asUser = (script: string, uid = id): number | null =>
      spawnSync('/bin/sh', ['-c', script], { cwd: folder, uid, gid: uid }).status;

    test('have no entries that their user changes and root follows', () => {
      const own = 'cd code/hello-*/functions/hello';
      expect(asUser(`${own} && cat index.ts`)).toBe(0);
      const refused = [
        'mkdir x',
        'mkdir code/x',
        'mv home x',
        'mv code/hello-* code/x',
        `${own} && touch x`,
        `${own} && echo x >> index.ts`,
      ];
      expect(refused.filter((script) => asUser(script) === 0)).toEqual([]);
    });

    test('are closed to the users of others, and open for Deno to its own', () => {
      expect(asUser('ls .', id + 1)).not.toBe(0);
      expect(asUser(`cat ${folder}/code/hello-*/functions/hello/index.ts`, id + 1)).not.toBe(0);
      expect(asUser('touch home/x deno/x')).toBe(0);
    });

    test('of an earlier release are taken over, and links in them are not followed', async () => {
      await project.functions.close();
      const victim = join(fixture.folder, 'victim');
      await mkdir(victim);
      await writeFile(join(victim, 'kept'), '');
      for (const name of ['.', 'code', 'deno']) await chown(join(folder, name), id, id);
      await rm(join(folder, 'home'), { recursive: true });
      await symlink(victim, join(folder, 'home'));
      await rename(join(folder, 'code'), join(folder, 'real'));
      await symlink(victim, join(folder, 'code'));
      spawnSync('chown', ['-h', String(id), join(folder, 'home'), join(folder, 'code')]);

      const again = fixture.open({ ref: 'owner' });
      const version = await again.deploy('hello', `Deno.serve(() => new Response('again'));`);
      expect((await again.call(version)).text).toBe('again');
      expect(await lstat(victim)).toMatchObject({ uid: 0, gid: 0 });
      expect(await readdir(victim)).toEqual(['kept']);
      const owners = ['.', 'code', 'home', 'deno'].map(async (name) => lstat(join(folder, name)));
      expect((await Promise.all(owners)).map(({ uid }) => uid)).toEqual([0, 0, id, id]);
      expect(await readdir(join(folder, 'home'))).toEqual([]);
    });

    test('with the code of an earlier release lose it', async () => {
      await project.functions.close();
      spawnSync('chown', ['-R', `${id}:${id}`, join(folder, 'code')]);
      await fixture.open({ ref: 'owner' }).deploy('other', `Deno.serve(() => new Response(''));`);
      const names = await readdir(join(folder, 'code'));
      expect(names).toEqual([expect.stringMatching(/^other-/)]);
      expect(await readdir(join(folder, 'home'))).toEqual([]);
    });
  },
);

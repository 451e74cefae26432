// nginx, serving files of a folder: how a server answers ranges and conditions that browsers have met for decades.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';

import { describeIf, freePort, waitFor } from '#libs/testing';

const program = '/usr/sbin/nginx';

/** `describe` where there is an nginx; else skipped tests, with the reason in the output. */
export const describeWithNginx = describeIf(
  existsSync(program),
  `there is no ${program} (Debian package nginx-light)`,
);

export interface Nginx {
  readonly origin: string;
  /** Puts a file in place, changed last at this time. */
  put(name: string, content: Buffer, changedAt: Date): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function openNginx(): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-nginx-'));
  const port = await freePort();
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port));
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  await untilListening(port);
  return {
    origin: `http://127.0.0.1:${port}`,
    async put(name, content, changedAt) {
      const path = join(folder, 'files', name);
      await writeFile(path, content);
      await utimes(path, changedAt, changedAt);
    },
    async close() {
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // If-Modified-Since is compared as RFC 9110 says, not for equality.
  return `
    daemon off; master_process off; user ${userInfo().username}; pid ${folder}/pid;
    events {}
    http {
      access_log off; default_type application/octet-stream; if_modified_since before;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      server { listen 127.0.0.1:${port}; root ${folder}/files; }
    }`;
}

async function untilListening(port: number): Promise<void> {
  await waitFor(() => isListening(port), { until: 'nginx listens' });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

// `npm run bench`: brings dist up to date, as a start of the product does, and runs the benchmark.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from '../bin/build.js';

try {
  await build((line) => console.error(`bench: ${line}`));
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exit(1);
}
const args = ['--enable-source-maps', 'dist/bench/main.js', ...process.argv.slice(2)];
const cwd = fileURLToPath(new URL('..', import.meta.url));
const bench = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
// The benchmark puts everything away before this process ends. Ctrl-C has reached it already, because the
// terminal signals the whole group.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => bench.kill('SIGTERM'));
bench.on('exit', (code) => process.exit(code ?? 1));

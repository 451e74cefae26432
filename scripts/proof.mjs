// `npm run test:proof -- --projects 300 --minutes 20 --soak-minutes 60`: the trial of a real deployment and the soak
// with kills, on data of their own that are removed at the end. `-- --help` lists the options.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from '../bin/build.js';

try {
  await build((line) => console.error(`proof: ${line}`));
} catch (error) {
  console.error(`proof: ${error.message}`);
  process.exit(1);
}
const hooks = new URL('../tests/support/typescript-hooks.js', import.meta.url).href;
const args = ['--import', hooks, '--disable-warning=ExperimentalWarning', 'tests/trial/main.ts'];
const proof = spawn(process.execPath, [...args, ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
});
// The trial removes its data before it ends. Ctrl-C has reached it already, because the terminal signals the group.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => proof.kill('SIGTERM'));
proof.on('exit', (code) => process.exit(code ?? 1));

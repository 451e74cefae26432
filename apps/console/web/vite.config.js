// How the console's pages are built and served while they are developed. bin/build-console.js and scripts/dev.mjs read
// it; there is no program of Vite in package.json.
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';

/**
 * The scroll lock of Radix writes a style element, which the Content-Security-Policy refuses. Ours is a rule in
 * design.css.
 */
const alias = {
  'react-remove-scroll': fileURLToPath(new URL('src/ui/remove-scroll.tsx', import.meta.url)),
};

const sources = fileURLToPath(new URL('src/', import.meta.url));

/**
 * Has code that is loaded when it is wanted wait for a server that cannot be reached. Written at each place, it would be
 * forgotten at the next one. The import comes last, so that the lines keep their numbers.
 */
const waitForServer = {
  name: 'wait-for-server',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(sources) || !code.includes(`import('`)) return undefined;
    const waiting = code.replaceAll(/\bimport\(('[^']*')\)/g, 'untilLoaded(() => import($1))');
    return `${waiting}\nimport { untilLoaded } from '${sources}api/until-loaded.js';\n`;
  },
};

/** @type {import('vite').InlineConfig} */
export const viteConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  // Addresses are relative to the base that the server writes into the page: one build runs below any path.
  base: './',
  plugins: [waitForServer, react(), tailwind()],
  resolve: { alias },
  build: {
    // The first ones with `light-dark()`, by which design.css names its colors.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: 'warn',
};

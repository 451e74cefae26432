/**
 * The layers (ARCHITECTURE.md): bin -> apps -> project-runtime, control-plane ->
 * adapters -> tools -> pure libraries. No arrow runs back up and there is no circle, of types neither. Beside
 * them stand web (on pure libraries, for the applications), sdk (alone) and testing (on adapters, for tests).
 */
const PURE =
  'errors|wire|settings|catalog|captcha|mail-templates|realtime-core|rest-query|rest-docs|sql-text|steps|storage-rules|type-generation';
const ADAPTERS =
  'auth-engine|database|delivery|functions|image-transform|jobs|outbound|postgres-server|rate-limit|realtime|secrets|storage-driver';
/** What adapters and the control plane share, and what may do I/O: no foreign system of its own. */
const TOOLS = 'hooks|outbox|passwords|postgres-client|third-party-tokens';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circular-types',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'libs-never-import-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|bin)/' },
    },
    {
      name: 'errors-and-wire-stand-alone',
      severity: 'error',
      from: { path: '^libs/(errors|wire)/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^libs/(?!errors|wire)', 'node_modules'] },
    },
    {
      name: 'pure-libs-have-no-packages',
      severity: 'error',
      from: { path: `^libs/(${PURE})/`, pathNot: '(\\.test\\.ts$|/tests/)' },
      to: { path: ['node_modules', `^libs/(?!${PURE})`] },
    },
    {
      name: 'pure-libs-do-no-io',
      severity: 'error',
      from: { path: `^libs/(${PURE})/`, pathNot: '(\\.test\\.ts$|/tests/)' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?buffer$' },
    },
    {
      name: 'adapters-do-not-know-each-other',
      severity: 'error',
      from: { path: `^libs/(${ADAPTERS})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^libs/(${ADAPTERS})/`, pathNot: '^libs/$1/' },
    },
    {
      name: 'tools-know-pure-libs-alone',
      severity: 'error',
      from: { path: `^libs/(${TOOLS})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^libs/(?!${PURE})`, pathNot: '^libs/$1/' },
    },
    {
      name: 'adapters-do-not-know-the-project',
      severity: 'error',
      from: { path: `^libs/(${ADAPTERS})/` },
      to: { path: '^libs/(project-runtime|control-plane)/' },
    },
    {
      name: 'the-control-plane-knows-no-runtime',
      severity: 'error',
      from: { path: '^libs/control-plane/' },
      to: { path: '^libs/project-runtime/' },
    },
    {
      name: 'web-is-for-the-applications',
      severity: 'error',
      from: { path: '^libs/(?!web/)' },
      to: { path: '^libs/web/' },
    },
    {
      name: 'web-stands-on-pure-libs',
      severity: 'error',
      from: { path: '^libs/web/', pathNot: '\\.test\\.ts$' },
      to: { path: `^libs/(?!web/|(${PURE})/)` },
    },
    {
      name: 'testing-stands-on-adapters',
      severity: 'error',
      from: { path: '^libs/testing/' },
      to: { path: `^libs/(?!testing/|(${PURE}|${ADAPTERS})/)` },
    },
    {
      name: 'the-client-is-imported-by-nobody',
      severity: 'error',
      from: { path: '^(apps|libs|bin)/', pathNot: '^libs/sdk/' },
      to: { path: '^libs/sdk/' },
    },
    {
      name: 'the-client-stands-alone',
      severity: 'error',
      from: { path: '^libs/sdk/', pathNot: '\\.test\\.ts$' },
      to: {
        path: ['^(?!libs/sdk/)', 'node_modules'],
        pathNot: 'node_modules/socket\\.io-client/',
      },
    },
    {
      name: 'the-client-loads-its-connection-with-the-first-channel',
      severity: 'error',
      from: {
        path: '^libs/sdk/',
        pathNot: '^libs/sdk/src/realtime/(channels|connection|socket)\\.ts$',
      },
      to: {
        path: [
          '^libs/sdk/src/realtime/(connection|socket)\\.ts$',
          'node_modules/socket\\.io-client/',
        ],
      },
    },
    {
      name: 'runtime-knows-no-framework',
      severity: 'error',
      from: { path: '^libs/project-runtime/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^libs/control-plane/', 'node_modules/(@nestjs|fastify|typeorm)/'] },
    },
    {
      name: 'typeorm-lives-in-the-control-plane',
      severity: 'error',
      from: { pathNot: ['^libs/control-plane/', '^bench/peers/'] },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'adapters-know-no-web-framework',
      severity: 'error',
      from: { path: `^libs/(${ADAPTERS}|${TOOLS}|control-plane)/`, pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(@nestjs|fastify|@fastify)/' },
    },
    {
      name: 'api-http-imports-no-domain',
      severity: 'error',
      from: { path: '^apps/api/src/http/' },
      to: { path: '^apps/api/src/', pathNot: '^apps/api/src/(http/|[^/]+\\.ts$)' },
    },
    {
      name: 'domains-only-through-front-door',
      severity: 'error',
      from: { path: '^apps/(api|console/server)/src/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^apps/$1/src/([^/]+)/',
        pathNot: ['^apps/$1/src/$2/', '/index\\.ts$', '^apps/$1/src/http/'],
      },
    },
    {
      name: 'the-applications-do-not-know-each-other',
      severity: 'error',
      from: { path: '^apps/(api|console/server|worker)/' },
      to: { path: '^apps/(api|console/server|worker)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'pages-know-the-console-by-its-requests',
      severity: 'error',
      from: { path: '^apps/console/web/' },
      to: { path: '^(apps/(?!console/web/)|libs/)' },
    },
    {
      name: 'pages-run-in-a-browser',
      severity: 'error',
      from: { path: '^apps/console/web/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'screens-do-not-know-the-palette',
      severity: 'error',
      from: { path: '^apps/console/web/src/(ui|session|api|screens)/' },
      to: { path: '^apps/console/web/src/palette/' },
    },
    {
      name: 'parts-of-pages-know-no-screen',
      severity: 'error',
      from: { path: '^apps/console/web/src/(ui|session|api)/' },
      to: { path: '^apps/console/web/src/(screens|shell|palette)/' },
    },
    {
      name: 'the-server-imports-no-page',
      severity: 'error',
      from: { path: '^(apps/(api|console/server|worker)|libs)/' },
      to: { path: '^apps/console/web/' },
    },
    {
      name: 'bin-is-the-top-floor',
      severity: 'error',
      from: { path: '^(libs|apps)/' },
      to: { path: '^(bin|bench|tests)/' },
    },
    {
      name: 'testing-only-in-tests',
      severity: 'error',
      from: { path: '^(apps|libs|bin)/', pathNot: ['\\.test\\.ts$', '^libs/testing/'] },
      to: { path: '^libs/testing/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^data/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
  },
};

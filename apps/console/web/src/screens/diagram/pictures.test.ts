import { expect, test } from 'vitest';

import { drawingOf } from './drawing.js';
import { graphOf } from './graph.js';
import { layOut } from './layout.js';
import { scaleOf } from './png.js';
import { column, foreignKey, table } from '../project/sample-tables.js';
import { escapeXml, svgOf } from './svg.js';

const script = `</text><script>alert("1")</script>`;

test.each([
  {
    name: 'tags and quotes',
    text: `<a href="x">'&'`,
    escaped: '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;',
  },
  { name: 'control characters', text: 'a\u0001b\u001Bc', escaped: 'a\uFFFDb\uFFFDc' },
  { name: 'half a pair', text: 'a\uD800b', escaped: 'a\uFFFDb' },
  { name: 'other planes stay', text: 'Ä 🜂\n', escaped: 'Ä 🜂\n' },
])('XML: $name', ({ text, escaped }) => {
  expect(escapeXml(text)).toBe(escaped);
});

test('names of tables and columns are text of the picture', () => {
  const tables = [
    table(script, { columns: [column(script, { type: script })], primaryKey: [] }),
    table('b', { foreignKeys: [foreignKey('id', script, { foreignColumns: [script] })] }),
  ];
  const graph = graphOf(tables, {});
  const layout = layOut({ nodes: graph.boxes, edges: [] });
  const svg = svgOf(drawingOf(graph, layout));
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;/text&gt;');
  expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length);
});

test('a large diagram is a smaller picture', () => {
  expect(scaleOf({ width: 800, height: 600 })).toBe(2);
  const { width, height } = { width: 40_000, height: 9000 };
  const scale = scaleOf({ width, height });
  expect(width * scale).toBeLessThanOrEqual(12_000);
  expect(width * height * scale ** 2).toBeLessThanOrEqual(60_000_000);
});

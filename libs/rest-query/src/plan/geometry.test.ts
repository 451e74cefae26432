import { describe, expect, test } from 'vitest';
import { catalogOf, column, foreignKey, table } from '../../../catalog/tests/build-catalog.js';
import { planOf } from '../../tests/plan-of.js';

const catalog = catalogOf([
  table('places', {
    columns: [
      'id int',
      'geom text',
      'extra json',
      'tags jsonb',
      'shape public.geometry',
      { ...column('area', '"My ""gis""".geography'), valueKind: 'geometry' },
      {
        ...column('kept', 'public.kept_shape'),
        baseType: 'public.geometry',
        valueKind: 'geometry',
      },
    ],
    primaryKey: ['id'],
  }),
  table('signs', {
    columns: ['id int', 'place_id int', 'location jsonb'],
    primaryKey: ['id'],
    foreignKeys: [foreignKey('place_id -> places(id)')],
  }),
]);

function geometryOf(tableName: string, queryString: string) {
  const headers = { accept: 'application/geo+json' };
  const plan = planOf(catalog, { table: tableName, queryString, headers });
  const style = plan.kind === 'read' ? plan.rows.style : undefined;
  return style?.kind === 'geojson' ? style.geometry : undefined;
}

describe('the geometry of a feature', () => {
  const postgis = (schema: string) => ({ kind: 'postgis', schema });
  test.each([
    ['the first of a geometry type', 'places', 'select=*', 'shape', postgis('public')],
    ['of a domain over one', 'places', 'select=kept,shape', 'kept', postgis('public')],
    ['of a schema in quotes', 'places', 'select=area', 'area', postgis('My "gis"')],
    ['under its alias', 'places', 'select=x:shape', 'x', postgis('public')],
    ['json of a usual name', 'places', 'select=extra,geometry:tags', 'geometry', { kind: 'json' }],
    ['the only json', 'places', 'select=geom,extra', 'extra', { kind: 'json' }],
    ['text of a usual name', 'places', 'select=id,geom', 'geom', { kind: 'text' }],
    [
      'text of a usual name beside two jsons',
      'places',
      'select=geom,extra,tags',
      'geom',
      { kind: 'text' },
    ],
    ['the value of a path', 'places', 'select=point:tags->a', 'point', { kind: 'json' }],
    ['the text of a path', 'places', 'select=point:tags->>a', 'point', { kind: 'text' }],
    ['a cast', 'places', 'select=extra:id::json', 'extra', { kind: 'json' }],
    ['spread into the row', 'signs', 'select=id,...places(x:shape)', 'x', postgis('public')],
  ])('%s', (_name, tableName, query, name, encoding) => {
    expect(geometryOf(tableName, query)).toEqual({ name, encoding });
  });

  test.each([
    ['no geometry', 'places', 'select=id'],
    ['two jsons of other names', 'places', 'select=extra,tags'],
    ['an embed', 'signs', 'select=id,location:places(shape)'],
    ['a geometry cast to something else', 'places', 'select=shape::int'],
    ['an aggregate', 'places', 'select=geom:id.max()'],
  ])('%s is PGRST107', (_name, tableName, query) => {
    expect(() => geometryOf(tableName, query)).toThrow(
      expect.objectContaining({ code: 'PGRST107', status: 406 }),
    );
  });
});

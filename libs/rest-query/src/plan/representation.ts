import type { Explain, Level, Representation, RowStyle } from '../types/plan.js';
import type { Format, RowFormat } from '../types/request.js';
import { planGeometry } from './geometry.js';

/** The format of the rows, even if their plan is requested instead. */
export function rowFormatOf(format: Format): RowFormat {
  return format.kind === 'plan' ? format.of : format;
}

/** Present if the plan of the statement is requested. */
export function explainOf(format: Format): Explain | undefined {
  return format.kind === 'plan' ? { as: format.as, options: format.options } : undefined;
}

/** Rows of `level` in the format of the request. Throws PGRST107 for GeoJSON without a geometry. */
export function planRepresentation(level: Level, format: Format): Representation {
  const rows = rowFormatOf(format);
  const style: RowStyle =
    rows.kind === 'geojson' ? { kind: 'geojson', geometry: planGeometry(level) } : rows;
  return { level, style };
}

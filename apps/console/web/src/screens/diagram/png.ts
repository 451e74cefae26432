// A drawing as a file of PNG. It is painted shape by shape: the policy of the page loads no picture from a text.
import { Problem } from '../../api/problem.js';
import { type Drawing, fontFamily, type Shape } from './drawing.js';

/** What every browser can paint; a larger diagram becomes a smaller picture. */
const maxSidePx = 12_000;
const maxAreaPx = 60_000_000;
const usualScale = 2;

/** How many pixels a unit of a drawing has. */
export function scaleOf({ width, height }: Pick<Drawing, 'width' | 'height'>): number {
  const bySide = maxSidePx / Math.max(width, height, 1);
  const byArea = Math.sqrt(maxAreaPx / Math.max(width * height, 1));
  return Math.min(usualScale, bySide, byArea);
}

/** Throws Problem if the browser cannot paint it. */
export async function pngOf(drawing: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  const scale = scaleOf(drawing);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(drawing.width * scale));
  canvas.height = Math.max(1, Math.round(drawing.height * scale));
  const painter = canvas.getContext('2d');
  if (!painter) throw unpaintable();
  painter.scale(scale, scale);
  painter.fillStyle = drawing.background;
  painter.fillRect(0, 0, drawing.width, drawing.height);
  for (const shape of drawing.shapes) paint(painter, shape);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!png) throw unpaintable();
  return new Uint8Array(await png.arrayBuffer());
}

const unpaintable = (): Problem =>
  new Problem('The browser cannot paint this diagram.', 'UNEXPECTED', 0, undefined, undefined);

function paint(painter: CanvasRenderingContext2D, shape: Shape): void {
  switch (shape.kind) {
    case 'box': {
      const { x, y, width, height, radius, fill, stroke } = shape;
      painter.beginPath();
      painter.roundRect(x, y, width, height, radius);
      painter.fillStyle = fill;
      painter.fill();
      if (stroke === undefined) return;
      painter.lineWidth = 1;
      painter.strokeStyle = stroke;
      painter.stroke();
      return;
    }
    case 'line':
      painter.lineWidth = 1.3;
      painter.strokeStyle = shape.stroke;
      painter.stroke(new Path2D(shape.path));
      return;
    case 'text': {
      const { x, y, text, size, weight, fill, anchor } = shape;
      painter.font = `${weight} ${size}px ${fontFamily}`;
      painter.textBaseline = 'middle';
      painter.textAlign = anchor === 'end' ? 'right' : 'left';
      painter.fillStyle = fill;
      painter.fillText(text, x, y);
    }
  }
}

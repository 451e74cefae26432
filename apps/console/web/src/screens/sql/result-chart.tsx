// A result as lines or bars. uPlot draws on a canvas; the grid has the same values for those who cannot see it.
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { Choice, Tick } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { useTheme } from '../../ui/theme.js';
import { chartData, type ChartChoice, numericColumns, suggestChart } from './chart-columns.js';
import type { StatementResult } from './result.js';

const height = 320;
/** Names of colors in design.css, one for each column. */
const colors = ['--accent', '--warn', '--danger', '--good', '--soft'] as const;

export default function ResultChart({ of: result }: { readonly of: StatementResult }): ReactNode {
  const suggested = useMemo(() => suggestChart(result), [result]);
  const [chosen, setChosen] = useState<ChartChoice>();
  const choice = chosen ?? suggested;
  if (!choice) {
    return (
      <Notice kind="plain">
        A chart needs rows, and a column of numbers beside another column.
      </Notice>
    );
  }
  const nameOf = (index: number): string => result.fields[index]?.name ?? '';
  const toggle = (index: number, isOn: boolean): void => {
    const y = isOn ? [...choice.y, index] : choice.y.filter((each) => each !== index);
    if (y.length > 0) setChosen({ ...choice, y: y.toSorted((a, b) => a - b).slice(0, 5) });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Choice
          label="To the right"
          value={choice.x}
          onChange={({ currentTarget: { value } }) => {
            const x = Number(value);
            const y = choice.y.filter((index) => index !== x);
            const rest = numericColumns(result).filter((index) => index !== x);
            setChosen({ ...choice, x, y: y.length > 0 ? y : rest.slice(0, 1) });
          }}
        >
          {result.fields.map(({ name }, index) => (
            <option key={index} value={index}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice
          label="Drawn as"
          value={choice.kind}
          onChange={({ currentTarget: { value } }) =>
            setChosen({ ...choice, kind: value === 'bars' ? 'bars' : 'lines' })
          }
        >
          <option value="lines">Lines</option>
          <option value="bars">Bars</option>
        </Choice>
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
          <legend className="mb-1.5 text-[13px] font-semibold">Upwards</legend>
          {numericColumns(result)
            .filter((index) => index !== choice.x)
            .map((index) => (
              <Tick
                key={index}
                label={nameOf(index)}
                checked={choice.y.includes(index)}
                onChange={({ currentTarget: { checked } }) => toggle(index, checked)}
              />
            ))}
        </fieldset>
      </div>
      {choice.y.length > 0 && <Drawing of={result} choice={choice} />}
    </div>
  );
}

interface DrawingProps {
  readonly of: StatementResult;
  readonly choice: ChartChoice;
}

function Drawing({ of: result, choice }: DrawingProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const names = choice.y.map((index) => result.fields[index]?.name ?? '').join(', ');
  const xName = result.fields[choice.x]?.name ?? '';
  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const plot = draw(box, result, choice);
    const resize = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    resize.observe(box);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
    // The theme changes the colors that are read from the page.
  }, [result, choice, theme]);
  return (
    <div
      ref={place}
      role="img"
      aria-label={`${choice.kind === 'bars' ? 'Bars' : 'Lines'} of ${names} by ${xName}; the table has the values`}
      className="min-w-0 overflow-hidden"
    />
  );
}

function draw(box: HTMLElement, result: StatementResult, choice: ChartChoice): UPlot {
  const data = chartData(result, choice);
  // A color of the page in the form that a canvas takes: `light-dark()` is resolved.
  const probe = document.createElement('span');
  box.append(probe);
  const colorOf = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const [ink, line] = [colorOf('--soft'), colorOf('--line')];
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const bars = UPlot.paths.bars?.({ size: [0.7, 64] });
  const { labels } = data;
  const range: UPlot.Range.MinMax | undefined = labels && [-0.6, labels.length - 0.4];
  const series = choice.y.map((index, place): UPlot.Series => {
    const color = colorOf(colors[place % colors.length] ?? '--accent');
    return {
      label: result.fields[index]?.name ?? '',
      stroke: color,
      width: 2,
      ...(choice.kind === 'bars' && bars
        ? { paths: bars, fill: color, points: { show: false } }
        : {}),
    };
  });
  probe.remove();
  const xAxis: UPlot.Axis = labels
    ? { ...axis, values: (_plot, splits) => splits.map((at) => shortened(labels[at] ?? '')) }
    : axis;
  return new UPlot(
    {
      width: Math.max(200, box.clientWidth),
      height,
      // Times are shown in UTC, as the grid shows them.
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: { x: { time: data.isTime, ...(range && { range }) } },
      series: [{ label: result.fields[choice.x]?.name ?? '' }, ...series],
      axes: [xAxis, { ...axis, size: 64 }],
    },
    [[...data.xs], ...data.ys.map((values) => [...values])],
    box,
  );
}

const shortened = (text: string): string => (text.length > 14 ? `${text.slice(0, 13)}…` : text);

/**
 * Over the page while a template is made: found lines to click, boxes to draw, and the places of the fields so far. The
 * keyboard takes lines from the list beside the page, and moves and resizes a place that has the focus with the arrow keys.
 */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { t } from '../../../strings/t.ts';
import { type Box, type DraftField, type DraftStep, type Line, nudge } from './draft.ts';
import classes from './mark-layer.module.css';

interface MarkLayerProps {
  lines: readonly Line[];
  /** Those with a place on this page. */
  fields: readonly DraftField[];
  current: string | null;
  onCurrent: (id: string) => void;
  /** A box was drawn. */
  onBox: (box: Box) => void;
  onLine: (line: Line) => void;
  onPlace: (id: string, box: Box) => void;
}

/** A pointer that moved less than this share of the page has clicked. */
const clickSlack = 0.006;

type Point = [x: number, y: number];
const toBox = ([ax, ay]: Point, [bx, by]: Point): Box => [
  Math.min(ax, bx),
  Math.min(ay, by),
  Math.max(ax, bx),
  Math.max(ay, by),
];

const toStyle = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box) => ({
  left: `${x0 * 100}%`,
  top: `${y0 * 100}%`,
  width: `${(x1 - x0) * 100}%`,
  height: `${(y1 - y0) * 100}%`,
});

const lineAt = (lines: readonly Line[], [x, y]: Point): Line | undefined =>
  lines.find(({ bbox: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1);

export function MarkLayer(props: MarkLayerProps) {
  const { lines, fields, current, onCurrent, onPlace } = props;
  const { drawn, handlers } = useDrawing(props);
  return (
    <div className={classes.layer} data-testid="mark-layer" {...handlers}>
      <div aria-hidden="true">
        {lines.map(({ bbox, text }) => (
          <div key={`${bbox} ${text}`} className={classes.line} style={toStyle(bbox)} title={text} />
        ))}
        {drawn && <div className={classes.drawn} style={toStyle(drawn)} />}
      </div>
      {fields.map((field) => (
        <Place
          key={field.id}
          field={field}
          current={field.id === current}
          onCurrent={() => onCurrent(field.id)}
          onMove={(box) => onPlace(field.id, box)}
        />
      ))}
    </div>
  );
}

function useDrawing({ lines, onBox, onLine }: MarkLayerProps) {
  const [drag, setDrag] = useState<{ from: Point; to: Point } | null>(null);
  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Point => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const within = (value: number) => Math.min(1, Math.max(0, value));
    return [within((clientX - left) / width), within((clientY - top) / height)];
  };
  return {
    drawn: drag && toBox(drag.from, drag.to),
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0 || (event.target as Element).closest('button')) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const from = pointOf(event);
        setDrag({ from, to: from });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (drag) setDrag({ from: drag.from, to: pointOf(event) });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!drag) return;
        setDrag(null);
        const box = toBox(drag.from, pointOf(event));
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box;
        if (x1 - x0 > clickSlack && y1 - y0 > clickSlack / 2) return onBox(box);
        const line = lineAt(lines, drag.from);
        if (line) onLine(line);
      },
      onPointerCancel: () => setDrag(null),
    },
  };
}

const steps: Record<string, DraftStep> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

interface PlaceProps {
  field: DraftField;
  current: boolean;
  onCurrent: () => void;
  onMove: (box: Box) => void;
}

function Place({ field, current, onCurrent, onMove }: PlaceProps) {
  const box = field.place?.bbox ?? [];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    onMove(nudge(box, step, event.shiftKey));
  };
  return (
    <button
      type="button"
      className={classes.place}
      style={toStyle(box)}
      data-current={current || undefined}
      aria-label={t('documents.own.place_of', { name: field.name })}
      onClick={onCurrent}
      onFocus={onCurrent}
      onKeyDown={onKeyDown}
    >
      <span className={classes.tag}>{field.name}</span>
    </button>
  );
}

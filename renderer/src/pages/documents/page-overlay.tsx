/** Boxes drawn over a page or a picture, in its own 0-to-1 coordinates. The rows they belong to carry the words. */
import type { LinkedMark } from './marks.ts';
import classes from './page-overlay.module.css';

export function PageOverlay({ marks }: { marks: LinkedMark[] }) {
  return (
    <svg
      className={classes.overlay}
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid="boxes"
    >
      {marks.map(({ id, kind, bbox: [x0 = 0, y0 = 0, x1 = 0, y1 = 0], label }) => (
        <rect
          key={id}
          className={classes.box}
          data-mark={id}
          data-kind={kind}
          x={x0}
          y={y0}
          width={Math.max(x1 - x0, 0)}
          height={Math.max(y1 - y0, 0)}
          vectorEffect="non-scaling-stroke"
        >
          {label && <title>{label}</title>}
        </rect>
      ))}
    </svg>
  );
}

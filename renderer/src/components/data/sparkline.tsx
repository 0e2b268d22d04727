/** A row of small bars, one a day; its numbers are said in the label. */
import classes from './sparkline.module.css';

export function Sparkline({ values, label }: { values: number[]; label: string }) {
  const top = Math.max(...values, 1);
  const step = 100 / Math.max(values.length, 1);
  return (
    <svg
      className={classes.line}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max((value / top) * 23, 2.5);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its day's place
            key={index}
            data-zero={value === 0 || undefined}
            x={index * step + step * 0.12}
            width={step * 0.76}
            y={24 - height}
            height={height}
          />
        );
      })}
    </svg>
  );
}

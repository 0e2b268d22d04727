/** A matrix of likeness: a table first, colored second, so that it reads without color as well. */
import { ScrollRegion } from '../../components/frame/scroll-region.tsx';
import { score } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './heat-map.module.css';

export function HeatMap({ texts, matrix }: { texts: string[]; matrix: number[][] }) {
  return (
    <ScrollRegion className={classes.scroll} label={t('embeddings.matrix')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" aria-label={t('embeddings.text')} />
            {texts.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: texts may repeat
              <th key={index} scope="col" title={text}>
                {index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.map((row, r) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts may repeat
            <tr key={r}>
              <th scope="row" title={texts[r]}>
                <span className={classes.label}>
                  {r + 1}. {texts[r]}
                </span>
              </th>
              {row.map((value, c) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: texts may repeat
                  key={c}
                  title={`${texts[r]}\n${texts[c]}`}
                  data-strong={value > 0.62 || undefined}
                  style={{ '--share': Math.max(0, Math.min(1, value)) } as React.CSSProperties}
                >
                  {score(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

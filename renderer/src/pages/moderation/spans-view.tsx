/** The checked text with what was recognized in it marked and named. */
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { type FlaggedSpan, isPiiKind, type Segment, toSegments } from './categories.ts';
import classes from './spans-view.module.css';

export function SpansView({ text, spans }: { text: string; spans: FlaggedSpan[] }) {
  if (spans.length === 0) return null;
  return (
    <Panel title={t('moderation.spans')}>
      <p className={classes.text}>
        {toSegments(text, spans).map((segment, index) =>
          segment.spans.length === 0 ? (
            segment.text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its place in the text
            <Marked key={index} segment={segment} />
          ),
        )}
      </p>
    </Panel>
  );
}

const toNames = (spans: readonly FlaggedSpan[]): string[] => [...new Set(spans.map(toName))];

/** Names of spans stand behind their own last words; one within a longer one is underlined. */
function Marked({ segment: { text, spans, named, inner } }: { segment: Segment }) {
  return (
    <mark title={toNames(spans).join(', ')} data-inner={inner || undefined}>
      {text}
      {toNames(named).map((name) => (
        <span className={classes.kind} key={name}>
          {name}
        </span>
      ))}
    </mark>
  );
}

/** Personal data is named by its kind, all else by its category. */
const toName = ({ category, kind }: FlaggedSpan): string =>
  kind ? kindName(kind) : t(`moderation.names.${category}`);

/** A kind that a pack of others brings has no words here. */
export const kindName = (kind: string): string =>
  isPiiKind(kind) ? t(`moderation.kinds.${kind}`) : kind.replaceAll('_', ' ');

/** Checkboxes, signatures, stamps and barcodes, each tied to its box. */

import { Badge } from '@mantine/core';
import {
  IconQrcode,
  IconRubberStamp,
  IconSignature,
  IconSquare,
  IconSquareCheckFilled,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { Confidence } from '../../components/data/confidence.tsx';
import { MarkedRow } from '../../components/marked-row.tsx';
import { toMinute } from '../../format/time.ts';
import { t } from '../../strings/t.ts';
import classes from './checks-view.module.css';
import { markId } from './marks.ts';
import { ResultPart } from './result-part.tsx';

export function ChecksView({ result }: { result: DocumentsResult }) {
  const { checkboxes, signatures, stamps = [], barcodes = [] } = result;
  return (
    <>
      <Part kind="check">
        {checkboxes.map((box, index) => (
          <Entry
            key={markId.check(index)}
            mark={markId.check(index)}
            place={box}
            icon={
              box.checked ? (
                <IconSquareCheckFilled size={18} aria-hidden />
              ) : (
                <IconSquare size={18} aria-hidden />
              )
            }
            label={[box.group, box.label || t('documents.unlabelled')].filter(Boolean).join(' · ')}
            state={t(box.checked ? 'documents.checked' : 'documents.unchecked')}
          />
        ))}
      </Part>
      <Part kind="signature">
        {signatures.map((signature, index) => (
          <SignatureEntry
            key={markId.signature(index)}
            mark={markId.signature(index)}
            signature={signature}
          />
        ))}
      </Part>
      <Part kind="stamp">
        {stamps.map((stamp, index) => (
          <Entry
            key={markId.stamp(index)}
            mark={markId.stamp(index)}
            place={stamp}
            icon={<IconRubberStamp size={18} aria-hidden />}
            label={t('documents.stamp')}
            state={t('documents.on_page', { page: stamp.page })}
          />
        ))}
      </Part>
      <Part kind="code">
        {barcodes.map((code, index) => (
          <Entry
            key={markId.code(index)}
            mark={markId.code(index)}
            place={code}
            icon={<IconQrcode size={18} aria-hidden />}
            label={code.text}
            state={code.format}
          />
        ))}
      </Part>
    </>
  );
}

interface PartProps {
  kind: 'check' | 'signature' | 'stamp' | 'code';
  children: ReactNode[];
}

function Part({ kind, children }: PartProps) {
  if (children.length === 0) return null;
  return (
    <ResultPart title={t(`documents.overlay_kinds.${kind}`)}>
      <ul className={classes.list}>{children}</ul>
    </ResultPart>
  );
}

type Signature = DocumentsResult['signatures'][number];

const integrityColors = { intact: 'teal', extended: 'yellow', altered: 'red', unknown: 'gray' } as const;

function SignatureEntry({ mark, signature }: { mark: string; signature: Signature }) {
  const { label, signed, kind, signer, signed_at, integrity } = signature;
  const state = signed === false ? t('documents.unsigned') : t(`documents.signature_kinds.${kind ?? 'ink'}`);
  const details = [signer && t('documents.signed_by', { signer }), signed_at && toTime(signed_at)].filter(
    (detail) => detail !== undefined,
  );
  return (
    <Entry
      mark={mark}
      place={signature}
      icon={<IconSignature size={18} aria-hidden />}
      label={label || t('documents.signature')}
      state={state}
      details={details.join(', ')}
      badge={
        integrity && (
          <Badge color={integrityColors[integrity]}>{t(`documents.integrities.${integrity}`)}</Badge>
        )
      }
    />
  );
}

/** In the reader's own zone; what is no time stays as it is. */
function toTime(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : toMinute(ms / 1000);
}

interface EntryProps {
  mark: string;
  place: { page: number; confidence: number };
  icon: ReactNode;
  label: string;
  state: string;
  /** A second line. */
  details?: string;
  badge?: ReactNode;
}

function Entry({ mark, place, icon, label, state, details, badge }: EntryProps) {
  return (
    <li>
      <MarkedRow className={classes.entry} label={`${label}: ${state}`} mark={mark} page={place.page}>
        <span className={classes.icon}>{icon}</span>
        <span className={classes.label}>
          {label}
          {details && <span className={classes.details}>{details}</span>}
          {badge}
        </span>
        <span className={classes.state}>{state}</span>
        <Confidence value={place.confidence} />
      </MarkedRow>
    </li>
  );
}

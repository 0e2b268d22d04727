/** Checkboxes, signatures, stamps and barcodes, each tied to its box. */

import {
  IconQrcode,
  IconRubberStamp,
  IconSignature,
  IconSquare,
  IconSquareCheckFilled,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DocumentsResult } from '../../../../server/api/documents.ts';
import { Confidence } from '../../components/data/confidence.tsx';
import { t } from '../../strings/t.ts';
import classes from './checks-view.module.css';
import { MarkedRow } from './marked-row.tsx';
import { markId } from './marks.ts';

export function ChecksView({ result }: { result: DocumentsResult }) {
  return (
    <ul className={classes.list}>
      {result.checkboxes.map((box, index) => (
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
          label={box.label || t('documents.unlabelled')}
          state={t(box.checked ? 'documents.checked' : 'documents.unchecked')}
        />
      ))}
      {result.signatures.map((signature, index) => (
        <Entry
          key={markId.signature(index)}
          mark={markId.signature(index)}
          place={signature}
          icon={<IconSignature size={18} aria-hidden />}
          label={signature.label || t('documents.signature')}
          state={t(signature.signed === false ? 'documents.unsigned' : 'documents.signed')}
        />
      ))}
      {result.stamps?.map((stamp, index) => (
        <Entry
          key={markId.stamp(index)}
          mark={markId.stamp(index)}
          place={stamp}
          icon={<IconRubberStamp size={18} aria-hidden />}
          label={t('documents.stamp')}
          state=""
        />
      ))}
      {result.barcodes?.map((code, index) => (
        <Entry
          key={markId.code(index)}
          mark={markId.code(index)}
          place={code}
          icon={<IconQrcode size={18} aria-hidden />}
          label={code.text}
          state={code.format}
        />
      ))}
    </ul>
  );
}

interface EntryProps {
  mark: string;
  place: { page: number; confidence: number };
  icon: ReactNode;
  label: string;
  state: string;
}

function Entry({ mark, place, icon, label, state }: EntryProps) {
  return (
    <li>
      <MarkedRow className={classes.entry} label={`${label}: ${state}`} mark={mark} page={place.page}>
        <span className={classes.icon}>{icon}</span>
        <span className={classes.label}>{label}</span>
        <span className={classes.state}>{state}</span>
        <Confidence value={place.confidence} />
      </MarkedRow>
    </li>
  );
}

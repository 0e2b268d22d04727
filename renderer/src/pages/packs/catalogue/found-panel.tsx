/** Models that other programs have brought to this machine, and the way from there into Lokal. */
import { Badge, Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useRead } from '../../../api/queries.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { Panel } from '../../../components/frame/panel.tsx';
import { bytes } from '../../../format/numbers.ts';
import { t } from '../../../strings/t.ts';
import { packInbox } from '../../../work/pack-inbox.ts';
import classes from './models-page.module.css';

const programs = { ollama: 'Ollama', lm_studio: 'LM Studio', hugging_face: 'Hugging Face' } as const;

export function FoundPanel() {
  const navigate = useNavigate();
  const found = useRead('GET /console/packs/found');
  const models = found.data?.data ?? [];

  function take(path: string) {
    packInbox.putPath(path);
    void navigate('/packs');
  }

  return (
    <Panel title={t('advice.found')} note={t('advice.found_note')}>
      <ProblemNote error={found.error} />
      {found.data && models.length === 0 && <p className={classes.none}>{t('advice.found_none')}</p>}
      <ul className={classes.found} aria-label={t('advice.found')}>
        {models.map(({ source, name, path, kind, size_bytes }) => (
          <li key={path}>
            <span className={classes.name}>{name}</span>
            <span className="lk-num">{bytes(size_bytes)}</span>
            <Badge color="gray" variant="light">
              {programs[source]}
            </Badge>
            <Badge color="teal" variant="light">
              {t(`packs.kinds.${kind}`)}
            </Badge>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('advice.import_name', { name })}
              onClick={() => take(path)}
            >
              {t('packs.import_start')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

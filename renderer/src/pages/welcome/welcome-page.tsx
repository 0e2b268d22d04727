/** First steps: the address, the first keys, a first call, a first document. Also the page behind the name at the top left. */
import { Button } from '@mantine/core';
import { IconFileText, IconMessage } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { FirstCall } from './first-call.tsx';
import { FirstKeys } from './first-keys.tsx';
import classes from './welcome-page.module.css';

export function WelcomePage() {
  const state = useRead('GET /console/state').data;
  if (!state) return null;
  return (
    <Page title={t('welcome.title')} lead={t('welcome.lead')}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title={t('welcome.address')}>
            <p className={classes.text}>{t('welcome.address_note')}</p>
            <div className={classes.address}>
              <code className="lk-mono">{state.base_url}</code>
              <CopyButton value={state.base_url} label={t('welcome.copy_address')} />
            </div>
          </Panel>
          <Panel title={t('welcome.keys')}>
            <FirstKeys firstRun={state.first_run} />
          </Panel>
          <Panel title={t('welcome.document')}>
            <p className={classes.text}>{t('welcome.document_note')}</p>
            <Button
              component={Link}
              to="/documents?sample=invoice"
              variant={state.first_run ? 'default' : 'filled'}
              leftSection={<IconFileText size={14} aria-hidden />}
            >
              {t('welcome.open_document')}
            </Button>
          </Panel>
          <Panel title={t('welcome.chat')}>
            <p className={classes.text}>{t('welcome.chat_note')}</p>
            <Button.Group>
              <Button
                component={Link}
                to="/chat"
                variant="default"
                leftSection={<IconMessage size={14} aria-hidden />}
              >
                {t('welcome.open_chat')}
              </Button>
              <Button component={Link} to="/packs" variant="default">
                {t('welcome.import_model')}
              </Button>
            </Button.Group>
          </Panel>
        </div>
        <Panel title={t('welcome.call')} note={<a href="/docs">{t('welcome.docs')}</a>}>
          <FirstCall baseUrl={state.base_url} />
        </Panel>
      </div>
      <p className={classes.text}>{t('welcome.privacy', { folder: state.data_folder })}</p>
    </Page>
  );
}

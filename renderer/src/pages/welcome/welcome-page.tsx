/** First steps: a task done to its end, then the address, keys and a first call for programs. Also behind the name at the top left. */
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { FirstCall } from './first-call.tsx';
import { FirstKeys } from './first-keys.tsx';
import { FirstTask } from './first-task.tsx';
import classes from './welcome-page.module.css';

export function WelcomePage() {
  const state = useRead('GET /console/state').data;
  if (!state) return null;
  return (
    <Page title={t('welcome.title')} lead={t('welcome.lead')}>
      <FirstTask />
      <h2 className={classes.section}>{t('welcome.programs')}</h2>
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
        </div>
        <Panel title={t('welcome.call')} note={<a href="/docs">{t('welcome.docs')}</a>}>
          <FirstCall baseUrl={state.base_url} />
        </Panel>
      </div>
      <p className={classes.text}>
        <Link to="/packs/models">{t('advice.open')}</Link>
      </p>
      <p className={classes.text}>{t('welcome.privacy', { folder: state.data_folder })}</p>
    </Page>
  );
}

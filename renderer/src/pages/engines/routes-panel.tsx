/** The targets of each service, and a dialog that sets it. */
import {
  Badge,
  Button,
  Group,
  Modal,
  NumberInput,
  SegmentedControl,
  Table,
  TagsInput,
  Tooltip,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { EngineRoute, EngineRouteView } from '../../../../server/api/console/engines.ts';
import { useChange } from '../../api/queries.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import classes from './engine-fields.module.css';

interface RoutesPanelProps {
  routes: EngineRouteView[];
  /** Names that can be targets. */
  engines: string[];
}

export function RoutesPanel({ engines, routes }: RoutesPanelProps) {
  const [edited, setEdited] = useState<EngineRouteView | null>(null);
  return (
    <Panel flush title={t('engines.routes')} note={t('engines.routes_note')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('engines.service')}</Table.Th>
            <Table.Th>{t('engines.now')}</Table.Th>
            <Table.Th>{t('engines.how')}</Table.Th>
            <Table.Th aria-label={t('engines.actions')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {routes.map((route) => (
            <Table.Tr key={route.role}>
              <Table.Td>{route.role}</Table.Td>
              <Table.Td>{route.serving.map(toTarget).join(' → ') || t('engines.nobody')}</Table.Td>
              <Table.Td>
                {t(`engines.modes.${route.mode}`)}
                {!route.set && <span className={classes.note}> · {t('engines.default_route')}</span>}
              </Table.Td>
              <Table.Td align="right">
                {route.from_file && (
                  <Tooltip label={t('engines.route_from_file')}>
                    <Badge color="gray">{t('engines.from_file')}</Badge>
                  </Tooltip>
                )}
                <Button
                  disabled={route.from_file}
                  size="compact-xs"
                  variant="default"
                  aria-label={t('engines.route_edit_name', { service: route.role })}
                  onClick={() => setEdited(route)}
                >
                  {t('engines.route_edit')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {edited && <RouteDialog route={edited} engines={engines} onClose={() => setEdited(null)} />}
    </Panel>
  );
}

const toTarget = (name: string): string => (name === 'local' ? t('engines.local') : name);

interface RouteDialogProps {
  route: EngineRouteView;
  engines: string[];
  onClose: () => void;
}

function RouteDialog({ engines, onClose, route }: RouteDialogProps) {
  const { role } = route;
  const [targets, setTargets] = useState(route.targets);
  const [mode, setMode] = useState<EngineRoute['mode']>(route.mode);
  const [spill, setSpill] = useState(route.spill_over ?? 0);
  const save = useChange('PUT /console/engine-routes', ['GET /console/engines']);
  const forget = useChange('DELETE /console/engine-routes/{role}', ['GET /console/engines']);
  const then = { onSuccess: onClose };

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate({ body: { role, mode, targets, spill_over: spill || null } }, then);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('engines.route_title', { service: role })}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={submit} className={classes.form}>
        <TagsInput
          data-autofocus
          label={t('engines.targets')}
          description={t('engines.targets_note')}
          data={['local', ...engines]}
          value={targets}
          onChange={setTargets}
        />
        <SegmentedControl
          aria-label={t('engines.how')}
          data={(['order', 'weight'] as const).map((value) => ({
            value,
            label: t(`engines.modes.${value}`),
          }))}
          value={mode}
          onChange={(value) => setMode(value as EngineRoute['mode'])}
        />
        <NumberInput
          label={t('engines.spill')}
          description={t('engines.spill_note')}
          min={0}
          max={10_000}
          value={spill}
          onChange={(value) => setSpill(Number(value) || 0)}
        />
        <ProblemNote error={save.error ?? forget.error} />
        <Group justify="flex-end" gap={8}>
          {route.set && (
            <Button
              variant="default"
              loading={forget.isPending}
              onClick={() => forget.mutate({ params: { role } }, then)}
            >
              {t('engines.route_forget')}
            </Button>
          )}
          <Button type="submit" loading={save.isPending}>
            {t('engines.route_save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

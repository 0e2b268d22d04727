/** Floors over attacks and ordinary lines of our own, in families: `test/bench/threat-families`. */
import { describe, expect, test } from 'vitest';
import { tally } from '../../bench/threat-blind/score.ts';
import { familyRows, type Half } from '../../bench/threat-families/rows.ts';
import { never, openThreatEngine, readEvents } from '../../support/threat-engine.ts';

const engine = await openThreatEngine();

test.each<[Half, number, number]>([
  ['tune', 0.97, 0.01],
  ['held', 0.9, 0.02],
])('families to %s: found and flagged', async (half, found, flagged) => {
  const attacks = await tally(engine, familyRows('attacks', half));
  const ordinary = await tally(engine, familyRows('ordinary', half));
  expect(attacks.rows + ordinary.rows).toBeGreaterThan(250);
  expect(attacks.raised / attacks.rows).toBeGreaterThanOrEqual(found);
  expect(ordinary.raised / ordinary.rows).toBeLessThanOrEqual(flagged);
});

describe('how an event ended', () => {
  const standing = (text: string) => readEvents(text)[0]?.standing;

  test.each([
    ['product=EDR event=detection name="Trojan:Win32/X" action=quarantined status=resolved', 'stopped'],
    ['product=EDR event=detection name="Trojan:Win32/X" action=quarantined status=failed', undefined],
    ['product=EDR event=detection name="Trojan:Win32/X" action=none status=new', undefined],
    ['product=IdP event=mfa_prompt user=x count=41 action=denied', undefined],
    ['product=EDR event=policy_applied policy="Ransomware protection" result=ok', 'routine'],
    ['product=EDR event=scan_completed threats_found=0', 'routine'],
    ['product=EDR event=scan_completed threats_found=3 action=none', undefined],
    [
      '{"eventSource":"ec2.amazonaws.com","eventName":"DeleteSnapshot","sourceIPAddress":"backup.amazonaws.com"}',
      'routine',
    ],
    [
      '{"eventSource":"ec2.amazonaws.com","eventName":"DeleteSnapshot","sourceIPAddress":"203.0.113.9"}',
      undefined,
    ],
    [
      '{"eventName":"DeleteTrail","arn":"x","note":"PR 288 approved: replaced by the trail of all"}',
      'routine',
    ],
    ['{"eventName":"DeleteTrail","arn":"x","note":"no ticket CHG-288 found"}', undefined],
    ['{"eventName":"DeleteTrail","arn":"x","comment":"PR 288 approved"}', undefined],
  ])('%s', (text, expected) => {
    expect(standing(text)).toBe(expected);
  });

  test('few blocked attempts are a remark, many are a finding', async () => {
    const line = (src_port: number) =>
      JSON.stringify({
        ...{ event_type: 'alert', src_ip: '203.0.113.9', src_port, dest_ip: '192.0.2.10' },
        alert: { signature: 'EXPLOIT attempt', severity: 1, action: 'blocked' },
      });
    const severityOf = async (lines: number) => {
      const text = Array.from({ length: lines }, (_, i) => line(4000 + i)).join('\n');
      return (await engine.methods.analyze({ text }, never)).severity;
    };
    expect(['informational', 'low']).toContain(await severityOf(3));
    expect(['high', 'critical']).toContain(await severityOf(30));
  });
});

/** Demands, lures and offers in plain prose, without a mail's head; data scripts of a page; jobs of a pipeline in JSON. */
import { beforeAll, expect, test } from 'vitest';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import type { ThreatEngine } from '../../../server/engine/threat/engine.ts';
import { markupInjection } from '../../../server/engine/threat/web/markup.ts';
import { never, openThreatEngine } from '../../support/threat-engine.ts';
import { attackTexts, ordinaryTexts } from '../../support/threat-texts.ts';

let engine: ThreatEngine;
beforeAll(async () => {
  engine = await openThreatEngine();
});

const raised = async (texts: readonly string[]) => {
  const found: string[] = [];
  for (const text of texts) {
    const { severity } = await engine.methods.analyze({ text }, never);
    if (rank(severity) >= rank('medium')) found.push(text);
  }
  return found;
};

test('of our own development texts at least 95 % of attacks are found, at most 2 % of ordinary ones flagged', async () => {
  expect((await raised(attackTexts)).length / attackTexts.length).toBeGreaterThanOrEqual(0.95);
  expect((await raised(ordinaryTexts)).length / ordinaryTexts.length).toBeLessThanOrEqual(0.02);
});

test('a demand, an offer and a lure are named for what they are', async () => {
  const id = async (text: string) =>
    (await engine.methods.analyze({ text }, never)).findings.map(({ ruleId }) => ruleId);
  expect(
    await id('We took 80 GB of your contracts. Pay 2 BTC within 72 hours or we publish them all.'),
  ).toContain('sig-extortion');
  expect(
    await id('I work at a bank and can export the customer database, 500 USD, Telegram only.'),
  ).toContain('sig-offer');
  expect(
    await id('This is IT support. Your mailbox is full: reply with your password within 24 hours.'),
  ).toContain('sig-phish-message');
  expect(await id('IT support will never ask for your password. Do not reply with it.')).toEqual([]);
});

test('a script that holds data is none; one beside it is', () => {
  const data = '<script type="application/ld+json">{"@type":"faqpage"}</script>';
  expect(markupInjection(`<p>hi</p>${data}`)).toBeUndefined();
  expect(markupInjection(`${data}<script>alert(1)</script>`)).toBe('element');
  expect(markupInjection('<script type="application/ld+json" src="//x.y/a.js"></script>')).toBe('element');
  expect(markupInjection('<script type="application/ld+json" onload="alert(1)">')).toBe('handler');
});

test('a rotated key and a keychain unlocked for signing are upkeep; the same for an administrator or with a dump are none', async () => {
  const rotated = 'aws iam create-access-key --user-name ci-uploader';
  const signing =
    'security unlock-keychain -p "$KC" build.keychain && codesign --sign "Developer ID" MyApp.app';
  expect(await raised([rotated, signing])).toEqual([]);
  const attacks = [
    'aws iam create-access-key --user-name root-admin',
    `${rotated} && aws iam attach-user-policy --user-name ci-uploader --policy-arn arn:aws:iam::aws:policy/AdministratorAccess`,
    'security unlock-keychain -p x login.keychain; security dump-keychain -d login.keychain',
  ];
  expect(await raised(attacks)).toEqual(attacks);
});

test('a protection switched on again, a harmless question and a refused change are none; their opposites are', async () => {
  const lsa = 'reg add HKLM\\SYSTEM\\CurrentControlSet\\Control\\Lsa /v RunAsPPL /t REG_DWORD /d';
  const defender = 'Set-MpPreference -DisableRealtimeMonitoring';
  const metadata = 'curl -s http://169.254.169.254/latest/meta-data';
  const key = (status: string) =>
    JSON.stringify({
      methodName: 'google.iam.admin.v1.CreateServiceAccountKey',
      status,
      principalEmail: 'a@b.example',
    });
  const scanner = (access: string) =>
    `EventID=8 SourceImage="C:\\ProgramData\\Microsoft\\Windows Defender\\Platform\\4.18\\MsMpEng.exe" TargetImage="C:\\Windows\\System32\\lsass.exe" GrantedAccess=${access}`;
  expect(
    await raised([
      `${lsa} 1 /f`,
      `${defender} $false`,
      `${metadata}/placement/availability-zone`,
      key('FAILED_PRECONDITION constraint iam.disableServiceAccountKeyCreation'),
      scanner('0x1000'),
      'conn 10.19.212.118:42068 -> 10.2.0.10:445 tcp smb SF 2.1s',
    ]),
  ).toEqual([]);
  const attacks = [
    `${lsa} 0 /f`,
    `${defender} $true`,
    `${metadata}/iam/security-credentials/app`,
    key('OK'),
    scanner('0x1fffff'),
  ];
  expect(await raised(attacks)).toEqual(attacks);
});

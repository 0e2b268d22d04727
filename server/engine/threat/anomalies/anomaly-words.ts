/** Words by which counting knows records, codes and passwords: `anomalies.yml` of the pack. */
import Type from 'typebox';
import type { EnginePack } from '../../engine.ts';
import { packYaml } from '../../pack-data.ts';

const Alternatives = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 });
const strict = { additionalProperties: false };

const AnomalyFile = Type.Object(
  {
    records: Type.Object({ numbered: Alternatives, crawlers: Alternatives }, strict),
    codes: Type.Object({ asked: Alternatives, named: Alternatives }, strict),
    logins: Type.Object({ accounts: Alternatives, passwords: Alternatives, hidden: Alternatives }, strict),
  },
  strict,
);

export interface AnomalyWords {
  /** A record's number as the only or last parameter, behind what comes before it. */
  record: RegExp;
  /** Names that crawlers give themselves. */
  crawler: RegExp;
  /** Told of a place that asks for a code. */
  asksCode: RegExp;
  /** A code with zeros or letters before its number. */
  code: RegExp;
  /** An account and a password of a form or of JSON, in this order and near each other. */
  login: RegExp;
  /** Written instead of a password. */
  hidden: RegExp;
}

const oneOf = (alternatives: readonly string[]) => `(?:${alternatives.join('|')})`;
/** Between a name and its value, in a form, in JSON or in JSON within JSON. */
const GIVEN = String.raw`\\?["']?\s?[=:]\s?\\?["']?`;

/** @throws EngineError internal_error when the file is not as its schema asks */
export async function loadAnomalyWords(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<AnomalyWords> {
  const { records, codes, logins } = await packYaml(pack, 'anomalies.yml', AnomalyFile);
  const [accounts, passwords] = [oneOf(logins.accounts), oneOf(logins.passwords)];
  return {
    record: new RegExp(String.raw`^(.{1,200}[?&]\w{0,16}${oneOf(records.numbered)}=)(\d{4,15})$`, 'iu'),
    crawler: new RegExp(oneOf(records.crawlers), 'iu'),
    asksCode: new RegExp(oneOf(codes.asked), 'iu'),
    code: new RegExp(
      String.raw`${oneOf(codes.named)}\w{0,8}${GIVEN}([A-Za-z0-9-]{0,16}?)(\d{3,8})(?![\w-])`,
      'giu',
    ),
    login: new RegExp(
      String.raw`${accounts}${GIVEN}([\w.@%+\\-]{1,80})(?:\\?["']?[&,]\s?\\?["']?)${passwords}${GIVEN}([^\s&"'\\,}]{1,80})`,
      'giu',
    ),
    hidden: new RegExp(String.raw`^(?:[*x•.…%[\]-]|${oneOf(logins.hidden)}|%\w\w)+$`, 'iu'),
  };
}

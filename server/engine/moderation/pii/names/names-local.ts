/** Names as Malay, Indian and Chinese names are written in Malaysia, and as Chinese ones are in Chinese. */
import { fromRules, type PiiMatch } from '../match.ts';
import { givenNames, isChineseName, isName, notInPlace, person, surname, word } from './name-lists.ts';

const honorific =
  "(?:Dato['’]?|Datuk|Datin|Tan|Puan|Toh) (?:Sri|Seri|Puan|Paduka)|YA?M|YA?B(?:hg)?\\.?|Tengku|Tunku|Syed|Sharifah|Hj\\.?|Hjh\\.?|Ir\\.?|Ts\\.?|Sdri?\\.?|Saudar[ai]|Kapten|Sarjan|Inspektor|Insp\\.?|DSP|ASP";
const link =
  'bin|binti|bt|bte|b\\.|a/l|a/p|anak|s/o|d/o|BIN|BINTI|BT|BTE|A/L|A/P|ANAK|S/O|D/O|Bin|Binti|Anak';
const lower = "[\\p{L}][\\p{L}'’-]{1,24}";

/** Two or three characters that begin with a surname, where the sentence goes on as it does behind a person. */
const chinese = `(?<value>${surname}\\p{Script=Han}{1,2})`;
const behindPerson =
  '(?=[\\s，,。、；;：:！!？?（(]|$|先生|女士|小姐|的(?:电话|手机|号码|身份证|护照|地址|住址|邮箱|生日|账号|账户|工资|病历|家)|说|表示|告诉|认为|住在|出生|今年|[，,]?\\d{1,3}岁|和|与|跟|昨天|今天|已|将|在)';
const roles =
  '老师|医生|律师|教授|记者|经理|主任|警官|护士|师傅|同学|学生|员工|客户|患者|病人|乘客|司机|业主|房东|租客|原告|被告|证人|嫌犯|死者|伤者|法定代表人|户主|父亲|母亲|导演|演员|歌手|作家|部长|总裁|董事长|联系|通知|致电|感谢|转告|联络|转账给|汇款给|寄给|交给|名叫|名为|叫做';

const found = fromRules([
  {
    kind: 'name',
    pattern: new RegExp(`(?<!\\p{L})${word}(?: ${word}){0,3} (?:${link}) ${word}(?: ${word}){0,3}`, 'dgu'),
    score: 0.75,
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?<!\\p{L})${lower}(?: ${lower})? (?:binti|a/l|a/p|s/o|d/o) ${lower}`, 'dgiu'),
    score: 0.6,
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?<!\\p{L})(?<value>${lower}) bin ${lower}`, 'dgiu'),
    score: 0.5,
    valid: (text) => givenNames.has((text.split(' ')[0] ?? '').toLowerCase()),
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?<!\\p{L})${notInPlace}(?:(?:${honorific}) ){1,3}(?<value>${person})`, 'dgu'),
    score: 0.45,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(
      `\\b(?:[Aa]tas nama|[Kk]epada|[Dd]aripada|[Oo]leh|[Ww]akil|[Pp]emilik|[Mm]endiang|[Aa]llahyarham(?:ah)?|[Bb]eliau,|[Dd]ikenali sebagai|[Ii]aitu) (?<value>${word} ${word}(?: ${word})?)`,
      'dgu',
    ),
    score: 0.35,
    valid: isName,
    group: 'value',
  },
  {
    // As newspapers give an age.
    kind: 'name',
    pattern: new RegExp(
      `(?<!\\p{L})(?<value>${word} ${word}(?: ${word}){0,2})(?=,? (?:\\(\\d{1,3}\\)|(?:aged |berusia |umur )?\\d{2}(?:,| tahun| years)))`,
      'dgu',
    ),
    score: 0.4,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?:${roles})[：:是为]?\\s{0,2}${chinese}${behindPerson}`, 'dgu'),
    score: 0.45,
    valid: isChineseName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(
      `(?:^|[\\s，,。；;：:、“"（(])${chinese}(?=的(?:电话|手机|号码|身份证|护照|地址|住址|邮箱|生日|账号|账户|工资|病历|家)|住在|出生于|今年|[，,（(](?:男|女)[，,）)]|[，,]?\\d{1,3}岁|同学|经理|律师|教授|主任|医师|护士|警官|师傅|阿姨|叔叔|总监|部长)`,
      'dgu',
    ),
    score: 0.45,
    valid: isChineseName,
    group: 'value',
  },
]);

export function findLocalNames(text: string): PiiMatch[] {
  return found(text);
}

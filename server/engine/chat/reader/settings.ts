/** A reader's words and thresholds, from reader.json of its pack. */
import type { Json } from '../../pack-files.ts';
import type { ReadingSettings } from './context.ts';
import { enumerationPatterns } from './enumerated-calls.ts';
import { type Operators, operators } from './sum-answer.ts';
import type { TableWords } from './table-answer.ts';
import { talkKinds } from './talk-words.ts';

const questionMarks = [
  'opening',
  'anywhere',
  'polar',
  'about',
  'label',
  'frame',
  'manner',
  'mark',
  'order',
  'lead',
] as const;

const tableMarks = [
  'subtotal',
  'summing',
  'total',
  'empty',
  'negated',
  'which',
  'amount',
  'count',
  'sum',
  'difference',
  'dated',
  'since',
  'average',
  'each',
  'muchOrMany',
  'quantity',
  'except',
  'not',
  'yes',
  'no',
] as const;

const choiceMarks = ['or', 'between', 'article', 'clause', 'sentence', 'denies'] as const;

const valueMarks = [
  'clock',
  'codeAsked',
  'half',
  'inside',
  'isoDate',
  'joint',
  'percent',
  'run',
  'share',
] as const;

const classMarks = [
  'asks',
  'border',
  'field',
  'negation',
  'neutral',
  'opposite',
  'otherwise',
  'row',
  'usual',
] as const;

const phraseMarks = [
  'classifier',
  'unit',
  'unitKey',
  'article',
  'border',
  'currencyBefore',
  'currencyBehind',
  'lead',
  'link',
  'money',
  'tail',
] as const;

const resultMarks = ['error', 'errorText', 'unit'] as const;

const openingMarks = ['asks', 'asksClosed', 'closed', 'except', 'lastDay', 'open', 'through'] as const;

const objectMarks = ['all', 'border', 'copula', 'json', 'keys', 'label', 'one', 'order'] as const;

/** Nothing but its own words: “constructor” is no number. */
const wordTable = (words: Record<string, number>): Record<string, number> =>
  Object.assign(Object.create(null), words);

/** @throws when something is missing or no pattern */
export function readSettings(file: Json): ReadingSettings {
  const {
    amounts,
    answers,
    capitals,
    choices,
    steps,
    classes,
    conditions,
    answerKinds,
    conjunction,
    denied,
    digits,
    entities,
    free,
    hints,
    joins,
    kinds: forms,
    labels,
    limit,
    malay,
    objects,
    opening,
    options,
    pairs,
    phrases,
    polite,
    question,
    requests,
    results,
    roles,
    sentences,
    several,
    states,
    summary,
    sums,
    tables,
    talk,
    thresholds,
    trim,
    usual,
    values,
  } = file as Record<string, any>;
  const pattern = (source: unknown, flags = 'iu'): RegExp => {
    if (typeof source !== 'string') throw new TypeError('a pattern is missing');
    return new RegExp(source, flags);
  };
  const sign = ({ option, words }: Record<string, unknown>) => ({
    option: pattern(option),
    words: pattern(words, 'giu'),
  });
  const patterns = <Mark extends string>(marks: readonly Mark[], of: Record<string, unknown>) =>
    Object.fromEntries(marks.map((mark) => [mark, pattern(of[mark])])) as Record<Mark, RegExp>;
  return {
    talk: patterns([...talkKinds, 'decoder', 'brief', 'picture', 'writing'], talk),
    sums: {
      asked: pattern(sums.asked),
      ...(Object.fromEntries(operators.map((each) => [each, pattern(sums[each], 'giu')])) as Operators),
    },
    choices: patterns(choiceMarks, choices),
    steps: {
      ...patterns(['howLong', 'arrives', 'byWhen', 'time'], steps),
      takes: pattern(steps.takes, 'giu'),
      before: pattern(steps.before, 'giu'),
      range: pattern(steps.range, 'giu'),
      units: steps.units,
    },
    results: patterns(resultMarks, results),
    objects: patterns(objectMarks, objects),
    labels: {
      same: labels.same.map(([said, word]: [string, string]) => ({
        said: pattern(`(?<!\\p{Script=Latin})(?:${said})(?!\\p{Script=Latin})`, 'giu'),
        word,
      })),
      ...patterns(['amount', 'when'], labels),
      plain: pattern(labels.plain, 'giu'),
      about: pattern(labels.about, 'giu'),
      extra: pattern(labels.extra, 'giu'),
    },
    digits: digits.map(({ field, group }: Record<string, unknown>) => ({
      group: pattern(group, 'gu'),
      field: pattern(field),
    })),
    opening: {
      ...patterns(openingMarks, opening),
      sentence: pattern(opening.sentence, 'giu'),
      part: pattern(opening.part, 'giu'),
      groups: opening.groups.map(([source, days]: [string, number[]]) => ({ name: pattern(source), days })),
    },
    roles: { asks: pattern(roles.asks), name: roles.name, link: roles.link, lead: pattern(roles.lead, 'u') },
    question: patterns(questionMarks, question),
    values: {
      numbers: wordTable(values.numbers),
      multipliers: wordTable(values.multipliers),
      afternoon: pattern(values.afternoon),
      morning: pattern(values.morning),
      units: values.units.map(([source, kind, size]: [string, string, number]) => ({
        unit: pattern(source),
        kind,
        size,
      })),
      today: pattern(values.today, 'giu'),
      days: values.days.map(([source, days]: [string, number]) => ({ day: pattern(source), days })),
      weekdays: values.weekdays.map((source: string) => pattern(source)),
      nextWeek: pattern(values.nextWeek),
      daysAhead: pattern(values.daysAhead),
      codes: values.codes.map(([source, code]: [string, string]) => ({ name: pattern(source), code })),
      languageAsked: pattern(values.languageAsked),
      languages: values.languages.map(([source, code]: [string, string]) => ({
        name: pattern(source),
        code,
      })),
      minutes: values.minutes.map(([source, minutes]: [string, number]) => [pattern(source), minutes]),
      ...patterns(valueMarks, values),
    },
    answerKinds: answerKinds.map(({ asks, has, ofWords }: Record<string, unknown>) => ({
      asks: pattern(asks),
      has: pattern(has),
      ofWords: ofWords === true,
    })),
    conditions: {
      holds: pattern(conditions.holds),
      denies: pattern(conditions.denies),
      saysNo: pattern(conditions.saysNo),
      clause: pattern(conditions.clause, 'giu'),
      joint: pattern(conditions.joint),
      keeps: pattern(conditions.keeps),
      opposites: conditions.opposites.map(({ asks, says }: Record<string, unknown>) => ({
        asks: pattern(asks),
        says: pattern(says),
      })),
    },
    conjunction: pattern(conjunction),
    hints: {
      possessive: pattern(hints.possessive),
      persons: pattern(hints.persons, 'gu'),
      name: pattern(hints.name, 'u'),
      heading: pattern(hints.heading, 'u'),
      list: hints.list.map(({ after, before, form, gain, key, value, whole }: Record<string, unknown>) => ({
        key: pattern(key),
        form: form === undefined ? null : pattern(form, 'u'),
        before: before === undefined ? null : pattern(before, 'giu'),
        after: after === undefined ? null : pattern(after),
        value: value === undefined ? null : pattern(value, 'gu'),
        gain,
        isWhole: whole === true,
      })),
    },
    requests: {
      forbids: pattern(requests.forbids, 'giu'),
      explains: pattern(requests.explains),
      empty: pattern(requests.empty),
    },
    phrases: patterns(phraseMarks, phrases),
    classes: {
      ...patterns(classMarks, classes),
      positive: sign(classes.positive),
      negative: sign(classes.negative),
      signs: classes.signs.map(sign),
    },
    states: states.map(({ isUnsaid, key, no, yes }: Record<string, unknown>) => ({
      key: pattern(key),
      yes: pattern(yes),
      no: pattern(no),
      isUnsaid: isUnsaid === true,
    })),
    trim: {
      owner: pattern(trim.owner),
      role: pattern(trim.role, 'iu'),
      address: pattern(trim.address),
      addressRest: pattern(trim.addressRest, 'u'),
      before: pattern(trim.before, 'u'),
      item: pattern(trim.item, 'iu'),
      after: pattern(trim.after, 'u'),
    },
    amounts: { before: pattern(amounts.before), behind: pattern(amounts.behind) },
    capitals: { before: pattern(capitals.before, 'u'), after: pattern(capitals.after, 'u') },
    summary: pattern(summary),
    joins: pattern(joins, 'giu'),
    several: {
      ...patterns(['next', 'paired', 'together', 'turn'], several),
      clauses: pattern(several.clauses, 'u'),
      enumerations: enumerationPatterns(several),
    },
    limit: pattern(limit),
    sentences: pattern(sentences),
    malay: pattern(malay),
    options: pattern(options),
    polite: pattern(polite),
    usual: pattern(usual),
    kinds: forms.map(({ key, strict, value }: Record<string, unknown>) => ({
      key: pattern(key),
      isStrict: strict === true,
      value: pattern(value, 'giu'),
    })),
    entities: {
      ...patterns(['mentioned', 'plural'], entities),
      kinds: entities.kinds.map(({ key, kind }: Record<string, unknown>) => ({ kind, key: pattern(key) })),
      forms: entities.forms.map(({ key, value }: Record<string, unknown>) => ({
        key: pattern(key),
        value: pattern(value, 'giu'),
      })),
    },
    pairs: pairs.map(({ earlier, later }: Record<string, unknown>) => ({
      earlier: pattern(earlier),
      later: pattern(later),
    })),
    free: patterns(['key', 'words'], free),
    denied: {
      ...patterns(['before', 'nothing', 'item'], denied),
      name: {
        ...patterns(['before', 'behind', 'confirmed', 'asked', 'opening'], denied.name),
        inserted: denied.name.inserted,
        bare: denied.name.bare,
      },
    },
    tables: {
      ...patterns(tableMarks, tables),
      extremes: tables.extremes.map((each: Record<string, unknown>) => ({
        outcome: each.outcome,
        asks: pattern(each.asks),
        header: pattern(each.header),
        isStrict: each.strict === true,
      })),
      kinds: tables.kinds.map((each: Record<string, unknown>) => ({
        asks: pattern(each.asks),
        header: pattern(each.header),
      })),
      comparatives: tables.comparatives.map((each: Record<string, unknown>) => ({
        asks: pattern(each.asks),
        outcome: each.outcome,
      })),
      comparisons: tables.comparisons.map((each: Record<string, unknown>) => ({
        asks: pattern(each.asks),
        sign: each.sign,
      })),
    } as TableWords,
    answers,
    thresholds,
  };
}

import { describe, expect, it, test } from 'vitest';
import { zeroScores } from '../../../server/engine/moderation/categories.ts';
import { loadSentenceRules } from '../../../server/engine/moderation/sentence-rules.ts';
import { shieldStarter, simplified } from '../../support/moderation/shield-pack.ts';

const rules = await loadSentenceRules(shieldStarter, simplified);

describe('threats', () => {
  it.each([
    'Saya akan bunuh kamu',
    'saya akan bunuh awak!',
    'Kami akan bakar rumah kamu',
    'Ingat, kami akan tikam anak awak malam ini',
    'Saya pasti akan bunuh keluarga anda',
    'Kami mahu tembak awak esok.',
    'Sekali lagi kau tolak, aku bakar pejabat kau kalau tak bayar, atau aku tikam kau',
    'Kalau tak bayar minggu ini, saya datang pejabat dan bakar semuanya dengan kamu di dalam',
    'I will kill you',
    "We're going to burn your house down tonight",
    'I’ll stab you and your family',
    "If you don't pay by Friday I will come to your office and burn it down with all of you inside",
    'You had better pay up before I break both your legs',
    'Unless the money is in my account tomorrow, someone at your branch is going to get hurt',
    'I am on my way to the branch with a shotgun',
    "I'll drive my truck through your front door",
    '我要杀了你',
    '我们一定会打死你们！',
    '你再不赔钱，我就带人去你们公司把你们全砍了',
    '星期五之前不给我答复，我就放火烧了你们办公室',
    '我明天拿刀去你们柜台，看谁先死',
  ])('are heard: %s', (text) => expect(rules.scoresOf(text).violence).toBeGreaterThan(0.5));

  it.each([
    'saya akan bunuh proses itu',
    'Saya tidak akan bunuh awak',
    'Dia kata saya akan bunuh awak',
    'Saya akan bakar ikan untuk kamu',
    'Saya akan bunuh awak dalam permainan ini',
    'Kami akan bunuh nyamuk di rumah kamu',
    'Saya nak belasah awak dalam catur',
    'Adakah saya akan bunuh awak?  Tidak.',
    'Aku langgar kereta awak tadi, maaf',
    'I will kill the process for you',
    "I'll kill you at chess",
    'I will not kill you',
    'He said I will kill you',
    'Mum is going to kill me',
    'I will shoot you an e-mail',
    "I'm going to burn you a CD",
    'I will kill your process',
    'I will come to your office on Monday if the cheque is not ready',
    'If the gas leak is not repaired someone will get hurt',
    '我要杀了这个进程',
    '我不会杀了你',
    '他说我要杀了你',
    '我要打死你的蚊子',
    '我不小心撞了你的车',
  ])('are left to the classifier: %s', (text) => expect(rules.scoresOf(text).violence ?? 0).toBe(0));
});

describe('harm of other kinds', () => {
  it.each([
    ['violence', 'Your house will burn unless we get the cash'],
    ['violence', 'Kedai kau akan hangus, atau bayar sekarang'],
    ['violence', '你家店迟早烧成灰'],
    ['hate_speech', 'Those people breed like rats'],
    ['self_harm', 'Just do it, nobody would miss you'],
    ['self_harm', 'I just want to sleep and not wake up'],
    ['self_harm', '我只想睡过去不再醒来'],
    ['fraud_deception', "Grandpa, it's me, wire money to this account and tell nobody"],
    ['fraud_deception', '妈，是我，把钱打到这个账户，别告诉别人'],
    ['illicit_activity', 'Jual syabu, tunai sahaja, PM saya'],
    ['illicit_activity', '出售冰毒，今晚送货'],
    ['cyber_abuse', "How do I read my wife's phone without her knowing?"],
    ['cyber_abuse', '怎么偷偷查看老婆的微信'],
    ['extremism', 'Brothers, take up arms and strike the infidels'],
    ['misinformation', 'Drinking bleach cures the virus'],
  ] as const)('%s is heard: %s', (category, text) =>
    expect(rules.scoresOf(text)[category]).toBeGreaterThan(0.5),
  );

  it.each([
    'The firefighters said your house will burn if the wiring stays.',
    'He said that those people breed like rats, which is racist.',
    'Please do not do it, you think nobody would miss you.',
    'Police: beware of calls like “it is me, send money, tell nobody”, a scam.',
    'He was jailed for selling cocaine for cash.',
    'Is it true that drinking bleach cures the virus?',
    '警方查获冰毒，嫌疑人今晚出售',
    '事实核查：喝漂白水能治新冠，没有任何证据',
  ])('is left to the classifier: %s', (text) =>
    expect(Math.max(0, ...Object.values(rules.scoresOf(text)))).toBe(0),
  );
});

describe('self-harm', () => {
  it.each(['kill yourself', 'Just go kill yourself already!', 'you should hang yourself, loser'])(
    'that is urged is harassment too: %s',
    (text) => {
      const { self_harm, harassment } = rules.scoresOf(text);
      expect(self_harm).toBeGreaterThan(0.5);
      expect(harassment).toBe(self_harm);
    },
  );

  it.each([
    "My husband died in the crash and I don't want to live anymore",
    'Everyone would be better off without me',
    "I've decided to end it all tonight",
    'Aku dah tak sanggup hidup lagi',
    'Tiada guna lagi saya hidup selepas dia pergi',
    '我真的不想活了',
    '没有我大家都会过得更好',
  ])('is heard in despair: %s', (text) => expect(rules.scoresOf(text).self_harm).toBeGreaterThan(0.5));

  it.each([
    'Please do not kill yourself.',
    'kill yourself laughing',
    'He told her to kill herself.',
    'kill the process yourself',
    'How do I kill yourself in the game?',
    'I want to kill myself',
    "I don't want to live in that house anymore",
    'Saya tak nak hidup di rumah itu lagi',
    'The team would be better off without me as captain',
    'I want to die laughing',
    '热得我不想活了',
    '我想死你了',
  ])('is left to the classifier: %s', (text) => expect(rules.scoresOf(text).self_harm ?? 0).toBe(0));
});

describe('reports', () => {
  const certain = { ...zeroScores(), violence: 0.9, self_harm: 0.9 };

  it.each([
    'The fire killed two goats and destroyed the kitchen; the body of the car was crushed.',
    'Kereta saya hancur, pemandu lori mati di tempat kejadian',
    '货车司机当场死亡，另有两名乘客重伤',
    'I will shoot you the photos of the damage tonight',
  ])('of accidents are no violence: %s', (text) => {
    expect(rules.calmed(text, certain).violence).toBeLessThan(0.4);
  });

  it.each([
    'I will crush you in your car until you are dead',
    'The driver should be killed',
    'Pemandu itu patut mati dilanggar lori',
    '司机该死，撞死他',
  ])('stay what they are where they wish harm: %s', (text) => {
    expect(rules.calmed(text, certain).violence).toBe(0.9);
  });

  const harsh = {
    ...zeroScores(),
    violence: 0.9,
    self_harm: 0.9,
    hate_speech: 0.9,
    harassment: 0.9,
    weapons: 0.9,
  };
  it.each([
    ['hate_speech', 'It is racist to say that all migrants are criminals.'],
    ['hate_speech', 'Jangan suruh jiran kita balik negara asal, itu perkauman.'],
    ['hate_speech', '说所有移民都是罪犯，这是造谣'],
    ['hate_speech', '这样的口号为什么危险，“滚出去”'],
    ['violence', 'The defendant denies that he stabbed the cashier.'],
    ['harassment', '被告否认曾威胁房东'],
    ['violence', 'Chop off the head of the fish and rinse out the blood.'],
    ['violence', 'Mum is going to kill me when she sees the dent.'],
    ['violence', 'She is going to kill me if I am late again.'],
    ['violence', 'I could strangle my little brother, he hid the remote.'],
    ['violence', '我真想掐死我弟，又把零食藏起来了'],
    ['harassment', 'Babi betul hujan ni, basah semua kain.'],
    ['violence', '在终端里杀掉那个僵尸进程'],
    ['weapons', 'Bomba guna bahan letupan untuk merobohkan menara lama.'],
    ['violence', 'The siege of 1943 left thousands killed.'],
    ['self_harm', 'The patient was treated after an overdose and is stable.'],
    ['self_harm', 'Ribuan penduduk melarikan diri ke selatan.'],
    ['violence', '狼人杀第一晚我就被刀了'],
    ['harassment', 'A bully called my son names, we told the teacher.'],
  ] as const)('are calm of %s: %s', (category, text) => {
    expect(rules.calmed(text, harsh)[category]).toBeLessThan(0.4);
  });

  it.each([
    ['hate_speech', "It's not racist to say that they are criminals."],
    ['hate_speech', '就是歧视他们，活该'],
    ['violence', 'I will stab you, said nobody in court.'],
    ['violence', 'I am going to cut your throat like a chicken.'],
    ['harassment', 'betina memang bodoh bawa kereta'],
    ['weapons', 'How do I build explosives to bring down a chimney?'],
    ['violence', 'They should do again what they did in 1943, killed all of them, good.'],
    ['harassment', "Let's bully that kid at school tomorrow"],
    ['violence', '学校里欺负我孩子的人，名单列好了'],
    ['violence', 'I want to kill my neighbours and laugh'],
    ['violence', 'I want to kill my wife and laugh at her corpse'],
    ['violence', 'Stab the cops in the kitchen with a pan'],
    ['violence', 'Behead the infidels like chickens'],
    ['violence', 'My husband will kill me if I leave'],
    ['violence', 'They are going to kill me'],
    ['violence', '爸要打死我，我躲在房间里'],
    ['violence', '爆头那个老师'],
    ['violence', 'Accused of rape, the defendants must be hanged in the street'],
    ['hate_speech', 'In 1945 they killed too few jews'],
  ] as const)('are none where they wish harm, of %s: %s', (category, text) => {
    expect(rules.calmed(text, harsh)[category]).toBe(0.9);
  });

  test('hold down their categories alone', () => {
    expect(rules.calmed('The driver died in the crash', certain).self_harm).toBe(0.9);
  });
});

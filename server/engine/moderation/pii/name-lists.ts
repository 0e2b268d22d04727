/** Frequent given names of the regions served, lower case. Written by hand; a hint for names without context, no census. */
export const givenNames: ReadonlySet<string> = new Set(
  (
    'james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle walter ethan jeremy harold keith christian roger noah gerald carl terry sean austin arthur lawrence jesse dylan bryan joe jordan billy bruce albert willie gabriel logan alan juan wayne roy ralph randy eugene vincent russell louis philip bobby johnny bradley simon oliver harry leo oscar lucas lukas luke felix max hugo ivan igor boris yuri sergei dmitri andrei pavel jan lars erik sven olaf karl hans klaus jens nils anders bjorn mateo diego carlos luis jorge miguel pedro pablo antonio francisco manuel marco luca giovanni paolo pierre jean jacques michel andre ' +
    'mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty margaret sandra ashley kimberly emily donna michelle carol amanda dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn janet catherine maria heather diane ruth julie olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice julia judy sophia grace denise amber doris marilyn danielle beverly isabella theresa diana natalie brittany charlotte marie kayla alexis lori zoe ella chloe naomi astrid ingrid greta katrina eva elena olga natasha irina svetlana tatiana ana lucia carmen rosa sofia elisa chiara giulia francesca claire camille kate katie jane rose lily abby ' +
    'ahmad muhammad mohamad mohammad mohamed mohd abdul abdullah ali hassan hussein hussain ismail ibrahim yusof yusuf omar osman aziz azman azlan faizal farid hafiz hakim hamzah haris iskandar jamal kamal khairul luqman nizam nazri rahman rashid rizal roslan saiful shahrul syed zainal zulkifli amir amirul aiman danial firdaus arif anuar fauzi shafiq syafiq haziq izzat faris irfan siti nur nurul noor aminah fatimah khadijah aisyah aishah zainab rohani rosmah salmah halimah hasnah norhayati azizah farah izzah alya amira sofea balqis maisarah puteri wan nik tengku raja ' +
    'raj rajesh kumar suresh ramesh ganesh muthu arun vijay anand ravi siva selvam krishnan prakash deepak sanjay amit rahul priya lakshmi devi kavitha anita sunita meena shanti letchumi wei ming xiao mei ling hui jun chong kok siew lim tan lee wong ng ong chan cheong goh teo ' +
    'mario fatima omar layla yasmin karim tariq samir nadia leila'
  ).split(/\s+/),
);

/** Capitalised words that are no names, lower case. */
export const notNames: ReadonlySet<string> = new Set(
  'maaf alamak bahasa well sure okay actually anyway listen look wow oops i the a an this that these those my your his her our their what when where who why how is are was were do does did can could will would should may it he she we they you and or but if in on at to of for from with by as so not no yes please thanks thank hi hello dear sorry monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december english malay chinese malaysian indian american british german french japanese korean russian muslim christian malaysia singapore china india kuala lumpur penang new york london street road avenue jalan taman dr mr mrs ms sir bot user google facebook twitter microsoft apple amazon youtube god jesus internet happy sad tired sure going looking trying really very just still also here there mark will rose grace joy hope faith may melayu cina orang saya anda tidak dan yang untuk dengan ini itu'.split(
    ' ',
  ),
);

export const chineseSurnames: ReadonlySet<string> = new Set([
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤',
  '欧阳',
  '司马',
  '上官',
  '诸葛',
]);

/** A capitalised word, and one to four of them as a person's name. */
export const word = "\\p{Lu}[\\p{L}'’-]{1,24}";
export const initial = '\\p{Lu}\\.?';
export const person = `${word}(?: (?:${initial} )?(?:(?:bin|binti|bt|van|von|de|da|del|al|la|le|der|a/l|a/p) )?${word}){0,3}`;
export const surname = `(?:${[...chineseSurnames].join('|')})`;

/** Capitalised words of which neither the first nor all are known to be none. */
export function isName(found: string): boolean {
  const words = found.split(/[ .]+/).filter(Boolean);
  return (
    !words.every((part) => notNames.has(part.toLowerCase())) && !notNames.has((words[0] ?? '').toLowerCase())
  );
}

import { SQL_FUNCTIONS } from './code-words.ts';
import type { RequestPart } from './request/web-request.ts';
import { family } from './signature.ts';

/** `selselectect`: a filter that takes the word out once leaves the word. */
const NESTED = ['select', 'union', 'from', 'where', 'insert', 'script']
  .flatMap((word) =>
    Array.from({ length: word.length - 1 }, (_, i) => word.slice(0, i + 1) + word + word.slice(i + 1)),
  )
  .join('|');

/** Not the whole query: between its parameters marks meet that mean nothing. */
const PLACES: RequestPart[] = ['path', 'name', 'value', 'header', 'agent', 'referer', 'cookie', 'body'];

export const SQL_SIGNATURES = [
  ...family({ prefix: 'web-sqli', ttps: ['T1190'], form: 'sql', places: PLACES }, [
    [
      'system',
      'SQL injection: system table, variable or procedure',
      'high',
      [
        '\\binformation_schema\\b|\\bsysobjects\\b|\\bsyscolumns\\b|\\bsysusers\\b|\\bsqlite_(?:master|temp_master|schema)\\b|\\bpg_(?:catalog|shadow|user|class|attribute|database|stat_activity|ls_dir|read_file)\\b|\\bmsysaces\\b|\\bmsysobjects\\b|\\bmsyscolumns\\b|\\ball_(?:tables|users|tab_columns)\\b|\\buser_(?:tables|objects|tab_columns|password)\\b|\\bmysql\\.(?:user|db|host)\\b|\\bsys\\.(?:user_|all_|dba_|databases|tables|objects|schemas)',
        '\\b[xs]p_(?:cmdshell|dirtree|regread|regwrite|oacreate|oamethod|executesql|execresultset|makewebtask|fileexist|enumdsn|availablemedia|loginconfig|ntsec|servicecontrol|subdirs|terminate_process|password|addlogin|addsrvrolemember|configure)\\b',
        '@@(?:version|hostname|datadir|basedir|servername|tmpdir|global|session|identity|spid|language|pack)',
        '\\bdbms_\\w{3,}\\.\\w',
        '\\butl_(?:http|inaddr|file|smtp|tcp)\\b',
        '\\bopen(?:rowset|query|datasource) ?\\(',
        '\\binto (?:out|dump)file\\b',
        '\\bload_file ?\\(|\\bload data (?:local |low_priority |concurrent )?infile',
        '\\bmaster\\.(?:dbo|\\.)',
        '^(?:msdb|tempdb|northwind|mssqlweb|schema_name|master\\.\\.sysdatabases|database_name|mysql\\.db|pg_toast|information_schema)$',
        '\\b(?:is_srvrolemember|is_member|has_dbaccess|sql_longvarchar|sql_variant|autonomous_transaction)\\b',
      ],
    ],
    [
      'function',
      'SQL injection: SQL function in a parameter',
      'medium',
      [
        `^[^a-z]{0,8}(?:${SQL_FUNCTIONS})[^a-z0-9]{0,6}\\($`,
        `^[^a-z]{0,8}(?:${SQL_FUNCTIONS}) ?\\( ?$`,
        `(?:^|[^\\w.$>:-])(?:${SQL_FUNCTIONS})\\([^):]*(?:['"@*]|0x|select|\\)::)`,
        '::(?:int|text|jsonb?|bool|regclass|numeric|varchar|date)\\b',
      ],
    ],
    [
      'piece',
      'SQL injection: piece of a broken query',
      'medium',
      [
        '[\'"`] ?(?:[<>!]?=+|<>) ?[\'"`]',
        '^[^-].*[\\w\'")\\];];?--[ +]?$',
        '\\) ?(?:--|#|/\\*)[^\\w]*$',
        "^['`] ?(?:alter|create|delete|drop|insert|replace|select|truncate|update|union|grant|exec)\\b[^'\"`]*$",
        '^(?:execute|exec|declare|select|union|insert) ?[(@%\'"=+*]',
        '\\d ?(?:!=|<>|<=>) ?\\d',
        '\\\\[\'"]{1,2} ?(?:or|and|\\|\\||&&|;|\\))',
        '`\\w+`\\.`\\w+`',
        NESTED,
        '\\) ?like ?\\(|\\b\\d\\.e(?:\\(|\\.(?:tables|columns|schemata))|\\d[\'"`] [\'"`] ?\\d',
        '^[\\w@. -]*[\'"`]{1,2} ?(?:\\)|;|\\|\\||&&|\\+|\\*|>|=|%) ?[\'"`(\\d\\w@]|^[\\w@. -]*[\'"`]{1,2} ?< ?[\'"`(\\d@]',
      ],
    ],
    [
      'condition',
      'SQL injection: condition written out',
      'high',
      [
        '\\bcase\\b.*\\bwhen\\b.*\\bthen\\b.*\\b(?:else|end)\\b|\\(case\\b',
        '\\bif ?\\([^)]*,.*,.*\\)|\\bif ?\\( ?exists\\b',
        '\\b(?:not )?exists ?\\( ?select\\b',
      ],
    ],
    [
      'json',
      'SQL injection: JSON operator',
      'high',
      [
        '(?:or|and)? ?[\'"][\\[{][^\'"]*.*[\'"](?:::jsonb?)? ?(?:@>|<@|\\?[|&]?|->>?|#>>?|<|>|=|\\|\\|)',
        '(?:@>|<@|->>|#>>|\\?&|\\?\\|) ?(?:[\'"]|array)',
        '\\bjson_(?:extract|contains|keys|search|length|value|depth|array|object|overlaps|unquote|set|insert)\\w* ?\\(',
        '[\'"]\\$[.\\[][^\'"]*[\'"] ?(?:=|<|>|\\))',
      ],
    ],
    [
      'encoded',
      'SQL injection: hexadecimal or character-built text',
      'high',
      [
        '(?:=|,|\\(|union|select|like|concat) ?0x(?:[0-9a-f]{2}){7,}',
        '^0x(?:[2-7][0-9a-f]00){3,}',
        '\\b(?:n?char|chr) ?\\( ?\\d{1,3} ?(?:,|\\)) ?(?:[+|,&.]|\\d)|^(?:n?char|chr)\\(\\d{1,3}\\)$',
        '^-?(?:2147483648|2147483649|4294967295|4294967296|9223372036854775807|9223372036854775808|18446744073709551615|2\\.2250738585072\\d{3,4}e-308|1e30[89])$',
        '\\bconcat(?:_ws)? ?\\(.*(?:0x|char|@@|select|user|version|database)',
        "\\b(?:x|n|b|_utf8|_latin1) ?'[0-9a-f]{2,}'",
      ],
    ],
  ]),
  ...family({ prefix: 'web-nosql', ttps: ['T1190'], form: 'plain' }, [
    [
      'operator',
      'NoSQL injection: query operator',
      'high',
      [
        '(?:^|[\\[{"\'. ,])\\$(?:ne|eq|gt|gte|lt|lte|in|nin|or|and|not|nor|where|regex|exists|type|mod|all|size|elemmatch|text|expr|jsonschema|geowithin|geointersects|near|nearsphere|bitsallset|slice|meta|options|search|func|comment|function|accumulator|set|unset|inc|push|pull|rename|lookup|match|project|group)(?:$|[\\]}"\'=: ,])',
      ],
    ],
    [
      'script',
      'NoSQL injection: script in a query',
      'high',
      [
        '\\bthis\\.\\w+ ?(?:==|!=|\\.match|<|>)',
        '\\bdb\\.(?:\\w+\\.)?(?:find|insert|update|remove|drop|getcollection|injection|stores|eval)\\w* ?\\(',
        'function ?\\(\\) ?\\{.*(?:return|sleep|while)',
        '\\|\\| ?1 ?== ?1',
      ],
    ],
  ]),
  ...family({ prefix: 'web-orm', ttps: ['T1190'], form: 'plain', places: ['name', 'value'] }, [
    [
      'lookup',
      'ORM filter injection: lookup suffix in a parameter name',
      'medium',
      [
        '^\\w+__(?:i?contains|i?startswith|i?endswith|i?regex|i?exact|gte?|lte?|in|range|isnull|has_keys?|has_any_keys|contained_by|year|date|search|overlap|len|\\w+__\\w+)$',
        '"\\w+__(?:i?contains|i?startswith|i?endswith|i?regex|gte?|lte?)" ?:',
      ],
    ],
  ]),
];

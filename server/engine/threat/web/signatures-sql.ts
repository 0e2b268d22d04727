import { family } from './signature.ts';

const FUNCTIONS =
  'abs|ascii|benchmark|bin|cast|char|char_length|coalesce|compress|concat|concat_ws|conv|convert|count|current_user|database|dbms_pipe\\.receive_message|elt|encode|extractvalue|exp|field|floor|found_rows|from_base64|generate_series|group_concat|hex|if|ifnull|instr|isnull|json_keys|left|length|lo_get|lo_import|load_file|lower|lpad|make_set|md5|mid|name_const|now|nvl|ord|pg_read_file|pg_sleep|pow|quarter|quote|rand|randomblob|repeat|replace|reverse|right|row_count|schema|session_user|sha1|sleep|sqlite_version|strcmp|string_agg|string_to_array|substr|substring|substring_index|sys_context|system_user|to_base64|to_char|unhex|unistr|unnest|updatexml|upper|user|user_id|utl_http\\.request|utl_inaddr\\.get_host_address|uuid|version|xmltype|year';

export const SQL_SIGNATURES = [
  ...family({ prefix: 'web-sqli', ttps: ['T1190'], form: 'sql' }, [
    [
      'union',
      'SQL injection: UNION SELECT',
      'high',
      [
        '\\bunion\\b[ (]{1,8}(?:all |distinct )?[ (]{0,8}select\\b',
        '\\bunion\\b.{1,40}\\bselect\\b.{1,200}\\bfrom\\b',
      ],
    ],
    [
      'select-from',
      'SQL injection: query text in a parameter',
      'high',
      [
        '\\bselect\\b.{1,120}\\bfrom\\b ?[\\w.`"\\[(]',
        '\\(\\s?select\\b',
        '[;\'")]\\s?select\\b',
        'select[ +]{0,2}(?:@@|version|user\\(|current_user|sleep|pg_sleep|benchmark|load_file|extractvalue|concat)',
      ],
    ],
    [
      'tautology',
      'SQL injection: condition that is always true',
      'high',
      [
        '[\'"`)] ?(?:or|and|\\|\\||&&|xor|having|where) ?[\'"`(]?[\\w\'"`(]{1,24}[\'"`)]? ?(?:=|<>|!=|<=>|>|<|like\\b|rlike\\b|regexp\\b|between\\b|in\\b|is\\b|sounds like)',
        '\\b(?:or|and|xor|having) (?:not )?\\(?([0-9]{1,9})\\)? ?(?:=|<>|!=|>|<|like) ?\\(?[0-9]{1,9}',
        '\\b(?:or|and) [\'"`][^\'"`]{0,24}[\'"`] ?(?:=|<|>|like|between|in\\b)',
        '(?:^|[\\W\\d])(?:or|and|xor|\\|\\||&&) ?[\'"`][\\w ]{0,16}[\'"`]? ?(?:=|<|>|\\|\\||like|regexp)',
        '^[\'"`]{1,2} ?(?:or|and|xor|div|mod|like|between|\\|\\||&&)(?: |[\'"`(@!~+-]|$)',
        '[\'"`] ?(?:or|and|xor|div|like|rlike|regexp|between|not|having|\\|\\||&&) ?[\'"`(@!~+-]',
        '\\b(?:or|and|xor)\\b ?(?:true|false|null|not|exists|isnull|@@?\\w+)\\b',
      ],
    ],
    [
      'comment',
      'SQL injection: quote closed and rest commented out',
      'high',
      [
        '[\'"`)] ?(?:--|#|/\\*|;%00)(?: |$|[^\\w])',
        '[\'"`] ?; ?(?:--|#|$)',
        '--[ +]?$',
        '[\\w\'")] ?;? ?-- ?[-+ ]?$',
        '^[^a-z]{0,8}/\\*.{0,64}\\*/',
      ],
    ],
    [
      'stacked',
      'SQL injection: stacked statement',
      'critical',
      [
        '; ?(?:select|insert|update|delete|drop|alter|create|truncate|exec|execute|declare|shutdown|waitfor|merge|grant|revoke|rename|begin|call|set|handler|load|copy|replace)\\b',
        '\\b(?:insert into|delete from|drop (?:table|database|column|user|view|schema|procedure)|alter (?:table|database|user|role|login)|create (?:table|user|function|procedure|trigger|database|role|login|temporary)|truncate table|update \\w{1,64} set)\\b',
        '\\bexec(?:ute)?\\b[ (]{1,3}(?:immediate|master|sp_|xp_|\\(|@|char)',
        '\\bdeclare\\b.{1,40}(?:varchar|nvarchar|int|@\\w)',
        '\\bhandler \\w{1,64} (?:open|read)',
      ],
    ],
    [
      'blind',
      'SQL injection: time or error based probing',
      'critical',
      [
        '\\b(?:sleep|pg_sleep|benchmark|dbms_lock\\.sleep|dbms_pipe\\.receive_message|randomblob|generate_series) ?\\(',
        '\\bwaitfor ?(?:delay|time)\\b',
        '\\b(?:extractvalue|updatexml|xmltype|name_const|geometrycollection|polygon|multipoint|linestring) ?\\(.{0,200}(?:select|concat|version|user|@@|0x)',
        '\\bprocedure analyse ?\\(',
        '\\bcase when\\b.{1,160}\\bthen\\b',
        '\\b(?:case|when)\\b.{0,40}\\bthen\\b',
        '\\bif ?\\(.{1,80},.{1,80},.{0,80}\\)',
      ],
    ],
    [
      'system',
      'SQL injection: system table, variable or procedure',
      'high',
      [
        '\\binformation_schema\\b|\\bsysobjects\\b|\\bsyscolumns\\b|\\bsysusers\\b|\\bsqlite_(?:master|temp_master|schema)\\b|\\bpg_(?:catalog|shadow|user|class|attribute|database|stat_activity|ls_dir|read_file)\\b|\\bmsysaces\\b|\\bmsysobjects\\b|\\bmsyscolumns\\b|\\ball_(?:tables|users|tab_columns)\\b|\\buser_(?:tables|objects|tab_columns|password)\\b|\\bmysql\\.(?:user|db|host)\\b|\\bsys\\.(?:user_|all_|dba_|databases|tables|objects|schemas)',
        '\\b[xs]p_(?:cmdshell|dirtree|regread|regwrite|oacreate|oamethod|executesql|execresultset|makewebtask|fileexist|enumdsn|availablemedia|loginconfig|ntsec|servicecontrol|subdirs|terminate_process|password|addlogin|addsrvrolemember|configure)\\b',
        '@@(?:version|hostname|datadir|basedir|servername|tmpdir|global|session|identity|spid|language|pack)',
        '\\bdbms_\\w{3,32}\\.\\w',
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
        `^[^a-z]{0,8}(?:${FUNCTIONS}) ?\\($`,
        `(?:^|[^\\w.$>:-])(?:${FUNCTIONS}) ?\\([^)]{0,160}(?:['"@*,]|0x|select|\\(|\\)::)`,
        `[=,;'"|+(] ?(?:${FUNCTIONS}) ?\\(`,
        '::(?:int|text|jsonb?|bool|regclass|numeric|varchar|date)\\b',
        `^(?:${FUNCTIONS})\\([^ ]{0,80}$`,
      ],
    ],
    [
      'clause',
      'SQL injection: clause after a closed value',
      'high',
      [
        '[\'")\\d] ?(?:order by|group by|limit|having|procedure|into|between|like|rlike|regexp|is null|is not null|not in|sounds like|collate|offset|fetch next) ?[\\d(\'"@%]',
        '^[\'"`)\\d-]{1,12} ?(?:order by|group by|having|limit) ',
        '\\b(?:rlike|regexp|glob|similar to) ?[\'"(]',
        '\\)? ?like ?\\(',
        '[\'"`] ?(?:glob|match|mod|div|rlike) ',
        '\\b(?:group by|order by) .{1,40}(?:\\(|--|#|,\\d|having)',
        '\\bfrom (?:dual|users|user|members|accounts|admin|information_schema|tablename|mysql)\\b',
        '\\binto\\b[ (]{0,3}@',
      ],
    ],
    [
      'json',
      'SQL injection: JSON operator',
      'high',
      [
        '(?:or|and)? ?[\'"][\\[{][^\'"]{0,80}.{0,40}[\'"](?:::jsonb?)? ?(?:@>|<@|\\?[|&]?|->>?|#>>?|<|>|=|\\|\\|)',
        '(?:@>|<@|->>|#>>|\\?&|\\?\\|) ?(?:[\'"]|array)',
        '\\bjson_(?:extract|contains|keys|search|length|value|depth|array|object|overlaps|unquote|set|insert)\\w{0,12} ?\\(',
        '[\'"]\\$[.\\[][^\'"]{0,64}[\'"] ?(?:=|<|>|\\))',
      ],
    ],
    [
      'encoded',
      'SQL injection: hexadecimal or character-built text',
      'high',
      [
        '(?:=|,|\\(|union|select|like|concat) ?0x[0-9a-f]{6,}',
        '\\b(?:n?char|chr) ?\\( ?\\d{1,3} ?(?:,|\\)) ?(?:[+|,&]|\\d)',
        '\\bconcat(?:_ws)? ?\\(.{0,80}(?:0x|char|@@|select|user|version|database)',
        "\\b(?:x|n|b|_utf8|_latin1) ?'[0-9a-f]{2,}'",
      ],
    ],
    [
      'quote',
      'SQL injection: broken out of a quoted value',
      'medium',
      [
        '^[\\w@. -]{0,40}[\'"`]{1,2} ?(?:\\)|;|\\|\\||&&|\\+|\\*|/|<|>|=|!|,|%) ?[\'"`(\\d\\w@]',
        '\\\\[\'"]{1,2} ?(?:or|and|\\|\\||&&|;|\\))',
        '[\'"`] ?[<>=!]{1,3} ?[\'"`]',
        '[\'"`] ?\\|\\| ?[\'"`(\\w]',
        '[\'"`] ?\\+ ?[\'"`(]',
        '^[\'"`]$|^\\d{1,9}[\'"`]{1,2}\\)?$',
        '^[\\w.@ -]{1,32}[\'"`]\\)?;?(?:--|#)?$',
        '\\d[\'"`] [\'"`] ?\\d',
        '[^\\w\\s]{1,8} ?[\\W\\d].{0,24}?[#\'"]{2}[^\\w]',
        ',\\w{1,32}[\'"] ?$',
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
        '\\bthis\\.\\w{1,40} ?(?:==|!=|\\.match|<|>)',
        '\\bdb\\.(?:\\w{1,40}\\.)?(?:find|insert|update|remove|drop|getcollection|injection|stores|eval)\\w{0,12} ?\\(',
        'function ?\\(\\) ?\\{.{0,200}(?:return|sleep|while)',
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
        '^\\w{1,64}__(?:i?contains|i?startswith|i?endswith|i?regex|i?exact|gte?|lte?|in|range|isnull|has_keys?|has_any_keys|contained_by|year|date|search|overlap|len|\\w{1,32}__\\w{1,32})$',
        '"\\w{1,64}__(?:i?contains|i?startswith|i?endswith|i?regex|gte?|lte?)" ?:',
      ],
    ],
  ]),
];

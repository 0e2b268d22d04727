/** Files and places nobody should ask for, scanners, web shells, and what only a broken or hostile client sends. */
import { family } from './signature.ts';

export const SERVER_SIGNATURES = [
  ...family({ prefix: 'web-lfi', ttps: ['T1190', 'T1083'], form: 'plain' }, [
    [
      'traversal',
      'Path traversal',
      'high',
      [
        '(?:^|[^\\w.])\\.{2,4}[\\\\/]',
        '[\\\\/]\\.{2,3}(?:[\\\\/;]|$)',
        '\\.\\.(?:%|0x|%c0|\\xc0|;/)',
        '(?:^|[^.])\\.\\.;/',
        '\\.{2}[\\\\/]\\.{2}',
        '\\\\\\.\\.',
      ],
    ],
    [
      'system-file',
      'Request for a system file',
      'high',
      [
        '\\b/?etc/(?:passwd|shadow|group|gshadow|hosts|sudoers|issue|motd|crontab|ssh|mysql|nginx|apache2?|httpd|hostname|resolv|fstab|profile|bashrc|inittab|environment|os-release|php\\d?|ssl|cron\\S{0,8}|samba|init\\.d|rc\\S{0,4}|pam\\.d|security|exports|services|shells|my\\.cnf|logrotate\\S{0,3}|ld\\.so\\S{0,8}|redhat-release|debian_version|network)\\b',
        '/proc/(?:self|version|cmdline|\\d|cpuinfo|mounts|sys|net|kcore|meminfo|stat|interrupts|modules|partitions|environ)',
        '(?:^|[=:;|<> ])/dev/(?:fd/|shm/|null|zero|u?random|stdin|mem|sd[a-z]|tty)',
        '^[\\w./-]*/?\\.(?:dockerenv|env(?:\\.\\w+)?)$',
        '/(?:var/(?:log|www|mail|lib|run|spool|backups?)|usr/(?:local/)?\\w+|root|home/\\w+|opt|tmp|boot|sys)/[\\w./-]{2,}',
        '(?:^|[\\\\/:])(?:boot|win|system|desktop|php)\\.ini\\b',
        '(?:windows|winnt|inetpub|system32|program files)[\\\\/]',
        '\\bweb-inf\\b|\\bmeta-inf\\b',
        '(?:^|[/=\\\\"\' ])\\.(?:ssh|aws|docker|git|svn|hg|env|bash_history|bash_profile|bashrc|profile|htaccess|htpasswd|kube|npmrc|netrc|pgpass|my\\.cnf|boto|s3cfg|gnupg|mysql_history|psql_history|viminfo|zsh_history|zshrc|subversion|azure|gcloud|config/gcloud|ds_store)(?:[/ "\']|$)',
        '(?:^|[^\\w])[c-e]:[\\\\/](?:windows|winnt|users|program|inetpub|xampp|wamp|boot|temp|documents|autoexec|\\w+\\.(?:ini|sys|log|bat))',
        '\\\\etc\\\\(?:passwd|shadow|hosts)|/(?:\\./)+etc/',
        '(?:^|[/\\\\])(?:wp-config\\.php|web\\.config|database\\.yml|settings\\.py|application\\.(?:properties|ya?ml)|config\\.inc\\.php|localsettings\\.php|tomcat-users\\.xml)$',
        '\\bid_(?:rsa|dsa|ecdsa|ed25519)\\b|\\bauthorized_keys\\b|\\bknown_hosts\\b',
        '(?:^|[^\\w])[a-z]:[\\\\/][^:*?"<>|]*\\.(?:mdb|mdf|ldf|ini|log|bak|sql|config|conf|cfg|dat|db|pem|key|php|aspx?|jsp)$',
        '^[\\w./-]+\\.(?:php\\d?|jspx?|aspx?|inc|config|xml|ya?ml|py|rb|java|env)(?:\\.(?:bak|old|orig|save|swp|copy)|~)$',
        '^[\\w./-]+\\.(?:sql|bak|mdb|sqlite|kdbx|pem|pfx|ppk)(?:\\.\\w{2,4})?$',
      ],
    ],
    [
      'sensitive-file',
      'Request for a file that is not for visitors',
      'medium',
      [
        '/\\.(?:git|svn|hg|bzr|env|htaccess|htpasswd|htdigest|ssh|aws|docker|npmrc|bash_history|bash_profile|bashrc|profile|ds_store|idea|vscode|config|dockerenv|netrc|pgpass|my\\.cnf|kube|gnupg|viminfo|wget\\S{0,4}|zsh\\w{0,8}|nano_history|rhosts|mysql_history|psql_history|viminfo|subversion|terraform|travis\\.yml|gitlab-ci\\.yml|gitignore|gitconfig|local|cache|lesshst|sh_history|cvs)(?:[/.?-]|$)',
        '/(?:wp-config|configuration|config|settings|database|db|credentials|secrets?|application|appsettings|web)\\.(?:php|inc|ya?ml|json|ini|properties|config|xml|bak|old|txt|sql|env)\\b.{0,4}$',
        '\\.(?:bak|backup|old|orig|save|sw[op]|tmp|sql(?:\\.\\w{1,4})?|mdb|db|dbf|sqlite3?|ldf|mdf|pem|key|pfx|p12|ppk|kdbx|conf|cnf|cfg|config|ini|log|pwd|pass|axd|asa|asax|ascx|backup|bat|cdx|cer|csproj|csr|dll|dos|htr|htw|ida|idc|idq|inc|licx|lnk|pol|printer|rdb|resources|resx|sys|vb\\w{0,4}|vsdisco|webinfo|xsd|xsx|shtm|stm|rs)(?:~|/|$)',
        '~$',
        '^/(?:[\\w-]+/)?(?:backups?|site|sites|www|web|website|htdocs|html|public(?:_html)?|wwwroot|source|src|code|app|db|database|dump|data|old|archive|bak|test|root|home|admin|release|full|export)\\.(?:zip|rar|7z|tgz|gz|bz2|tar(?:\\.\\w+)?)$',
        '\\.(?:jspx?|php\\d?|aspx?|cgi);\\.?\\w{2,4}$',
        '/(?:uploads?|uploaded|userfiles|attachments?|avatars?|te?mp|cache)/(?:[^?]*/)?[^/?]+\\.(?:php\\d?|phtml|jspx?|aspx?|ashx|cgi|pl|py|sh|exe)$',
        '/(?:_vti_(?:bin|pvt|cnf)|cvs/(?:entries|root)|cgi-bin/(?:test-cgi|printenv|phf|php\\d?|nph-\\w+|jj|perl|sh|bash|count\\.cgi|finger)|root\\.exe|cmd\\.exe|jmx-console|web-console|invoker/\\w+|axis2(?:-admin)?|hnap1|boaform|gponform|eval-stdin\\.php|iisadmpwd|msadc|wls-wsat|_async|cgi-bin/luci|setup\\.cgi|goform/|struts2?-(?:rest-)?showcase|winnt/|owa/auth/\\w\\.js|host-manager|_cat/\\w+|_cluster/\\w+|_nodes|_all_dbs|_utils|v2/_catalog|v1\\.\\d+/containers|containers/json|_ignition|currentsetting\\.htm|dbadmin|mysql-?admin|mysql/admin|sqlmanager|debug/pprof|jenkins/script(?:text)?|wp-admin/(?:install|setup-config)\\.php|mgmt/tm|\\+cscoe\\+|\\+cscot\\+|reportserver|autodiscover\\.json|system_api\\.php|mainfunction\\.cgi|board\\.cgi|shell\\.cgi|aspnet_client/\\w+|wp-json/wp/v\\d/users|xmlrpc\\.php|wlwmanifest\\.xml|\\.well-known/\\w+\\.php)(?:[/?.;]|$)',
        '/(?:(?:phpinfo|info|test)\\.php|server-status|server-info|actuator(?:/\\w+)?|heapdump|jolokia|h2-console|druid|solr/admin|nacos|swagger-ui|phpmyadmin(?:-?\\d[\\d.]*)?|pma|adminer|manager/(?:html|text|status|jmxproxy)(?:/\\w+)?|api/v1/(?:namespaces|pods|secrets)\\S*|_profiler|elmah|telescope|composer\\.(?:json|lock)|package(?:-lock)?\\.json|docker-compose\\.ya?ml|dockerfile|id_rsa|id_dsa|authorized_keys|known_hosts|access[._]log|errors?[._]log|debug\\.log|laravel\\.log|npm-debug\\.log|yarn\\.lock|gruntfile\\.js|gulpfile\\.js|sftp-config\\.json|thumbs\\.db|crossdomain\\.xml)(?:\\.php|[/?]|$)',
        '(?:^|[/\\\\])(?:wp-content|wp-includes|vendor|storage)/\\S*\\.(?:log|sql|bak|zip|tar|gz|7z)$',
      ],
    ],
    [
      'upload-name',
      'Restricted file name in an upload',
      'medium',
      ['^(?:\\.\\w{2,}|.*[\\\\/"=]\\.{1,2}[\\\\/].*)$'],
    ],
  ]).map((signature) =>
    signature.id === 'web-lfi-sensitive-file'
      ? { ...signature, places: ['path' as const] }
      : signature.id === 'web-lfi-upload-name'
        ? { ...signature, places: ['file' as const] }
        : signature,
  ),
  ...family({ prefix: 'web-scan', ttps: ['T1595.002'], form: 'plain', places: ['path', 'value'] }, [
    [
      'trace',
      'Vulnerability scanner: its name in a request',
      'medium',
      [
        '\\b(?:sqlmap|nikto|nessus|acunetix\\w*|netsparker|w3af|parosproxy|nmaplowercheck\\w*|burpcollaborator|dotdotpwn|jbrofuzz|openvas|zaproxy|webinspect|appscan)\\b',
      ],
    ],
  ]),
  ...family({ prefix: 'web-scan', ttps: ['T1595.002'], form: 'plain', places: ['agent', 'header'] }, [
    [
      'tool',
      'Vulnerability scanner',
      'medium',
      [
        '\\b(?:sqlmap|nikto|nessus|openvas|acunetix|netsparker|invicti|appscan|webinspect|w3af|arachni|skipfish|wpscan|joomscan|droopescan|dirbuster|dirsearch|rustbuster|ghauri|nosqlmap|xsstrike|cmsmap|afrog|fscan|pocsuite|hakrawler|gospider|dirb|gobuster|feroxbuster|ffuf|wfuzz|nuclei|jaeles|zgrab|masscan|zmeu|havij|pangolin|sqlninja|bsqlbf|commix|xsser|dalfox|burpsuite|burpcollaborator|owasp zap|zaproxy|vega/|grabber|paros|webscarab|whatweb|whatwaf|wafw00f|fimap|golismero|blackwidow|brutus|hydra|medusa|nmap(?: scripting engine)?|nse\\b|absinthe|n-stealth|metis|morfeus|webshag|cgichk|jbrofuzz|dotdotpwn|gootkit|datacha0s|internet-?measurement|censysinspect|expanse|l9explore|l9tcpid|leakix|xpanse|shodan|mj12bot-scan|crowbar|tplmap|detectify|qualys|probely|nmaplowercheck|acunetix_wvs|by dyn|prog\\.customcrawler|sysscan|detect_vulns|mozilla/5\\.0 sf/|struts-pwn|jorgee|core-project|toata dragostea|webvulnscan|springenwerk|revolt|pmafind|sumthin|tbi-webscanner|wapiti|wordpress hash grabber|fuzz faster|arcus|kiterunner|httpx|katana|subfinder|interactsh)\\b',
      ],
    ],
  ]),
  ...family(
    {
      prefix: 'web-shell',
      ttps: ['T1505.003'],
      form: 'plain',
      places: ['path', 'name', 'value', 'body', 'header'],
    },
    [
      [
        'name',
        'Web shell: well-known name or title',
        'critical',
        [
          '/(?:c99|r57|b374k|wso\\d?|alfa|weevely|chopper|antsword|china|godzilla|behinder|p0wny|phpspy|webadmin|cmdasp|aspxspy|jspspy|tunnel|reduh|regeorg|shell\\d{0,2}|cmd|backdoor|up(?:load)?er|mini|indoxploit|priv8|madspot|adminer_evil|marijuana|leaf|anonymousfox)\\.(?:php\\d?|phtml|asp|aspx|ashx|jspx?|cfm)\\b',
          '<title>[^<]*(?:shell|c99|r57|wso|b374k|hack|owned|priv8|rhtools|punkholic|simattacker|crystal|phpspy|webroot|indrajith|orb networks|lizozim|azrail|nstview|symlink)',
          '\\b(?:b374k|c99shell|r57shell|wso shell|phpspy|p0wny|php(?:remote|kit|jackal)|fx29|gny\\.shell|locus7|lostdc|safe0ver|simattacker|antichat shell|ajax/php command shell|rhtools|mysql interface|php web shell|webshell)\\b',
        ],
      ],
      [
        'command',
        'Web shell: command parameter',
        'high',
        ['^(?:cmd|exec|command|execute|c0mmand|shell|run|ping|do_cmd|powershell|eval)$'],
      ],
    ],
  ).map((signature) =>
    signature.id === 'web-shell-command'
      ? { ...signature, level: 'low' as const, places: ['name' as const] }
      : signature,
  ),
  ...family({ prefix: 'web-protocol', ttps: ['T1190'], form: 'plain' }, [
    [
      'header-injection',
      'Request splitting or smuggling',
      'high',
      [
        '(?:^|[^\\w.])(?:get|post|head|options|connect|put|delete|trace|track|patch|propfind|mkcol|lock|move|copy) +\\S* +(?:http/\\d|/)',
        '\\bhttp/(?:\\d|1\\.[01]) ',
        '\\b(?:set-cookie2?|content-length|content-type|content-security-policy|transfer-encoding|x-forwarded-\\w{2,6}|x-xss-protection|remote-addr|remote-ip|access-control-allow-origin) ?: ?\\S|\\blocation ?: ?(?:\\w{2,8}:)?//|\\brefresh ?: ?\\d',
        '(?:^|[^\\w])unix:[a-z]{8,}',
        '\\b(?:system\\.(?:multicall|listmethods)|pingback\\.ping)\\b',
      ],
    ],
  ]),
  ...family(
    { prefix: 'web-protocol', ttps: ['T1190'], form: 'plain', places: ['file', 'header', 'value', 'body'] },
    [
      [
        'charset',
        'Encoding meant to slip past filters',
        'medium',
        [
          'charset ?= ?["\']?(?:utf-?7|utf-?16|utf-?32|ibm\\w{2,6}|cp\\w{2,6}|x-\\w{2,}|ebcdic\\S{0,8}|us-ascii-?\\w{1,8})',
          '^content-transfer-encoding ?:',
        ],
      ],
    ],
  ),
  ...family({ prefix: 'web-protocol', ttps: ['T1190'], form: 'lines' }, [
    [
      'mail',
      'Mail command injection',
      'high',
      [
        '[\\r\\n]\\s{0,4}(?:rcpt to|mail from|ehlo|helo|vrfy|expn|rset|starttls|etrn|turn|saml from|send from) ?[:<]? ?[<\\w]',
        '[\\r\\n]\\s{0,4}(?:data|quit|rset|noop|help|starttls|capa|stls|stat|logout|utf8|lang)\\b[^\\r\\n]*$',
        '[\\r\\n]\\s{0,4}(?:auth|apop|user|pass|retr|dele|top|uidl|list|xoip|authenticate|help) (?:[^\\s]+(?: \\S+)?)$',
        '[\\r\\n]\\s{0,4}(?:[a-z]{0,6}\\d{1,6}|[*+]) (?:select|examine|search|fetch|store|copy|create|delete|rename|subscribe|unsubscribe|list|lsub|status|append|login|authenticate|capability|noop|logout|uid|expunge|close|check|starttls|idle|id|namespace|getquota\\w{0,4}|setquota|getacl|setacl|enable)\\b',
        '[\\r\\n]\\s{0,4}(?:bcc|cc|to|from|subject|reply-to|content-type) ?: ?[\\w.+-]+[@/]',
      ],
    ],
  ]),
  ...family({ prefix: 'web-leak', ttps: ['T1190'], form: 'plain', places: ['value', 'body'] }, [
    [
      'error',
      'Error text that shows an attack worked',
      'medium',
      [
        '\\bora-\\d{4,5}\\b|sql (?:syntax|error)|you have an error in your sql|warning.*(?:mysql|pg|ora|mssql|sqlite|odbc|ibase|sybase)\\w*\\(|unclosed quotation mark|microsoft (?:ole db|access|jet|odbc)|sqlstate|postgresql.*error|\\bpg::\\w{4,}error|db2 sql error|sybase|informix|sqlite(?:3::|/jdbc|exception|_error)|jdbc driver|dynamic sql error|supplied argument is not a valid|invalid query|unterminated string literal|error: +\\w{3,}.*(?:syntax|column|relation|input)',
        '\\b\\w{3,}(?:exception|error)(?: \\(|: )',
        'warning: \\w{2,}(?:_|::)\\w{2,}\\(',
        'traceback \\(most recent|stack trace:|fatal error:|parse error:|undefined (?:index|variable|function)|failed opening|unhandled exception|at (?:java|org|com)\\.[\\w.]{4,}\\(|activerecord::|actioncontroller::|actionview::|nomethoderror|<h1>.*error in|rails\\.root|nameerror|template::error',
        'index of /|<title>(?:index of|\\d{3}[.\\d]{0,4} -)|directory listing (?:for|of)|\\[to parent directory\\]|internet information services|server error in .* application|\\[system\\.\\w{3,}exception|active server pages error|/?inetpub|adodb\\.\\w{4,}|microsoft vbscript',
        '#!/(?:usr|bin)|<\\?(?:php|=)|<%@ ?page|rsa private key|\\baws_secret|aki[a][0-9a-z]{16}',
      ],
    ],
  ]),
  ...family({ prefix: 'web-session', ttps: ['T1190', 'T1539'], form: 'plain', places: ['value', 'body'] }, [
    [
      'fixation',
      'Session fixation',
      'medium',
      [
        'document\\.cookie',
        '\\bset-cookie\\b',
        '\\bhttp-equiv\\W{0,8}set-cookie',
        '\\.cookie\\b ?[;=(].*(?:domain|expires|path)',
      ],
    ],
  ]),
];

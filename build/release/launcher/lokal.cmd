@echo off
rem Starts Lokal with the Node beside it; a double click serves.
setlocal
if "%~1"=="" (
  "%~dp0bin\node.exe" "%~dp0dist\server\cli.js" serve
) else (
  "%~dp0bin\node.exe" "%~dp0dist\server\cli.js" %*
)

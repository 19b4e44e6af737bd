@echo off
rem Runs the command on Windows (not tested there). JAVA_HOME, QUANTAIL_CLASSPATH and QUANTAIL_HEAP as in the file quantail.
setlocal
set "HOME_DIR=%~dp0"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
if not defined QUANTAIL_HEAP set "QUANTAIL_HEAP=2g"
set "JARS=%HOME_DIR%lib\*"
if defined QUANTAIL_CLASSPATH set "JARS=%JARS%;%QUANTAIL_CLASSPATH%"
set "VECTORS="
for %%C in (train resume evaluate sweep walkforward population audit bench) do if "%~1"=="%%C" set "VECTORS=yes"
if defined VECTORS set VECTORS=--add-exports=java.base/jdk.internal.module=ALL-UNNAMED -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockExperimentalVMOptions -XX:+EnableVectorSupport -Djdk.incubator.vector.VECTOR_ACCESS_OOB_CHECK=0 -XX:LoopUnrollLimit=150 -XX:CompileCommand=quiet "-XX:CompileCommand=dontinline,io.quantail.simd.MatrixTiles::*" "-XX:CompileCommand=dontinline,io.quantail.simd.TanhLoop::*" "-XX:CompileCommand=dontinline,io.quantail.simd.LstmGateLoops::*" "-XX:CompileCommand=dontinline,io.quantail.simd.QuantileHuberLoop::*"
"%JAVA%" -Xms128m -Xmx%QUANTAIL_HEAP% -XX:+UseSerialGC -Xshare:auto -XX:-UsePerfData --enable-native-access=ALL-UNNAMED %VECTORS% "-Dquantail.home=%HOME_DIR:~0,-1%" -cp "%JARS%" io.quantail.app.Main %*
exit /b %ERRORLEVEL%

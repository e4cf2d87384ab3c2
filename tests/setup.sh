#!/bin/sh
# Installs what compiled kernels need to be assembled and run on a Debian machine: an AArch64
# assembler and linker, and an emulator where the machine is no AArch64 itself. Says what is missing
# when it can't; nothing else of the project needs them.
missing=""
case "$(uname -m)" in
aarch64 | arm64)
    command -v as >/dev/null 2>&1 && command -v ld >/dev/null 2>&1 || missing="$missing binutils" ;;
*)
    command -v aarch64-linux-gnu-as >/dev/null 2>&1 || missing="$missing binutils-aarch64-linux-gnu"
    command -v qemu-aarch64 >/dev/null 2>&1 || missing="$missing qemu-user" ;;
esac
command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
[ -n "$missing" ] || exit 0

sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
echo "setup: installing$missing"
if { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing; } >/tmp/tegula-setup.log 2>&1; then
    exit 0
fi
echo "setup: could not install$missing (see /tmp/tegula-setup.log)."
echo "setup: without an assembler and an emulator, compiled code runs on the built-in evaluator of machine ops."
exit 0

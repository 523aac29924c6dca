#!/bin/sh
# Tests of hv-rsh: rsh_test.sh PROGRAM. Abstract sockets of this run have names of its own.
set -eu
rsh=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
secret=0123456789abcdef0123456789abcdef
address=hv-rsh-test-$$
echo "b $address $secret" >"$work/hosts"
echo "b $address ${secret%f}0" >"$work/wrong"
echo "b $address-none $secret" >"$work/none"

fail() {
    echo "rsh_test: $1" >&2
    exit 1
}

same() {
    [ "$2" = "$3" ] || fail "$1: '$2', must be '$3'"
}

code=0
"$rsh" run sh -c 'echo "$TMPDIR" >"$1/folder"; touch "$TMPDIR/file"; setsid sleep 1000 & echo $! >"$1/left"; exit 3' sh "$work" ||
    code=$?
same 'exit code' "$code" 3
[ ! -e "$(cat "$work/folder")" ] || fail 'its folder is left'
! kill -0 "$(cat "$work/left")" 2>/dev/null || fail 'a process in a session of its own is left'

code=0
"$rsh" run "$work/nothing" 2>/dev/null || code=$?
same 'no such command' "$code" 127

"$rsh" serve "$work/hosts" b &
server=$!
# Who does not know the secret is not served, and the server waits on.
code=0
"$rsh" call "$work/wrong" b 'echo wrong' >"$work/out" 2>"$work/err" || code=$?
same 'wrong secret' "$code $(cat "$work/out")" '255 '
code=0
"$rsh" call "$work/hosts" b 'echo out;' 'echo err >&2;' 'exit 7' >"$work/out" 2>"$work/err" || code=$?
same 'a call' "$code $(cat "$work/out") $(cat "$work/err")" '7 out err'
wait "$server" || code=$?
same 'the server' "$code" 7

# More than fits into a pipe.
"$rsh" serve "$work/hosts" b &
server=$!
same 'bytes' "$("$rsh" call "$work/hosts" b 'head -c 1000000 /dev/zero' | wc -c)" 1000000
wait "$server"

# The command ends with the caller.
"$rsh" serve "$work/hosts" b &
server=$!
"$rsh" call "$work/hosts" b "echo \$\$ >$work/pid; sleep 1000" &
caller=$!
until [ -s "$work/pid" ]; do sleep 0.05; done
kill "$caller"
wait "$caller" 2>/dev/null || :
wait "$server" || :
! kill -0 "$(cat "$work/pid")" 2>/dev/null || fail 'a command is left without its caller'

# A server that nobody has called ends when it is asked to.
"$rsh" serve "$work/none" b &
server=$!
kill "$server"
wait "$server" || :
echo 'rsh_test: ok'

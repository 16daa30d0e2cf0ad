#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Prints what zsh's completion offers for a line, one word a line.

    zsh-words.py LINE

zsh completes only where somebody types: this types, and has a widget of its own
list what compadd is given.
"""

import os
import pty
import re
import sys

# compadd -O stores the words that match instead of offering them.
SETUP = r"""
PS1=; unsetopt zle_bracketed_paste 2>/dev/null
fpath=(user/completion/zsh $fpath)
autoload -Uz compinit; compinit -u -D
compadd() {
  local -a words; local -i i=${argv[(i)--]}
  builtin compadd -O words "$@"
  (( $#words == 0 )) || print -rl -- $words >&3
}
zle -C torus-list complete-word torus-list
torus-list() { _main_complete; compstate[insert]=; compstate[list]=; }
torus-done() { print done >&3; exit }
zle -N torus-done
bindkey '^I' torus-list
bindkey '^X' torus-done
"""


def main():
    """Types the line, Tab, and the end."""
    ours, theirs = os.pipe()
    os.set_inheritable(theirs, True)
    pid, terminal = pty.fork()
    if pid == 0:
        os.dup2(theirs, 3)
        os.environ["TERM"] = "dumb"
        os.execvp("zsh", ["zsh", "-f", "-i"])
    os.close(theirs)
    setup = re.sub(r"^\n", "", SETUP)
    with open(os.path.join(os.environ["HOME"], "setup.zsh"), "w", encoding="ascii") as file:
        file.write(setup)
    os.write(terminal, b"source $HOME/setup.zsh; print ready >&3\n")
    words = os.fdopen(ours, encoding="utf-8")
    while words.readline() not in ("ready\n", ""):
        pass
    os.write(terminal, sys.argv[1].encode() + b"\t\x18")
    for word in words:
        if word == "done\n":
            break
        print(word, end="")
    os.close(terminal)
    os.waitpid(pid, 0)


main()

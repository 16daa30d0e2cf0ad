# SPDX-License-Identifier: GPL-2.0
#
# fish completion for torusctl(8) and the other tools: bash's completion is asked for
# the words.

set --global __torus_completion (status dirname)

function __torus_words
    set --local line (commandline --tokenize --current-process --cut-at-cursor)
    set --local word (commandline --current-token --cut-at-cursor)
    set --local tool (basename $line[1])
    for place in $__torus_completion/.. $__torus_completion/../../bash-completion/completions \
            /usr/local/share/bash-completion/completions /usr/share/bash-completion/completions
        if test -f $place/$tool
            bash $place/$tool $line "$word" 2>/dev/null
            return
        end
    end
end

for tool in torusctl torusd torus-sim torus-run torus-info torus-pingpong torus-perf torus-player
    complete --command $tool --no-files --arguments '(__torus_words)'
end

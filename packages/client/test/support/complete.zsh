# Prints what the completion script $1 offers for the end of the command line $2, a word per line. Only a line editor
# completes, so a second zsh in a pseudo-terminal presses Tab.
emulate -R zsh
zmodload zsh/zpty
local setup=$(mktemp) offers=$(mktemp)
cat > $setup <<END
PROMPT=
autoload -Uz compinit
compinit -D -u
source ${(q)1}
bindkey '^I' complete-word
compadd () {
  # These calls only ask which words match.
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "\$@"
    return
  fi
  local -a hits
  builtin compadd -A hits "\$@"
  (( \$#hits )) && print -rl -- \$hits >> $offers
  builtin compadd "\$@"
}
finish () { exit }
comppostfuncs=(finish)
print ready
END
zpty shell zsh -f -i
zpty -w shell "source $setup"
local line
while zpty -r shell line && [[ $line != ready* ]]; do :; done
zpty -w -n shell "$2"$'\t'
while zpty -r shell line; do :; done
cat $offers
rm -f $setup $offers

# What TAB offers after hebb, for Bash 3.2 and newer. Nothing else is needed: no Python, no package.
# Written by completions/generate.py from completions/engines/hebb.bash: do not edit.
# Typed text is only ever compared, in quotes, and never expanded.

# TABLES

# The following three work on the variables of _hebb.

_hebb_takes_value() {
    [[ " $valued $shared_valued " == *" $1 "* ]]
}

# Takes a word before the cursor for what it is: a value, a command, an argument or an option.
_hebb_read() {
    local letters
    if [[ -n $waiting ]]; then
        waiting=
    elif [[ -n $ended || $1 == - || $1 != -* ]]; then
        if [[ -z $ended ]] && _hebb_command "$place $1"; then
            place="$place $1" slot=1 previous=
        else
            previous=$1 slot=$((slot + 1))
        fi
    elif [[ $1 == -- ]]; then
        ended=1
    elif [[ $1 == --* ]]; then
        if _hebb_takes_value "$1"; then waiting=$1; fi
    else # -q, -qn 5 or -n5
        for ((letters = 1; letters < ${#1}; letters++)); do
            if _hebb_takes_value "-${1:letters:1}"; then
                if ((letters == ${#1} - 1)); then waiting="-${1:letters:1}"; fi
                break
            fi
        done
    fi
}

# Bash splits at = and : as well. What no blank separates is one word; the last is at the cursor.
_hebb_read_line() {
    local line=${COMP_LINE-} part index
    for ((index = 0; index <= COMP_CWORD; index++)); do
        part=${COMP_WORDS[index]-}
        if ((index > 1)) && [[ -n $line && $line != [[:space:]]* ]]; then
            whole="$whole$part"
        else
            if ((index > 1)); then _hebb_read "$whole"; fi
            whole=$part
        fi
        line=${line#"${line%%[![:space:]]*}"}
        line=${line#"$part"}
    done
}

_hebb() {
    local IFS=$' \t\n' place=hebb slot=1 previous= waiting= ended= files= offers= whole= before=
    local options valued shared shared_valued current=${2-} offer
    COMPREPLY=()
    _hebb_command hebb
    shared=$options shared_valued=$valued options= valued=
    _hebb_read_line
    if [[ -z $waiting$ended && $whole == --*=* ]]; then
        waiting=${whole%%=*}
        if [[ $current == --*=* ]]; then # somebody took = out of COMP_WORDBREAKS
            before="$waiting=" current=${current#*=}
        fi
    fi
    if [[ -n $waiting ]]; then
        _hebb_values "$place $waiting" || _hebb_values "hebb $waiting" || :
    elif [[ -z $ended && $whole == -* ]]; then
        offers="$options $shared"
    elif _hebb_values "$place #$slot $previous" && [[ -n $ended ]]; then
        offers=
    fi
    current=${current#[\"\']}
    for offer in $offers; do
        if [[ $offer == "$current"* ]]; then COMPREPLY+=("$before$offer"); fi
    done
    if [[ -n $files ]]; then # Readline's own quote what they insert
        compopt -o default 2>/dev/null || :
    fi
}

if type compopt >/dev/null 2>&1; then
    complete -F _hebb hebb
else # before Bash 4 files are offered everywhere or nowhere
    complete -o default -F _hebb hebb
fi

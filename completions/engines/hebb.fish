# What TAB offers after hebb, for fish 3.1 and newer. It starts no Python.
# Written by completions/generate.py from completions/engines/hebb.fish: do not edit.
# Typed text is only ever compared, in quotes, and never expanded.

# TABLES

# Names what is expected at the cursor: an option of a command as "hebb add -", the value of one as
# "hebb add --kind", an argument as "hebb config set #2 on_forget", with the word before it.
function __hebb_expected
    set -l place hebb
    set -l slot 1
    set -l previous ''
    set -l waiting ''
    set -l ended ''
    set -l token (commandline -ct)
    for word in (commandline -opc)[2..]
        if test -n "$waiting"
            set waiting ''
        else if test -n "$ended"; or not string match -qr -- '^-.' "$word"
            if test -z "$ended"; and __hebb_is_command "$place $word"
                set place "$place $word"
                set slot 1
                set previous ''
            else
                set previous "$word"
                set slot (math $slot + 1)
            end
        else if test "$word" = --
            set ended yes
        else
            set waiting (__hebb_waiting $place "$word")
        end
    end
    if test -z "$waiting$ended"
        set waiting (string match -r -- '^--[^=]*(?==)' "$token")
    end
    set -l argument "$place #$slot $previous"
    if test -n "$waiting"
        printf '%s\n' "$place $waiting" "hebb $waiting"
    else if test -z "$ended"; and string match -q -- '-*' "$token"
        printf '%s\n' "$place -" "hebb -"
    else if test -z "$ended"; or __hebb_wants_path "$argument"
        printf '%s\n' "$argument"
    end
end

# Prints the option in a word that takes the next word as its value: --limit, -n or -qn.
function __hebb_waiting -a place word
    set -l valued (__hebb_valued $place) (__hebb_valued hebb)
    if string match -q -- '--*' "$word"
        contains -- "$word" $valued; and printf '%s\n' "$word"
        return
    end
    set -l read -
    for letter in (string split -- '' (string sub -s 2 -- "$word"))
        set read "$read$letter"
        if contains -- "-$letter" $valued
            test "$read" = "$word"; and printf '%s\n' "-$letter"
            return
        end
    end
end

function __hebb_offers
    set -l before (string match -r -- '^--[^=]*=' (commandline -ct))
    for expected in (__hebb_expected)
        for offer in (string match -v -- / (__hebb_values "$expected"))
            printf '%s%s\n' "$before" "$offer"
        end
    end
end

# Where a file or folder is wanted, the table says "/".
function __hebb_wants_path
    contains -- / (__hebb_values "$argv[1]")
end

function __hebb_expects_path
    for expected in (__hebb_expected)
        __hebb_wants_path "$expected"; and return
    end
    return 1
end

complete -c hebb -e
complete -c hebb -f -a '(__hebb_offers)'
complete -c hebb -n __hebb_expects_path -F

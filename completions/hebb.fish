# What TAB offers after hebb, for fish 3.1 and newer. It starts no Python.
# Written by completions/generate.py from completions/engines/hebb.fish: do not edit.
# Typed text is only ever compared, in quotes, and never expanded.

function __hebb_is_command
    contains -- $argv[1] 'hebb' 'hebb add' 'hebb recall' 'hebb list' 'hebb show' 'hebb forget' 'hebb gc' 'hebb archive' 'hebb restore' 'hebb explain' 'hebb stats' 'hebb import' 'hebb export' 'hebb config' 'hebb config get' 'hebb config set' 'hebb config unset' 'hebb config list' 'hebb config path' 'hebb policy' 'hebb policy list' 'hebb policy show' 'hebb policy set' 'hebb policy clear' 'hebb policy preview' 'hebb demo'
end

function __hebb_valued
    switch $argv[1]
        case 'hebb'
            string join \n -- --db --config --now
        case 'hebb add'
            string join \n -- --partition --kind --importance --tag --source --scope
        case 'hebb recall'
            string join \n -- --limit -n --partition --kind --scope --tag --since --until --min-score
        case 'hebb list'
            string join \n -- --limit -n --sort --partition --kind --scope --tag --since --until
        case 'hebb gc'
            string join \n -- --threshold --partition
        case 'hebb restore'
            string join \n -- --sweep
        case 'hebb policy set'
            string join \n -- --half-life-days --k-importance --k-access --threshold
        case 'hebb policy preview'
            string join \n -- --half-life-days --k-importance --k-access --threshold
    end
end

function __hebb_values
    switch $argv[1]
        case 'hebb -'
            printf '%s\t%s\n' --json 'Print JSON.' \
                --db 'The store to use.' \
                --config 'The settings file to use.' \
                --now 'Look from another time; reading commands only.' \
                --quiet 'Print results only.' \
                -q 'Print results only.' \
                --verbose 'Say more, on stderr.' \
                -v 'Say more, on stderr.' \
                --color 'Force or forbid colour.' \
                --no-color 'Force or forbid colour.' \
                --version 'Print it.' \
                --help 'Show how it is used.'
        case 'hebb add -'
            printf '%s\t%s\n' --partition 'Where; else by kind.' \
                --kind 'event, fact, howto, preference or your own word.' \
                --importance '0 is no bonus. [default: 5]' \
                --tag 'May be repeated.' \
                --source 'Where it comes from.' \
                --scope 'What it belongs to.' \
                --pin 'Never forget it.' \
                --force 'Store it a second time.'
        case 'hebb recall -'
            printf '%s\t%s\n' --limit 'At most. [default: 10]' \
                -n 'At most. [default: 10]' \
                --partition 'Only this partition.' \
                --kind 'Only this kind.' \
                --scope 'Only this scope.' \
                --tag 'Only with this tag; may be repeated.' \
                --since 'Only created at or after this.' \
                --until 'Only created before this.' \
                --min-score 'Nothing that scores less.' \
                --peek 'Do not count it as use.' \
                --explain 'Show the parts of scores.' \
                --fallback 'Archived ones after live ones.' \
                --no-fallback 'Archived ones after live ones.' \
                --archived 'The archive instead of what is live.'
        case 'hebb list -'
            printf '%s\t%s\n' --limit 'How many at most.' \
                -n 'How many at most.' \
                --sort 'What comes first: the greatest of it.' \
                --partition 'Only this partition.' \
                --kind 'Only this kind.' \
                --scope 'Only this scope.' \
                --tag 'Only with this tag; may be repeated.' \
                --since 'Only created at or after this.' \
                --until 'Only created before this.' \
                --archived 'The archive instead of what is live.'
        case 'hebb forget -'
            printf '%s\t%s\n' --force 'Pinned ones, too.' \
                --yes 'Do not ask.' \
                --dry-run 'Only say what would go.'
        case 'hebb gc -'
            printf '%s\t%s\n' --threshold 'Replaces every threshold for this run.' \
                --partition 'Only this partition.' \
                --dry-run 'Only say what would go.' \
                --purge 'Also erase the whole archive.' \
                --yes 'Do not ask.'
        case 'hebb archive -'
            printf '%s\t%s\n' --force 'Pinned ones, too.'
        case 'hebb restore -'
            printf '%s\t%s\n' --sweep 'All that this sweep shelved.'
        case 'hebb import -'
            printf '%s\t%s\n' --strict 'One bad line keeps all out.' \
                --restore-deleted 'Also what was erased here before.'
        case 'hebb policy set -'
            printf '%s\t%s\n' --half-life-days '(0, 3650]' \
                --k-importance '[0, 10]' \
                --k-access '[0, 10]' \
                --threshold '(0, 1)' \
                --enabled 'Whether it forgets at all.' \
                --disabled 'Whether it forgets at all.'
        case 'hebb policy preview -'
            printf '%s\t%s\n' --half-life-days '(0, 3650]' \
                --k-importance '[0, 10]' \
                --k-access '[0, 10]' \
                --threshold '(0, 1)' \
                --enabled 'Whether it forgets at all.' \
                --disabled 'Whether it forgets at all.'
        case 'hebb --db'
            echo /
        case 'hebb --config'
            echo /
        case 'hebb #1 *'
            printf '%s\t%s\n' add 'Store one memory and print its id.' \
                recall 'Find memories; what is shown is used.' \
                list 'List memories, the newest first.' \
                show 'Show one memory with all its fields.' \
                forget 'Erase memories now and for good.' \
                gc 'Sweep: shelve what has faded.' \
                archive 'Shelve memories by hand.' \
                restore 'Bring archived memories back.' \
                explain 'Show why a memory stays or goes.' \
                stats 'Count memories by state and retention.' \
                import 'Store memories from a JSONL file.' \
                export 'Print every memory as JSONL.' \
                config 'Read and change settings.' \
                policy 'Read and change how a partition forgets.' \
                demo 'Show forgetting on real notes.'
        case 'hebb add --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb add --kind'
            printf '%s\t%s\n' event '' \
                fact '' \
                howto '' \
                preference ''
        case 'hebb recall --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb recall --kind'
            printf '%s\t%s\n' event '' \
                fact '' \
                howto '' \
                preference ''
        case 'hebb list --sort'
            printf '%s\t%s\n' created '' \
                accessed '' \
                retention '' \
                importance ''
        case 'hebb list --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb list --kind'
            printf '%s\t%s\n' event '' \
                fact '' \
                howto '' \
                preference ''
        case 'hebb gc --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb import #1 *'
            echo /
        case 'hebb config #1 *'
            printf '%s\t%s\n' get 'Show one setting and where its value comes from.' \
                set 'Change one setting and say what it reaches.' \
                unset 'Take one setting out of the file.' \
                list 'List every setting with its value and origin.' \
                path 'Print where the settings file is.'
        case 'hebb config get #1 *'
            printf '%s\t%s\n' half_life_days 'days after which 37 % of a neutral memory is retained (time constant)' \
                k_importance 'how much importance lengthens it' \
                k_access 'how much each use lengthens it' \
                forget_threshold 'a memory whose retention is below it is forgotten' \
                forget_min_retention_days 'idle days that every memory survives, whatever its policy' \
                forget_interval_seconds 'seconds between sweeps of a scheduler; under cron the crontab line decides' \
                on_forget 'what a sweep does: shelve for archive_days, or erase at once' \
                archive_days 'days a memory stays in the archive before it is erased' \
                gc_max_share 'share of the live memories an erasing sweep may take without --yes (20 it always may)' \
                decay_floor 'share of a recall\'s score that does not depend on retention'
        case 'hebb config set #1 *'
            printf '%s\t%s\n' half_life_days 'days after which 37 % of a neutral memory is retained (time constant)' \
                k_importance 'how much importance lengthens it' \
                k_access 'how much each use lengthens it' \
                forget_threshold 'a memory whose retention is below it is forgotten' \
                forget_min_retention_days 'idle days that every memory survives, whatever its policy' \
                forget_interval_seconds 'seconds between sweeps of a scheduler; under cron the crontab line decides' \
                on_forget 'what a sweep does: shelve for archive_days, or erase at once' \
                archive_days 'days a memory stays in the archive before it is erased' \
                gc_max_share 'share of the live memories an erasing sweep may take without --yes (20 it always may)' \
                decay_floor 'share of a recall\'s score that does not depend on retention'
        case 'hebb config set #2 on_forget'
            printf '%s\t%s\n' archive '' \
                erase ''
        case 'hebb config unset #1 *'
            printf '%s\t%s\n' half_life_days 'days after which 37 % of a neutral memory is retained (time constant)' \
                k_importance 'how much importance lengthens it' \
                k_access 'how much each use lengthens it' \
                forget_threshold 'a memory whose retention is below it is forgotten' \
                forget_min_retention_days 'idle days that every memory survives, whatever its policy' \
                forget_interval_seconds 'seconds between sweeps of a scheduler; under cron the crontab line decides' \
                on_forget 'what a sweep does: shelve for archive_days, or erase at once' \
                archive_days 'days a memory stays in the archive before it is erased' \
                gc_max_share 'share of the live memories an erasing sweep may take without --yes (20 it always may)' \
                decay_floor 'share of a recall\'s score that does not depend on retention'
        case 'hebb policy #1 *'
            printf '%s\t%s\n' list 'List the policy of every partition.' \
                show 'Show one policy and where each field comes from.' \
                set 'Change some fields of a policy; the others stay.' \
                clear 'Let a partition inherit again.' \
                preview 'Show what gc would take, also under other values.'
        case 'hebb policy show #1 *'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb policy set #1 *'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb policy clear #1 *'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb policy clear #*'
            printf '%s\t%s\n' half_life_days '' \
                k_importance '' \
                k_access '' \
                threshold '' \
                enabled ''
        case 'hebb policy preview #1 *'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
    end
end

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

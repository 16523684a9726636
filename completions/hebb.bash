# What TAB offers after hebb, for Bash 3.2 and newer. Nothing else is needed: no Python, no package.
# Written by completions/generate.py from completions/engines/hebb.bash: do not edit.
# Typed text is only ever compared, in quotes, and never expanded.

_hebb_command() {
    case "$1" in
        'hebb') options='--json --db --config --now --quiet -q --verbose -v --color --no-color --version --help' valued='--db --config --now' ;;
        'hebb add') options='--partition --kind --importance --strength --tag --source --scope --scope-kind --session --pin --ttl --expires --text --key --replaces --untrusted --force' valued='--partition --kind --importance --strength --tag --source --scope --scope-kind --session --ttl --expires --text --key --replaces' ;;
        'hebb recall') options='--limit -n --partition --kind --scope --tag --since --until --min-score --peek --explain --fallback --no-fallback --archived --context --graph --no-graph --by-time' valued='--limit -n --partition --kind --scope --tag --since --until --min-score --context' ;;
        'hebb list') options='--limit -n --sort --partition --kind --scope --tag --source --session --since --until --archived --pinned --untrusted' valued='--limit -n --sort --partition --kind --scope --tag --source --session --since --until' ;;
        'hebb show') options='--history' valued='' ;;
        'hebb edit') options='--importance --partition --kind --source --scope --ttl --expires --key --no-key --replaces' valued='--importance --partition --kind --source --scope --ttl --expires --key --replaces' ;;
        'hebb touch') options='' valued='' ;;
        'hebb pin') options='' valued='' ;;
        'hebb unpin') options='' valued='' ;;
        'hebb trust') options='--revoke' valued='' ;;
        'hebb tag') options='' valued='' ;;
        'hebb forget') options='--query --tag --source --partition --scope --session --ended --all --force --yes --dry-run --no-copy --copies' valued='--query --tag --source --partition --scope --session' ;;
        'hebb gc') options='--threshold --partition --dry-run --purge --yes' valued='--threshold --partition' ;;
        'hebb archive') options='--force' valued='' ;;
        'hebb restore') options='--sweep --force --dry-run' valued='--sweep' ;;
        'hebb promote') options='--dry-run' valued='' ;;
        'hebb reinforce') options='--dry-run' valued='' ;;
        'hebb consolidate') options='--similar --merge --dry-run' valued='' ;;
        'hebb schedule') options='' valued='' ;;
        'hebb schedule run') options='--once' valued='' ;;
        'hebb schedule cron') options='' valued='' ;;
        'hebb schedule systemd') options='' valued='' ;;
        'hebb explain') options='--preset' valued='--preset' ;;
        'hebb forecast') options='--days --partition --preset' valued='--days --partition --preset' ;;
        'hebb compare') options='' valued='' ;;
        'hebb stats') options='' valued='' ;;
        'hebb audit') options='--action --text --since --until --limit -n' valued='--action --text --since --until --limit -n' ;;
        'hebb related') options='--limit -n' valued='--limit -n' ;;
        'hebb graph') options='--dot' valued='' ;;
        'hebb curve') options='--partition --half-life-days --k-importance --k-access --threshold --enabled --disabled --set --days --keep-days' valued='--partition --half-life-days --k-importance --k-access --threshold --set --days --keep-days' ;;
        'hebb matrix') options='--partition --half-life-days --k-importance --k-access --threshold --enabled --disabled --set' valued='--partition --half-life-days --k-importance --k-access --threshold --set' ;;
        'hebb inject') options='--budget --format --limit -n --partition --kind --scope --tag --since --until --min-score --peek --dry-run' valued='--budget --format --limit -n --partition --kind --scope --tag --since --until --min-score' ;;
        'hebb import') options='--strict --replace --restore-deleted --untrusted' valued='' ;;
        'hebb export') options='--ids-from' valued='--ids-from' ;;
        'hebb link') options='--weight' valued='--weight' ;;
        'hebb unlink') options='' valued='' ;;
        'hebb embed') options='--all --remove --dry-run' valued='--remove' ;;
        'hebb config') options='' valued='' ;;
        'hebb config get') options='' valued='' ;;
        'hebb config set') options='' valued='' ;;
        'hebb config unset') options='' valued='' ;;
        'hebb config list') options='' valued='' ;;
        'hebb config preset') options='--dry-run --undo' valued='' ;;
        'hebb config path') options='' valued='' ;;
        'hebb policy') options='' valued='' ;;
        'hebb policy list') options='' valued='' ;;
        'hebb policy show') options='' valued='' ;;
        'hebb policy set') options='--half-life-days --k-importance --k-access --threshold --enabled --disabled --set' valued='--half-life-days --k-importance --k-access --threshold --set' ;;
        'hebb policy clear') options='' valued='' ;;
        'hebb policy preview') options='--half-life-days --k-importance --k-access --threshold --enabled --disabled --set' valued='--half-life-days --k-importance --k-access --threshold --set' ;;
        'hebb init') options='' valued='' ;;
        'hebb path') options='' valued='' ;;
        'hebb doctor') options='--rebuild --fix' valued='' ;;
        'hebb backup') options='' valued='' ;;
        'hebb backup create') options='' valued='' ;;
        'hebb backup list') options='' valued='' ;;
        'hebb backup restore') options='--with-erased --yes' valued='' ;;
        'hebb demo') options='' valued='' ;;
        'hebb bench') options='' valued='' ;;
        'hebb bench recall') options='--questions --together --no-decay --no-neighbours --no-dates --no-graph --meaning --semantic-weight --use-settings' valued='--questions --semantic-weight' ;;
        *) return 1 ;;
    esac
}

_hebb_values() {
    case "$1" in
        'hebb --db') files=yes ;;
        'hebb --config') files=yes ;;
        'hebb #1 '*) offers='add recall list show edit touch pin unpin trust tag forget gc archive restore promote reinforce consolidate schedule explain forecast compare stats audit related graph curve matrix inject import export link unlink embed config policy init path doctor backup demo bench' ;;
        'hebb add --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb add --kind') offers='event fact howto preference' ;;
        'hebb add --scope-kind') offers='session project global' ;;
        'hebb recall --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb recall --kind') offers='event fact howto preference' ;;
        'hebb list --sort') offers='created accessed retention importance' ;;
        'hebb list --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb list --kind') offers='event fact howto preference' ;;
        'hebb edit --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb edit --kind') offers='event fact howto preference' ;;
        'hebb forget --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb gc --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb schedule #1 '*) offers='run cron systemd' ;;
        'hebb forecast --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb audit --action') offers='archive consolidate edit erase fix promote reinforce restore setting' ;;
        'hebb curve --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb matrix --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb inject --format') offers='markdown xml json' ;;
        'hebb inject --partition') offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb inject --kind') offers='event fact howto preference' ;;
        'hebb import #1 '*) files=yes ;;
        'hebb export --ids-from') files=yes ;;
        'hebb config #1 '*) offers='get set unset list preset path' ;;
        'hebb config get #1 '*) offers='half_life_days k_importance k_access forget_threshold forget_min_retention_days curve stale_threshold stale_last default_ttl_days max_lifetime_days beta growth growth_factor time_unit restore_anchor inject_max_tokens inject_renewal_cooldown_hours forget_interval_seconds on_forget archive_days move_after_accesses promote_at_vitality promote_uses promote_within_days promote_after_accesses consolidation_rules consolidate_command consolidate_timeout_seconds on_fallback restorable max_store_bytes max_item_bytes trust_imports audit_max_rows gc_max_share neighbour_weight semantic_weight ranking co_occurrence_boost graph_pairs_per_recall graph_edges_per_memory session_edge_weight decay_floor embedder embed_command embed_url embed_model embed_on_write embed_timeout_seconds' ;;
        'hebb config set #1 '*) offers='half_life_days k_importance k_access forget_threshold forget_min_retention_days curve stale_threshold stale_last default_ttl_days max_lifetime_days beta growth growth_factor time_unit restore_anchor inject_max_tokens inject_renewal_cooldown_hours forget_interval_seconds on_forget archive_days move_after_accesses promote_at_vitality promote_uses promote_within_days promote_after_accesses consolidation_rules consolidate_command consolidate_timeout_seconds on_fallback restorable max_store_bytes max_item_bytes trust_imports audit_max_rows gc_max_share neighbour_weight semantic_weight ranking co_occurrence_boost graph_pairs_per_recall graph_edges_per_memory session_edge_weight decay_floor embedder embed_command embed_url embed_model embed_on_write embed_timeout_seconds' ;;
        'hebb config set #2 curve') offers='hebb jarvis jarvis-exp cortexgraph cortexgraph-power cortexgraph-two memorybank amnesia power ebbinghaus' ;;
        'hebb config set #2 stale_last') offers='true false' ;;
        'hebb config set #2 growth') offers='linear log decay' ;;
        'hebb config set #2 time_unit') offers='minutes hours days' ;;
        'hebb config set #2 on_forget') offers='archive erase' ;;
        'hebb config set #2 on_fallback') offers='offer restore' ;;
        'hebb config set #2 restorable') offers='true false' ;;
        'hebb config set #2 trust_imports') offers='true false' ;;
        'hebb config set #2 ranking') offers='hebb cortexgraph' ;;
        'hebb config set #2 embedder') offers='none packaged command url' ;;
        'hebb config set #2 embed_on_write') offers='true false' ;;
        'hebb config unset #1 '*) offers='half_life_days k_importance k_access forget_threshold forget_min_retention_days curve stale_threshold stale_last default_ttl_days max_lifetime_days beta growth growth_factor time_unit restore_anchor inject_max_tokens inject_renewal_cooldown_hours forget_interval_seconds on_forget archive_days move_after_accesses promote_at_vitality promote_uses promote_within_days promote_after_accesses consolidation_rules consolidate_command consolidate_timeout_seconds on_fallback restorable max_store_bytes max_item_bytes trust_imports audit_max_rows gc_max_share neighbour_weight semantic_weight ranking co_occurrence_boost graph_pairs_per_recall graph_edges_per_memory session_edge_weight decay_floor embedder embed_command embed_url embed_model embed_on_write embed_timeout_seconds' ;;
        'hebb config preset #1 '*) offers='half_life_days k_importance k_access forget_threshold forget_min_retention_days curve stale_threshold stale_last default_ttl_days max_lifetime_days beta growth growth_factor time_unit restore_anchor inject_max_tokens inject_renewal_cooldown_hours forget_interval_seconds on_forget archive_days move_after_accesses promote_at_vitality promote_uses promote_within_days promote_after_accesses consolidation_rules consolidate_command consolidate_timeout_seconds on_fallback restorable max_store_bytes max_item_bytes trust_imports audit_max_rows gc_max_share neighbour_weight semantic_weight ranking co_occurrence_boost graph_pairs_per_recall graph_edges_per_memory session_edge_weight decay_floor embedder embed_command embed_url embed_model embed_on_write embed_timeout_seconds' ;;
        'hebb policy #1 '*) offers='list show set clear preview' ;;
        'hebb policy show #1 '*) offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb policy set #1 '*) offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb policy clear #1 '*) offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb policy clear #'*) offers='half_life_days k_importance k_access threshold curve stale_threshold on_forget default_ttl_days max_lifetime_days beta growth growth_factor time_unit enabled' ;;
        'hebb policy preview #1 '*) offers='mem_notes mem_episodic mem_semantic mem_procedural mem_preference mem_hippocampus' ;;
        'hebb init #1 '*) files=yes ;;
        'hebb backup #1 '*) offers='create list restore' ;;
        'hebb backup create #1 '*) files=yes ;;
        'hebb backup restore #1 '*) files=yes ;;
        'hebb bench #1 '*) offers='recall' ;;
        'hebb bench recall --questions') files=yes ;;
        'hebb bench recall #'*) files=yes ;;
        *) return 1 ;;
    esac
}

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

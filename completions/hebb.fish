# What TAB offers after hebb, for fish 3.1 and newer. It starts no Python.
# Written by completions/generate.py from completions/engines/hebb.fish: do not edit.
# Typed text is only ever compared, in quotes, and never expanded.

function __hebb_is_command
    contains -- $argv[1] 'hebb' 'hebb add' 'hebb recall' 'hebb list' 'hebb show' 'hebb edit' 'hebb touch' 'hebb pin' 'hebb unpin' 'hebb trust' 'hebb tag' 'hebb forget' 'hebb gc' 'hebb archive' 'hebb restore' 'hebb promote' 'hebb reinforce' 'hebb consolidate' 'hebb schedule' 'hebb schedule run' 'hebb schedule cron' 'hebb schedule systemd' 'hebb explain' 'hebb forecast' 'hebb compare' 'hebb stats' 'hebb audit' 'hebb related' 'hebb graph' 'hebb curve' 'hebb matrix' 'hebb inject' 'hebb import' 'hebb export' 'hebb link' 'hebb unlink' 'hebb embed' 'hebb config' 'hebb config get' 'hebb config set' 'hebb config unset' 'hebb config list' 'hebb config preset' 'hebb config path' 'hebb policy' 'hebb policy list' 'hebb policy show' 'hebb policy set' 'hebb policy clear' 'hebb policy preview' 'hebb init' 'hebb path' 'hebb doctor' 'hebb backup' 'hebb backup create' 'hebb backup list' 'hebb backup restore' 'hebb demo' 'hebb bench' 'hebb bench recall'
end

function __hebb_valued
    switch $argv[1]
        case 'hebb'
            string join \n -- --db --config --now
        case 'hebb add'
            string join \n -- --partition --kind --importance --strength --tag --source --scope --scope-kind --session --ttl --expires --text --key --replaces
        case 'hebb recall'
            string join \n -- --limit -n --partition --kind --scope --tag --since --until --min-score --context
        case 'hebb list'
            string join \n -- --limit -n --sort --partition --kind --scope --tag --source --session --since --until
        case 'hebb edit'
            string join \n -- --importance --partition --kind --source --scope --ttl --expires --key --replaces
        case 'hebb forget'
            string join \n -- --query --tag --source --partition --scope --session
        case 'hebb gc'
            string join \n -- --threshold --partition
        case 'hebb restore'
            string join \n -- --sweep
        case 'hebb explain'
            string join \n -- --preset
        case 'hebb forecast'
            string join \n -- --days --partition --preset
        case 'hebb audit'
            string join \n -- --action --text --since --until --limit -n
        case 'hebb related'
            string join \n -- --limit -n
        case 'hebb curve'
            string join \n -- --partition --half-life-days --k-importance --k-access --threshold --set --days --keep-days
        case 'hebb matrix'
            string join \n -- --partition --half-life-days --k-importance --k-access --threshold --set
        case 'hebb inject'
            string join \n -- --budget --format --limit -n --partition --kind --scope --tag --since --until --min-score
        case 'hebb export'
            string join \n -- --ids-from
        case 'hebb link'
            string join \n -- --weight
        case 'hebb embed'
            string join \n -- --remove
        case 'hebb policy set'
            string join \n -- --half-life-days --k-importance --k-access --threshold --set
        case 'hebb policy preview'
            string join \n -- --half-life-days --k-importance --k-access --threshold --set
        case 'hebb bench recall'
            string join \n -- --questions --semantic-weight
    end
end

function __hebb_values
    switch $argv[1]
        case 'hebb -'
            printf '%s\t%s\n' --json 'Print one JSON value, and failures as one.' \
                --db 'The store to use; see \'hebb path\'.' \
                --config 'The settings file to use.' \
                --now 'Look from another time, or 30d ahead; only to read or --dry-run.' \
                --quiet 'No notes on stderr; gc prints no line either.' \
                -q 'No notes on stderr; gc prints no line either.' \
                --verbose 'Say more; gc lists what it takes.' \
                -v 'Say more; gc lists what it takes.' \
                --color 'Force or forbid colour; a terminal has it.' \
                --no-color 'Not: Force or forbid colour; a terminal has it.' \
                --version 'Print the version.' \
                --help 'Show how it is used.'
        case 'hebb add -'
            printf '%s\t%s\n' --partition 'Where; else by kind.' \
                --kind 'event, fact, howto, preference or your own word.' \
                --importance '0 is no bonus. [default: 5]' \
                --strength 'To begin with; only curves memorybank and cortexgraph read it. [default: 1]' \
                --tag 'May be repeated.' \
                --source 'Where it comes from.' \
                --scope 'What it belongs to. [default: HEBB_SCOPE, else the project]' \
                --scope-kind 'session: it ends with its --session, by \'hebb forget --ended\'.' \
                --session 'The talk it was said in.' \
                --pin 'It never fades; only its own --expires ends it.' \
                --ttl 'It ends so long unused: 7d.' \
                --expires 'It ends then, used or not: 2026-12-24, or 3d from now.' \
                --text 'TEXT, with a dash at first or -.' \
                --key 'What it is about; it supersedes the current one.' \
                --replaces 'It takes the place of this one, and its key.' \
                --untrusted 'In quarantine until \'hebb trust\' releases it.' \
                --force 'Store it a second time; supersede a pinned one.'
        case 'hebb recall -'
            printf '%s\t%s\n' --limit 'At most. [default: 10]' \
                -n 'At most. [default: 10]' \
                --partition 'Only this partition.' \
                --kind 'Only this kind.' \
                --scope 'Only this scope. [default: HEBB_SCOPE]' \
                --tag 'Only with this tag; may be repeated.' \
                --since 'Created since: 2026-01-31, 2026-01-31T09:00Z or 7d ago.' \
                --until 'Created until then, that day included.' \
                --min-score 'Nothing that scores less.' \
                --peek 'Do not count it as use.' \
                --explain 'Show the parts of scores.' \
                --fallback 'Archived ones after live ones.' \
                --no-fallback 'Not: Archived ones after live ones.' \
                --archived 'The archive instead of what is live.' \
                --context 'What was used together with it; may be repeated.' \
                --graph 'Whether common use counts.' \
                --no-graph 'Not: Whether common use counts.' \
                --by-time 'What was found, the newest first.'
        case 'hebb list -'
            printf '%s\t%s\n' --limit 'How many at most.' \
                -n 'How many at most.' \
                --sort 'What comes first: the greatest of it.' \
                --partition 'Only this partition.' \
                --kind 'Only this kind.' \
                --scope 'Only this scope. [default: HEBB_SCOPE]' \
                --tag 'Only with this tag; may be repeated.' \
                --source 'Only from there.' \
                --session 'Only of this session.' \
                --since 'Created since: 2026-01-31, 2026-01-31T09:00Z or 7d ago.' \
                --until 'Created until then, that day included.' \
                --archived 'The archive instead of what is live.' \
                --pinned 'Only what is pinned.' \
                --untrusted 'Only what is in quarantine.'
        case 'hebb show -'
            printf '%s\t%s\n' --history 'What it replaced, and what replaced it.'
        case 'hebb edit -'
            printf '%s\t%s\n' --importance 'How much it matters.' \
                --partition 'Move it there.' \
                --kind 'Your own word; \'none\' for no kind.' \
                --source 'Where it comes from, or \'none\'.' \
                --scope 'What it belongs to.' \
                --ttl 'As \'hebb add --ttl\', or \'none\'.' \
                --expires 'As \'hebb add --expires\', or \'none\'.' \
                --key 'What it is about, if no other is.' \
                --no-key 'It is about nothing any more.' \
                --replaces 'It takes the place of this older one.'
        case 'hebb trust -'
            printf '%s\t%s\n' --revoke 'The other way: into quarantine again.'
        case 'hebb forget -'
            printf '%s\t%s\n' --query 'All that hold each of these words.' \
                --tag 'Only with this tag; may be repeated.' \
                --source 'Only from there.' \
                --partition 'Only this partition.' \
                --scope 'Only this scope.' \
                --session 'Only of this session.' \
                --ended 'Of the --session only what was to end with it.' \
                --all 'All that the other options leave; alone, everything.' \
                --force 'Pinned ones, too.' \
                --yes 'Do not ask.' \
                --dry-run 'Only say what would go.' \
                --no-copy 'Keep none, although restorable is true.' \
                --copies 'Erase kept copies of what is erased: by ID, or all.'
        case 'hebb gc -'
            printf '%s\t%s\n' --threshold 'Replaces every threshold for this run.' \
                --partition 'Only this partition.' \
                --dry-run 'Only say what would go.' \
                --purge 'Also erase the whole archive.' \
                --yes 'Do not ask.'
        case 'hebb archive -'
            printf '%s\t%s\n' --force 'Pinned ones, too.'
        case 'hebb restore -'
            printf '%s\t%s\n' --sweep 'All that this sweep shelved.' \
                --force 'Supersede what has taken their place.' \
                --dry-run 'Only say what would come back.'
        case 'hebb promote -'
            printf '%s\t%s\n' --dry-run 'Only say what would move.'
        case 'hebb reinforce -'
            printf '%s\t%s\n' --dry-run 'Only say what would change.'
        case 'hebb consolidate -'
            printf '%s\t%s\n' --similar 'Only list pairs that may say the same.' \
                --merge 'Make one of these memories; see below.' \
                --dry-run 'Only say what would change.'
        case 'hebb schedule run -'
            printf '%s\t%s\n' --once 'Sweep now, then end.'
        case 'hebb explain -'
            printf '%s\t%s\n' --preset 'As if \'hebb config preset\' had chosen it.'
        case 'hebb forecast -'
            printf '%s\t%s\n' --days 'How far to look. [default: 30]' \
                --partition 'Only this partition.' \
                --preset 'As if \'hebb config preset\' had chosen it.'
        case 'hebb audit -'
            printf '%s\t%s\n' --action 'Only this.' \
                --text 'What was done to exactly this text.' \
                --since 'Done since: a time, a date or 7d ago.' \
                --until 'Done until then, that day included.' \
                --limit 'How many at most.' \
                -n 'How many at most.'
        case 'hebb related -'
            printf '%s\t%s\n' --limit '[default: 10]' \
                -n '[default: 10]'
        case 'hebb graph -'
            printf '%s\t%s\n' --dot 'As a graph in the DOT language of Graphviz.'
        case 'hebb curve -'
            printf '%s\t%s\n' --partition 'Whose policy; mem_notes unless given.' \
                --half-life-days '(0, 3650]' \
                --k-importance '[0, 10]' \
                --k-access '[0, 10]' \
                --threshold '(0, 1)' \
                --enabled 'Whether it forgets at all.' \
                --disabled 'Not: Whether it forgets at all.' \
                --set 'Another field, such as curve=power; may be repeated.' \
                --days 'Idle days to draw.' \
                --keep-days 'Say instead what it takes to survive N idle days.'
        case 'hebb matrix -'
            printf '%s\t%s\n' --partition 'Whose policy; mem_notes unless given.' \
                --half-life-days '(0, 3650]' \
                --k-importance '[0, 10]' \
                --k-access '[0, 10]' \
                --threshold '(0, 1)' \
                --enabled 'Whether it forgets at all.' \
                --disabled 'Not: Whether it forgets at all.' \
                --set 'Another field, such as curve=power; may be repeated.'
        case 'hebb inject -'
            printf '%s\t%s\n' --budget 'Tokens at most, about. [default and ceiling: inject_max_tokens]' \
                --format 'How to write the block.' \
                --limit 'Memories at most.' \
                -n 'Memories at most.' \
                --partition 'Only this partition.' \
                --kind 'Only this kind.' \
                --scope 'Only this scope. [default: HEBB_SCOPE]' \
                --tag 'Only with this tag; may be repeated.' \
                --since 'Created since: 2026-01-31, 2026-01-31T09:00Z or 7d ago.' \
                --until 'Created until then, that day included.' \
                --min-score 'Nothing that scores less.' \
                --peek 'Renew nothing, whatever the settings.' \
                --dry-run 'Renew nothing, whatever the settings.'
        case 'hebb import -'
            printf '%s\t%s\n' --strict 'One bad line keeps all out.' \
                --replace 'A known uid takes all that the line holds.' \
                --restore-deleted 'Also what was erased here before.' \
                --untrusted 'In quarantine until \'hebb trust\' releases it.'
        case 'hebb export -'
            printf '%s\t%s\n' --ids-from 'Only those named in it, one a line.'
        case 'hebb link -'
            printf '%s\t%s\n' --weight '[default: 1]'
        case 'hebb embed -'
            printf '%s\t%s\n' --all 'Also of memories that have one: all anew.' \
                --remove 'Drop its vectors; others: all but the one in use; all' \
                --dry-run 'Only count; write nothing.'
        case 'hebb config preset -'
            printf '%s\t%s\n' --dry-run 'Only show what it changes.' \
                --undo 'Take back what the last preset wrote.'
        case 'hebb policy set -'
            printf '%s\t%s\n' --half-life-days '(0, 3650]' \
                --k-importance '[0, 10]' \
                --k-access '[0, 10]' \
                --threshold '(0, 1)' \
                --enabled 'Whether it forgets at all.' \
                --disabled 'Not: Whether it forgets at all.' \
                --set 'Another field, such as curve=power; may be repeated.'
        case 'hebb policy preview -'
            printf '%s\t%s\n' --half-life-days '(0, 3650]' \
                --k-importance '[0, 10]' \
                --k-access '[0, 10]' \
                --threshold '(0, 1)' \
                --enabled 'Whether it forgets at all.' \
                --disabled 'Not: Whether it forgets at all.' \
                --set 'Another field, such as curve=power; may be repeated.'
        case 'hebb doctor -'
            printf '%s\t%s\n' --rebuild 'Make the index and the vectors anew first.' \
                --fix 'Mend first what can be mended; no memory is lost.'
        case 'hebb backup restore -'
            printf '%s\t%s\n' --with-erased 'Also what was erased here since, if the copy has it.' \
                --yes 'Do not ask.'
        case 'hebb bench recall -'
            printf '%s\t%s\n' --questions 'One more file: its questions.' \
                --together 'One store for all samples, not one for each.' \
                --no-decay 'As if all were retained: decay_floor is 1.' \
                --no-neighbours 'Hits lend nothing to their session.' \
                --no-dates 'As if no question named a day.' \
                --no-graph 'Common use has no share of a score.' \
                --meaning 'By vectors, too, made first: see \'hebb embed\'.' \
                --semantic-weight 'The share of meaning.' \
                --use-settings 'Your settings, not the default ones.'
        case 'hebb --db'
            echo /
        case 'hebb --config'
            echo /
        case 'hebb #1 *'
            printf '%s\t%s\n' add 'Store one memory and print its id.' \
                recall 'Find memories; what is shown is used.' \
                list 'List memories, the newest first.' \
                show 'Show one memory with all its fields.' \
                edit 'Change the text or fields of a memory.' \
                touch 'Count a use of memories, as a recall does.' \
                pin 'Keep memories whatever their retention.' \
                unpin 'Let pinned memories fade again.' \
                trust 'Release memories from quarantine.' \
                tag 'Add tags to a memory and take others away.' \
                forget 'Erase memories now and for good.' \
                gc 'Sweep: shelve what has faded.' \
                archive 'Shelve memories by hand.' \
                restore 'Bring archived memories back.' \
                promote 'Move up what earned it: it lives longer there.' \
                reinforce 'Raise the frequency of important memories.' \
                consolidate 'Empty the inbox by rules or a program of yours.' \
                schedule 'Sweep regularly: here, by cron or by systemd.' \
                explain 'Show why a memory stays or goes.' \
                forecast 'Show what coming sweeps take if nothing is used.' \
                compare 'Show one memory under every preset.' \
                stats 'Count memories by state and retention.' \
                audit 'Show what was done to memories and why.' \
                related 'Show what was used together with a memory.' \
                graph 'Show which memories were used together.' \
                curve 'Draw how retention falls, or what keeps it.' \
                matrix 'Show days to forget by importance and use.' \
                inject 'Print memories as a block for a prompt.' \
                import 'Store memories from a JSONL file.' \
                export 'Print every memory as JSONL.' \
                link 'Join two memories as if they were used together.' \
                unlink 'Take the edge between two memories away.' \
                embed 'Make vectors, so that recall finds meaning.' \
                config 'Read and change settings.' \
                policy 'Read and change how a partition forgets.' \
                init 'Give a project a store of its own.' \
                path 'Print where everything is, and why there.' \
                doctor 'Check the store; --fix mends it.' \
                backup 'Copy the store, and put a copy in its place.' \
                demo 'Show forgetting on real notes.' \
                bench 'Measure recall on questions whose answers are known.'
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
        case 'hebb add --scope-kind'
            printf '%s\t%s\n' session '' \
                project '' \
                global ''
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
        case 'hebb edit --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb edit --kind'
            printf '%s\t%s\n' event '' \
                fact '' \
                howto '' \
                preference ''
        case 'hebb forget --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb gc --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb schedule #1 *'
            printf '%s\t%s\n' run 'Sweep now and every forget_interval_seconds.' \
                cron 'Print the lines of a crontab that sweep this store.' \
                systemd 'Print systemd units that sweep this store.'
        case 'hebb forecast --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb audit --action'
            printf '%s\t%s\n' archive '' \
                consolidate '' \
                edit '' \
                erase '' \
                fix '' \
                promote '' \
                reinforce '' \
                restore '' \
                setting ''
        case 'hebb curve --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb matrix --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb inject --format'
            printf '%s\t%s\n' markdown '' \
                xml '' \
                json ''
        case 'hebb inject --partition'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb inject --kind'
            printf '%s\t%s\n' event '' \
                fact '' \
                howto '' \
                preference ''
        case 'hebb import #1 *'
            echo /
        case 'hebb export --ids-from'
            echo /
        case 'hebb config #1 *'
            printf '%s\t%s\n' get 'Show one setting and where its value comes from.' \
                set 'Change one setting and say what it reaches.' \
                unset 'Take one setting out of the file.' \
                list 'List every setting with its value and origin.' \
                preset 'Behave like one of the systems hebb unifies.' \
                path 'Print where the settings file is.'
        case 'hebb config get #1 *'
            printf '%s\t%s\n' half_life_days 'days after which 37 % of a neutral memory is retained (time constant)' \
                k_importance 'how much importance lengthens it' \
                k_access 'how much each use lengthens it' \
                forget_threshold 'a memory whose retention is below it is forgotten' \
                forget_min_retention_days 'idle days that every memory survives, whatever its policy' \
                curve 'how retention falls with idle time; see \'hebb curve\' and the README' \
                stale_threshold 'retention below which a live memory is stale: recalled, never injected; 0 is none' \
                stale_last 'whether a recall shows what is stale after all that is not, however well it matches' \
                default_ttl_days 'days without use after which a memory ends, unless it has a ttl of its own; 0 is none' \
                max_lifetime_days 'days from creation after which a memory ends, unless pinned or promoted; 0 is none' \
                beta 'curves cortexgraph: the power of the uses in a memory\'s vitality' \
                growth 'curve memorybank: a recall adds to strength S 1, 1/ln(S + 1) or growth_factor^n' \
                growth_factor 'curve memorybank, growth decay: the n-th recall adds this to the power of n' \
                time_unit 'curve memorybank: the unit of idle time and strength' \
                restore_anchor 'what is retained of a memory that is restored; it fades from there until it is used' \
                inject_max_tokens 'tokens, as estimated, that \'hebb inject\' prints at most, and unless --budget is less' \
                inject_renewal_cooldown_hours 'hours since its last use or renewal after which inject renews a memory; 0 is never' \
                forget_interval_seconds 'seconds between sweeps of a scheduler; under cron the crontab line decides' \
                on_forget 'what a sweep does: shelve for archive_days, or erase at once' \
                archive_days 'days a memory stays in the archive before it is erased' \
                move_after_accesses 'uses after which \'hebb promote\' moves a memory to mem_semantic; 0 is never' \
                promote_at_vitality 'vitality from which a memory in use moves to mem_semantic; 0 is never' \
                promote_uses 'uses in its first promote_within_days that move it there; 0 is never' \
                promote_within_days 'days from creation in which promote_uses are counted' \
                promote_after_accesses 'uses after which \'hebb promote\' gives a memory a ttl of a year at least; 0 is never' \
                consolidation_rules 'where \'hebb consolidate\' moves a memory by its tag or kind, the first that fits' \
                consolidate_command 'a program of yours that decides instead; it is given every text in the inbox' \
                consolidate_timeout_seconds 'seconds that program may take for the whole inbox' \
                on_fallback 'use of an archived memory, by recall or touch: offer to restore it, or do it' \
                restorable 'whether erasing keeps a copy in the audit, so that \'hebb restore\' brings it back' \
                max_store_bytes 'the most that all texts together may have, in UTF-8 bytes; 0 is no limit' \
                max_item_bytes 'the longest text of one memory, in UTF-8 bytes' \
                trust_imports 'whether what is imported is trusted, as its lines say; false: into quarantine' \
                audit_max_rows 'how many rows of the audit a sweep keeps, the newest; 0 is all' \
                gc_max_share 'share of the live memories an erasing sweep may take without --yes (20 it always may)' \
                neighbour_weight 'share of its relevance that a hit lends to its neighbours in the session' \
                semantic_weight 'share of the relevance that similar meaning has, where there are vectors' \
                ranking 'how recall weighs relevance, common use and retention: hebb\'s way or cortexgraph\'s' \
                co_occurrence_boost 'how much being used together with the context adds to a recall\'s relevance' \
                graph_pairs_per_recall 'how many pairs of what a recall shows it strengthens, those of the best' \
                graph_edges_per_memory 'how many edges a memory has at most, the strongest' \
                session_edge_weight 'weight of the edge from a new memory to the one before it in its session; 0 is none' \
                decay_floor 'share of a recall\'s score that does not depend on retention' \
                embedder 'what makes vectors: the model of hebbctl[semantic], a program, a server, or nothing' \
                embed_command 'a program that reads {"text": ...} lines and prints a {"vector": [...]} line for each' \
                embed_url 'a server that answers POST /v1/embeddings as OpenAI\'s does; HEBB_EMBED_KEY is its key' \
                embed_model 'the name of the model behind embed_command or embed_url: a new name, new vectors' \
                embed_on_write 'whether add, edit and import make vectors at once, as far as that works' \
                embed_timeout_seconds 'seconds that embed_command or embed_url may take for one text; 600 for any batch'
        case 'hebb config set #1 *'
            printf '%s\t%s\n' half_life_days 'days after which 37 % of a neutral memory is retained (time constant)' \
                k_importance 'how much importance lengthens it' \
                k_access 'how much each use lengthens it' \
                forget_threshold 'a memory whose retention is below it is forgotten' \
                forget_min_retention_days 'idle days that every memory survives, whatever its policy' \
                curve 'how retention falls with idle time; see \'hebb curve\' and the README' \
                stale_threshold 'retention below which a live memory is stale: recalled, never injected; 0 is none' \
                stale_last 'whether a recall shows what is stale after all that is not, however well it matches' \
                default_ttl_days 'days without use after which a memory ends, unless it has a ttl of its own; 0 is none' \
                max_lifetime_days 'days from creation after which a memory ends, unless pinned or promoted; 0 is none' \
                beta 'curves cortexgraph: the power of the uses in a memory\'s vitality' \
                growth 'curve memorybank: a recall adds to strength S 1, 1/ln(S + 1) or growth_factor^n' \
                growth_factor 'curve memorybank, growth decay: the n-th recall adds this to the power of n' \
                time_unit 'curve memorybank: the unit of idle time and strength' \
                restore_anchor 'what is retained of a memory that is restored; it fades from there until it is used' \
                inject_max_tokens 'tokens, as estimated, that \'hebb inject\' prints at most, and unless --budget is less' \
                inject_renewal_cooldown_hours 'hours since its last use or renewal after which inject renews a memory; 0 is never' \
                forget_interval_seconds 'seconds between sweeps of a scheduler; under cron the crontab line decides' \
                on_forget 'what a sweep does: shelve for archive_days, or erase at once' \
                archive_days 'days a memory stays in the archive before it is erased' \
                move_after_accesses 'uses after which \'hebb promote\' moves a memory to mem_semantic; 0 is never' \
                promote_at_vitality 'vitality from which a memory in use moves to mem_semantic; 0 is never' \
                promote_uses 'uses in its first promote_within_days that move it there; 0 is never' \
                promote_within_days 'days from creation in which promote_uses are counted' \
                promote_after_accesses 'uses after which \'hebb promote\' gives a memory a ttl of a year at least; 0 is never' \
                consolidation_rules 'where \'hebb consolidate\' moves a memory by its tag or kind, the first that fits' \
                consolidate_command 'a program of yours that decides instead; it is given every text in the inbox' \
                consolidate_timeout_seconds 'seconds that program may take for the whole inbox' \
                on_fallback 'use of an archived memory, by recall or touch: offer to restore it, or do it' \
                restorable 'whether erasing keeps a copy in the audit, so that \'hebb restore\' brings it back' \
                max_store_bytes 'the most that all texts together may have, in UTF-8 bytes; 0 is no limit' \
                max_item_bytes 'the longest text of one memory, in UTF-8 bytes' \
                trust_imports 'whether what is imported is trusted, as its lines say; false: into quarantine' \
                audit_max_rows 'how many rows of the audit a sweep keeps, the newest; 0 is all' \
                gc_max_share 'share of the live memories an erasing sweep may take without --yes (20 it always may)' \
                neighbour_weight 'share of its relevance that a hit lends to its neighbours in the session' \
                semantic_weight 'share of the relevance that similar meaning has, where there are vectors' \
                ranking 'how recall weighs relevance, common use and retention: hebb\'s way or cortexgraph\'s' \
                co_occurrence_boost 'how much being used together with the context adds to a recall\'s relevance' \
                graph_pairs_per_recall 'how many pairs of what a recall shows it strengthens, those of the best' \
                graph_edges_per_memory 'how many edges a memory has at most, the strongest' \
                session_edge_weight 'weight of the edge from a new memory to the one before it in its session; 0 is none' \
                decay_floor 'share of a recall\'s score that does not depend on retention' \
                embedder 'what makes vectors: the model of hebbctl[semantic], a program, a server, or nothing' \
                embed_command 'a program that reads {"text": ...} lines and prints a {"vector": [...]} line for each' \
                embed_url 'a server that answers POST /v1/embeddings as OpenAI\'s does; HEBB_EMBED_KEY is its key' \
                embed_model 'the name of the model behind embed_command or embed_url: a new name, new vectors' \
                embed_on_write 'whether add, edit and import make vectors at once, as far as that works' \
                embed_timeout_seconds 'seconds that embed_command or embed_url may take for one text; 600 for any batch'
        case 'hebb config set #2 curve'
            printf '%s\t%s\n' hebb '' \
                jarvis '' \
                jarvis-exp '' \
                cortexgraph '' \
                cortexgraph-power '' \
                cortexgraph-two '' \
                memorybank '' \
                amnesia '' \
                power '' \
                ebbinghaus ''
        case 'hebb config set #2 stale_last'
            printf '%s\t%s\n' true '' \
                false ''
        case 'hebb config set #2 growth'
            printf '%s\t%s\n' linear '' \
                log '' \
                decay ''
        case 'hebb config set #2 time_unit'
            printf '%s\t%s\n' minutes '' \
                hours '' \
                days ''
        case 'hebb config set #2 on_forget'
            printf '%s\t%s\n' archive '' \
                erase ''
        case 'hebb config set #2 on_fallback'
            printf '%s\t%s\n' offer '' \
                restore ''
        case 'hebb config set #2 restorable'
            printf '%s\t%s\n' true '' \
                false ''
        case 'hebb config set #2 trust_imports'
            printf '%s\t%s\n' true '' \
                false ''
        case 'hebb config set #2 ranking'
            printf '%s\t%s\n' hebb '' \
                cortexgraph ''
        case 'hebb config set #2 embedder'
            printf '%s\t%s\n' none '' \
                packaged '' \
                command '' \
                url ''
        case 'hebb config set #2 embed_on_write'
            printf '%s\t%s\n' true '' \
                false ''
        case 'hebb config unset #1 *'
            printf '%s\t%s\n' half_life_days 'days after which 37 % of a neutral memory is retained (time constant)' \
                k_importance 'how much importance lengthens it' \
                k_access 'how much each use lengthens it' \
                forget_threshold 'a memory whose retention is below it is forgotten' \
                forget_min_retention_days 'idle days that every memory survives, whatever its policy' \
                curve 'how retention falls with idle time; see \'hebb curve\' and the README' \
                stale_threshold 'retention below which a live memory is stale: recalled, never injected; 0 is none' \
                stale_last 'whether a recall shows what is stale after all that is not, however well it matches' \
                default_ttl_days 'days without use after which a memory ends, unless it has a ttl of its own; 0 is none' \
                max_lifetime_days 'days from creation after which a memory ends, unless pinned or promoted; 0 is none' \
                beta 'curves cortexgraph: the power of the uses in a memory\'s vitality' \
                growth 'curve memorybank: a recall adds to strength S 1, 1/ln(S + 1) or growth_factor^n' \
                growth_factor 'curve memorybank, growth decay: the n-th recall adds this to the power of n' \
                time_unit 'curve memorybank: the unit of idle time and strength' \
                restore_anchor 'what is retained of a memory that is restored; it fades from there until it is used' \
                inject_max_tokens 'tokens, as estimated, that \'hebb inject\' prints at most, and unless --budget is less' \
                inject_renewal_cooldown_hours 'hours since its last use or renewal after which inject renews a memory; 0 is never' \
                forget_interval_seconds 'seconds between sweeps of a scheduler; under cron the crontab line decides' \
                on_forget 'what a sweep does: shelve for archive_days, or erase at once' \
                archive_days 'days a memory stays in the archive before it is erased' \
                move_after_accesses 'uses after which \'hebb promote\' moves a memory to mem_semantic; 0 is never' \
                promote_at_vitality 'vitality from which a memory in use moves to mem_semantic; 0 is never' \
                promote_uses 'uses in its first promote_within_days that move it there; 0 is never' \
                promote_within_days 'days from creation in which promote_uses are counted' \
                promote_after_accesses 'uses after which \'hebb promote\' gives a memory a ttl of a year at least; 0 is never' \
                consolidation_rules 'where \'hebb consolidate\' moves a memory by its tag or kind, the first that fits' \
                consolidate_command 'a program of yours that decides instead; it is given every text in the inbox' \
                consolidate_timeout_seconds 'seconds that program may take for the whole inbox' \
                on_fallback 'use of an archived memory, by recall or touch: offer to restore it, or do it' \
                restorable 'whether erasing keeps a copy in the audit, so that \'hebb restore\' brings it back' \
                max_store_bytes 'the most that all texts together may have, in UTF-8 bytes; 0 is no limit' \
                max_item_bytes 'the longest text of one memory, in UTF-8 bytes' \
                trust_imports 'whether what is imported is trusted, as its lines say; false: into quarantine' \
                audit_max_rows 'how many rows of the audit a sweep keeps, the newest; 0 is all' \
                gc_max_share 'share of the live memories an erasing sweep may take without --yes (20 it always may)' \
                neighbour_weight 'share of its relevance that a hit lends to its neighbours in the session' \
                semantic_weight 'share of the relevance that similar meaning has, where there are vectors' \
                ranking 'how recall weighs relevance, common use and retention: hebb\'s way or cortexgraph\'s' \
                co_occurrence_boost 'how much being used together with the context adds to a recall\'s relevance' \
                graph_pairs_per_recall 'how many pairs of what a recall shows it strengthens, those of the best' \
                graph_edges_per_memory 'how many edges a memory has at most, the strongest' \
                session_edge_weight 'weight of the edge from a new memory to the one before it in its session; 0 is none' \
                decay_floor 'share of a recall\'s score that does not depend on retention' \
                embedder 'what makes vectors: the model of hebbctl[semantic], a program, a server, or nothing' \
                embed_command 'a program that reads {"text": ...} lines and prints a {"vector": [...]} line for each' \
                embed_url 'a server that answers POST /v1/embeddings as OpenAI\'s does; HEBB_EMBED_KEY is its key' \
                embed_model 'the name of the model behind embed_command or embed_url: a new name, new vectors' \
                embed_on_write 'whether add, edit and import make vectors at once, as far as that works' \
                embed_timeout_seconds 'seconds that embed_command or embed_url may take for one text; 600 for any batch'
        case 'hebb config preset #1 *'
            printf '%s\t%s\n' half_life_days 'days after which 37 % of a neutral memory is retained (time constant)' \
                k_importance 'how much importance lengthens it' \
                k_access 'how much each use lengthens it' \
                forget_threshold 'a memory whose retention is below it is forgotten' \
                forget_min_retention_days 'idle days that every memory survives, whatever its policy' \
                curve 'how retention falls with idle time; see \'hebb curve\' and the README' \
                stale_threshold 'retention below which a live memory is stale: recalled, never injected; 0 is none' \
                stale_last 'whether a recall shows what is stale after all that is not, however well it matches' \
                default_ttl_days 'days without use after which a memory ends, unless it has a ttl of its own; 0 is none' \
                max_lifetime_days 'days from creation after which a memory ends, unless pinned or promoted; 0 is none' \
                beta 'curves cortexgraph: the power of the uses in a memory\'s vitality' \
                growth 'curve memorybank: a recall adds to strength S 1, 1/ln(S + 1) or growth_factor^n' \
                growth_factor 'curve memorybank, growth decay: the n-th recall adds this to the power of n' \
                time_unit 'curve memorybank: the unit of idle time and strength' \
                restore_anchor 'what is retained of a memory that is restored; it fades from there until it is used' \
                inject_max_tokens 'tokens, as estimated, that \'hebb inject\' prints at most, and unless --budget is less' \
                inject_renewal_cooldown_hours 'hours since its last use or renewal after which inject renews a memory; 0 is never' \
                forget_interval_seconds 'seconds between sweeps of a scheduler; under cron the crontab line decides' \
                on_forget 'what a sweep does: shelve for archive_days, or erase at once' \
                archive_days 'days a memory stays in the archive before it is erased' \
                move_after_accesses 'uses after which \'hebb promote\' moves a memory to mem_semantic; 0 is never' \
                promote_at_vitality 'vitality from which a memory in use moves to mem_semantic; 0 is never' \
                promote_uses 'uses in its first promote_within_days that move it there; 0 is never' \
                promote_within_days 'days from creation in which promote_uses are counted' \
                promote_after_accesses 'uses after which \'hebb promote\' gives a memory a ttl of a year at least; 0 is never' \
                consolidation_rules 'where \'hebb consolidate\' moves a memory by its tag or kind, the first that fits' \
                consolidate_command 'a program of yours that decides instead; it is given every text in the inbox' \
                consolidate_timeout_seconds 'seconds that program may take for the whole inbox' \
                on_fallback 'use of an archived memory, by recall or touch: offer to restore it, or do it' \
                restorable 'whether erasing keeps a copy in the audit, so that \'hebb restore\' brings it back' \
                max_store_bytes 'the most that all texts together may have, in UTF-8 bytes; 0 is no limit' \
                max_item_bytes 'the longest text of one memory, in UTF-8 bytes' \
                trust_imports 'whether what is imported is trusted, as its lines say; false: into quarantine' \
                audit_max_rows 'how many rows of the audit a sweep keeps, the newest; 0 is all' \
                gc_max_share 'share of the live memories an erasing sweep may take without --yes (20 it always may)' \
                neighbour_weight 'share of its relevance that a hit lends to its neighbours in the session' \
                semantic_weight 'share of the relevance that similar meaning has, where there are vectors' \
                ranking 'how recall weighs relevance, common use and retention: hebb\'s way or cortexgraph\'s' \
                co_occurrence_boost 'how much being used together with the context adds to a recall\'s relevance' \
                graph_pairs_per_recall 'how many pairs of what a recall shows it strengthens, those of the best' \
                graph_edges_per_memory 'how many edges a memory has at most, the strongest' \
                session_edge_weight 'weight of the edge from a new memory to the one before it in its session; 0 is none' \
                decay_floor 'share of a recall\'s score that does not depend on retention' \
                embedder 'what makes vectors: the model of hebbctl[semantic], a program, a server, or nothing' \
                embed_command 'a program that reads {"text": ...} lines and prints a {"vector": [...]} line for each' \
                embed_url 'a server that answers POST /v1/embeddings as OpenAI\'s does; HEBB_EMBED_KEY is its key' \
                embed_model 'the name of the model behind embed_command or embed_url: a new name, new vectors' \
                embed_on_write 'whether add, edit and import make vectors at once, as far as that works' \
                embed_timeout_seconds 'seconds that embed_command or embed_url may take for one text; 600 for any batch'
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
                curve '' \
                stale_threshold '' \
                on_forget '' \
                default_ttl_days '' \
                max_lifetime_days '' \
                beta '' \
                growth '' \
                growth_factor '' \
                time_unit '' \
                enabled ''
        case 'hebb policy preview #1 *'
            printf '%s\t%s\n' mem_notes '' \
                mem_episodic '' \
                mem_semantic '' \
                mem_procedural '' \
                mem_preference '' \
                mem_hippocampus ''
        case 'hebb init #1 *'
            echo /
        case 'hebb backup #1 *'
            printf '%s\t%s\n' create 'Copy the store as it is now, and print where.' \
                list 'List the copies that hebb made, the newest first.' \
                restore 'Put a copy in the place of the store.'
        case 'hebb backup create #1 *'
            echo /
        case 'hebb backup restore #1 *'
            echo /
        case 'hebb bench #1 *'
            printf '%s\t%s\n' recall 'Print how much of the answers a recall finds.'
        case 'hebb bench recall --questions'
            echo /
        case 'hebb bench recall #*'
            echo /
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

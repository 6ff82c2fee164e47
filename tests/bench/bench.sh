#!/usr/bin/env bash
# Measures Tenon against the hand-written programs of tests/bench/limit and against its own limits, on one
# thread, but for the last rows. Run it by `./build.sh bench`, which builds everything first. Figures are medians of five runs that
# alternate with those of the hand-written program, where there is one; the ratio is the one to its figure, or else
# to the limit.
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C OPENBLAS_NUM_THREADS=1

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tenon=$root/build/tenon
limits=$root/build/limit
models=$root/configs/benchmarks
net=$models/springnet.toml
oscillator=$models/oscillator.toml
repetitions=5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

calculate() { awk "BEGIN { printf \"%.10g\\n\", $1 }"; }
median() { sort -g "$work/$1.list" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
short() { awk "BEGIN { printf \"%.3g\", $1 }"; }

table_line() { printf '%-58s %9s %-2s %13s %7s %6s%s\n' "$@"; }

# row WHAT FIGURE UNIT [LIMIT [HAND-WRITTEN]]: a limit such as 2.0x is one of the ratio to the hand-written
# program, any other one of the figure.
row() {
    local limit=${4:-} theirs='' ratio='' verdict=''
    [ -z "${5:-}" ] || { theirs=$(short "$5") && ratio=$(short "$2 / $5"); }
    [ -z "$limit" ] || [ -n "$ratio" ] || ratio=$(short "$2 / $limit")
    if [ -n "$limit" ]; then
        [[ $limit == *x ]] && verdict="$2 / ${5:-1} > ${limit%x}" || verdict="$2 > $limit"
        verdict=$(awk "BEGIN { print ($verdict) ? \"  above the limit\" : \"\" }")
    fi
    table_line "$1" "$(short "$2")" "$3" "$theirs" "$ratio" "$limit" "$verdict"
}

# run_tenon MODEL SOLVER STEP STEPS [ARGUMENT ...]: one run with rows at its start and end only; prints how long
# the process took, in seconds.
run_tenon() {
    local model=$1 solver=$2 step=$3 end start
    end=$(calculate "$3 * $4")
    shift 4
    rm -rf "$work/out"
    start=$EPOCHREALTIME
    "$tenon" run "$model" --solver "$solver" --set solver.step="$step" --set solver.end_time="$end" \
        --set output.interval="$end" "$@" --quiet --out "$work/out" >&2
    calculate "$EPOCHREALTIME - $start"
}

# statistic KEY: of the last run.
statistic() {
    awk -v key="$1" '/^\[/ { inside = ($1 == "[run.statistics]") }
        inside && $1 == key && $2 == "=" { print $3; found = 1 }
        END { if (!found) { print "bench.sh: run.toml has no statistics." key > "/dev/stderr"; exit 1 } }' \
        "$work/out/run.toml"
}

# compare LIMIT-PROGRAM "its arguments" MODEL SOLVER STEP STEPS [ARGUMENT ...]: alternating runs; sets ours,
# theirs (s per step), process (s) and memory (bytes) to their medians.
compare() {
    local program=$1 arguments=$2 i
    shift 2
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        run_tenon "$@" >>"$work/process.list"
        calculate "$(statistic wall_time) / $(statistic steps)" >>"$work/ours.list"
        statistic peak_memory >>"$work/memory.list"
        # shellcheck disable=SC2086 # the arguments are words
        "$limits/$program" $arguments | awk '$1 == "seconds_per_step" { print $3 }' >>"$work/theirs.list"
    done
    ours=$(median ours) theirs=$(median theirs) process=$(median process) memory=$(median memory)
}

explicit_net() { # n, steps, limit
    local nanoseconds="1e9 / (4 * (2 * $1 * $1 - $1))" # per spring: four evaluations, 2 n^2 - n springs
    compare springnet "$1 $2" "$net" rk 1e-4 "$2" --set parameters.n="$1"
    row "spring net n = $1, rk 4, per spring evaluation" "$ours * $nanoseconds" ns "$3" "($theirs * $nanoseconds)"
}

one_mass() { # solver, what, limit in microseconds
    compare oscillator "1000000 1e-4" "$oscillator" "$1" 1e-4 1000000
    row "one mass, $2, a million steps, per step" "1e6 * $ours" us "$3" "(1e6 * $theirs)"
}

implicit_net() {
    local i
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        run_tenon "$net" generalized_alpha 1e-3 100 --set parameters.n=100 >/dev/null
        calculate "($(statistic wall_time) - $(statistic first_factorisation_time)) / $(statistic steps)" \
            >>"$work/later.list"
        calculate "($(statistic wall_time) - $(statistic linear_time)) / $(statistic steps)" >>"$work/outside.list"
    done
    row "spring net n = 100, generalized_alpha, h = 1 ms, per step" "1e3 * $(median later)" ms 9
    row "  of it outside the linear solver" "1e3 * $(median outside)" ms 2
    row "  factorisations in 100 steps" "$(statistic factorisations)" ""
}

# per_step NAME STEP STEPS [ARGUMENT ...]: sets ours to the median of seconds per step.
per_step() {
    local model=$models/$1.toml i
    shift
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        run_tenon "$model" generalized_alpha "$@" >/dev/null
        calculate "$(statistic wall_time) / $(statistic steps)" >>"$work/ours.list"
    done
    ours=$(median ours)
}

# in_a_row MODEL n STEPS LIMIT: n bodies one behind the other, beside the hand-written program of that name.
in_a_row() {
    compare "$1" "$2 $3 1e-3" "$models/$1.toml" generalized_alpha 1e-3 "$3" --set parameters.n="$2"
    row "$1 n = $2, generalized_alpha, per body and step" "1e6 * $ours / $2" us "$4" "(1e6 * $theirs / $2)"
}

# What a body takes of memory in a chain that is as long as this.
long_chain() {
    run_tenon "$models/chain.toml" generalized_alpha 1e-3 11 --set parameters.n=100000 >/dev/null
    row "chain n = 100 000, generalized_alpha, memory per body" "$(statistic peak_memory) / 1e8" kB 4
}

# whole_process WHAT LIMIT MODEL SOLVER STEP STEPS [ARGUMENT ...]: with reading and writing.
whole_process() {
    local what=$1 limit=$2 i
    shift 2
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        run_tenon "$@" >>"$work/process.list"
    done
    row "$what" "$(median process)" s "$limit"
}

lattices() {
    local model=$models/lattice.toml
    whole_process "lattice 12^3, generalized_alpha, whole process of 2 steps" 0.4 "$model" generalized_alpha 1e-3 2
    repetitions=1 whole_process "lattice 20^3, generalized_alpha, whole process of 2 steps" 6 "$model" generalized_alpha 1e-3 2 \
        --set parameters.n=20 --set parameters.m=20
    row "  memory" "$(statistic peak_memory) / 1e9" GB 4
}

# A sheet of bushings, and a ladder with its loops; later steps, without the first factorisation.
grid_and_ladder() {
    local i
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        run_tenon "$models/lattice.toml" generalized_alpha 1e-3 100 --set parameters.n=64 --set parameters.m=1 >/dev/null
        calculate "($(statistic wall_time) - $(statistic first_factorisation_time)) / $(statistic steps)" >>"$work/grid.list"
        statistic first_factorisation_time >>"$work/first.list"
        run_tenon "$models/ladder.toml" generalized_alpha 1e-3 100 >/dev/null
        calculate "($(statistic wall_time) - $(statistic first_factorisation_time)) / $(statistic steps)" >>"$work/ladder.list"
    done
    row "grid 64 x 64, generalized_alpha, per body and step" "1e6 * $(median grid) / 4096" us 0.6
    row "  first factorisation" "$(median first)" s 0.15
    row "ladder n = 512, generalized_alpha, per body and step" "1e6 * $(median ladder) / 1536" us 0.6
}

# Joints tied to a net, whose factors fill.
rod_net() {
    whole_process "net of 40 x 40 rods, generalized_alpha, whole process of 20 steps" 1 "$models/rod_net.toml" generalized_alpha 1e-3 20 \
        --set parameters.n=40 --set parameters.m=40
}

# column NAME ROW: of the last run's sensors, its first row or its last one; nothing where there is no such sensor.
column() {
    awk -F , -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        column && NR > 1 { value[NR == 2 ? "first" : "last"] = $column }
        END { if (column) print value[row] }' "$work/out/sensors.csv"
}

# How accurate the last run is: the drift of its energy and the errors of its constraints, at its end.
accuracy() {
    local error start
    start=$(column energy first) error=$(column error last)
    [ -z "$start" ] || row "  drift of the energy" "$(column energy last) - $start" J
    [ -z "$error" ] || row "  error of constraints" "$error" m
}

# motion WHAT MODEL END LIMIT [ARGUMENT ...]: the time that the motion takes with the solver and the step of the model, in ms.
motion() {
    local what=$1 model=$2 end=$3 limit=$4 i
    shift 4
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        rm -rf "$work/out"
        "$tenon" run "$model" --set solver.end_time="$end" --set output.interval="$end" "$@" --quiet --out "$work/out" >&2
        statistic wall_time >>"$work/ours.list"
    done
    row "$what" "1e3 * $(median ours)" ms "$limit"
    accuracy
}

mechanisms() {
    local andrews=$models/iftomm_a03_andrews.toml
    motion "four-bars n = 40, h = 1 ms, 10 s" "$models/iftomm_a02_four_bar.toml" 10 400 --set parameters.n=40
    motion "Bricard's mechanism, 1 s" "$models/iftomm_a04_bricard.toml" 1 15
    motion "bicycle, 5 s" "$root/configs/seeds/bicycle.toml" 5 70
    motion "flyball governor, 10 s" "$models/iftomm_a05_flyball.toml" 10 60
    motion "Andrews' mechanism, 0.03 s to 1e-5 rad" "$andrews" 0.03 5 --solver gsl_ode --set solver.stepper=rk8pd --set solver.tolerance=1e-5
    row "  error of the crank" "sqrt(($(column beta last) - 15.800174698609) ^ 2)" rad 1e-5
}

# What the first model of the guide takes of the processor, from start to end. The least of nine.
first_model() {
    local i
    rm -f "$work"/*.list
    for ((i = 0; i < 9; i++)); do
        in_process "$tenon" run "$root/configs/first/spring_damper.toml" --quiet --out "$work/out" >>"$work/first.list"
    done
    row "first model, whole process" "1e3 * $(least first)" ms 3
}

pendulum() {
    per_step iftomm_a01_pendulum 0.8e-3 125000
    row "pendulum on a rod, generalized_alpha, per step" "1e6 * $ours" us 0.6
}

car() {
    per_step car 1e-3 4000
    row "car on four discs, generalized_alpha, h = 1 ms, per step" "1e6 * $ours" us 4
}

# by_impulses WHAT LIMIT SOLFEC MODEL STEP STEPS [ARGUMENT ...]: ms per step; beside it, in place of a hand-written program, Solfec's.
by_impulses() {
    local what=$1 limit=$2 solfec=$3 model=$4 i
    shift 4
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        run_tenon "$model" moreau "$@" >/dev/null
        calculate "1e3 * $(statistic wall_time) / $(statistic steps)" >>"$work/ours.list"
    done
    row "$what, per step" "$(median ours)" ms "$limit" "$solfec"
}

# in_process COMMAND ...: seconds that its process computes, of the user and of the system.
in_process() {
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>"$work/errors"; } 2>"$work/times" || { cat "$work/errors" >&2 && return 1; }
    awk '{ print $1 + $2 }' "$work/times"
}

# least LIST: its least number. Other programs make figures larger only.
least() { sort -g "$work/$1.list" | head -1; }

# A car with a row for each of 60 000 steps; beside it the same run without results, or without the log. The least of nine.
recorded_car() {
    local i run=("$tenon" run "$models/car.toml" --quiet --set output.interval=1e-3 --set solver.end_time=60 --out "$work/out" --set)
    rm -f "$work"/*.list
    for ((i = 0; i < 9; i++)); do
        in_process "${run[@]}" output.log=false --set 'output.writers=[]' >>"$work/none.list"
        in_process "${run[@]}" 'output.writers=["csv"]' >>"$work/log.list"
        in_process "${run[@]}" output.log=false >>"$work/table.list"
        in_process "${run[@]}" 'output.writers=["csv", "report"]' >>"$work/all.list"
    done
    row "car, 60 000 rows by csv, log and report (no results)" "$(least all)" s 1.3x "$(least none)"
    row "  by csv and log (csv alone)" "$(least log)" s 1.05x "$(least table)"
}

# A million rows of seven columns, from the log to the table: the reading counts, too.
rows_of_csv() {
    local i
    rm -f "$work"/*.list
    printf '%s\n' '[[element]]' 'name = "body"' 'type = "rigid_body"' 'mass = 1' 'inertia = [1, 2, 2.5]' \
        'position = [1, 2, 3]' 'velocity = [0.1, 0.3, 0.7]' '[[element]]' 'name = "spring"' 'type = "spring_damper"' \
        'markers = ["ground", "body"]' 'stiffness = 1' '[[sensor]]' 'name = "x"' 'element = "body"' 'output = "position"' \
        '[[sensor]]' 'name = "v"' 'element = "body"' 'output = "velocity"' '[solver]' 'type = "rk"' 'step = 1e-3' \
        'end_time = 1000' '[output]' 'interval = 1e-3' 'writers = []' >"$work/rows.toml"
    rm -rf "$work/rows"
    "$tenon" run "$work/rows.toml" --quiet --out "$work/rows" >&2
    for ((i = 0; i < repetitions; i++)); do
        in_process "$tenon" convert "$work/rows" --to csv >>"$work/csv.list"
    done
    row "csv, seven columns, per row" "1e6 * $(least csv) / 1000001" us 0.5
    rm -rf "$work/rows"
}

joint_chain() { # n, limit, Solfec's with its Newton solver at 1e-8
    local solver
    for solver in direct projected_newton; do
        by_impulses "boxes on ball joints n = $1, moreau, $solver" "$2" "$3" "$models/joint_chain.toml" 5e-4 200 \
            --set parameters.n="$1" --set solver.constraint_solver="$solver"
    done
}

# explicit_step MODEL [ARGUMENT ...]: seconds per step with rk 4.
explicit_step() {
    local model=$1
    shift
    run_tenon "$model" rk 1e-4 1000 "$@" >/dev/null
    calculate "$(statistic wall_time) / $(statistic steps)"
}

# implicit_step MODEL [ARGUMENT ...]: seconds per step, in each of which the matrix is worked out.
implicit_step() {
    local model=$1
    shift
    run_tenon "$model" generalized_alpha 1e-3 50 "$@" --set solver.newton.jacobian=full >/dev/null
    calculate "$(statistic wall_time) / $(statistic steps)"
}

# Laws written as expressions; beside them, in place of a hand-written program, the law of spring_damper itself.
expression_force() { # law, what
    local i nanoseconds="1e9 / (4 * 1000)" # per force: four evaluations, 1000 forces
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        explicit_step "$models/expression_forces.toml" --set parameters.law="$1" >>"$work/ours.list"
        explicit_step "$models/expression_forces.toml" --set parameters.law=0 >>"$work/compiled.list"
    done
    row "$2, per evaluation" "$(median ours) * $nanoseconds" ns 5x "($(median compiled) * $nanoseconds)"
}

# Laws of springs in scripts and routines; beside them, in place of a hand-written program, the law of spring_damper itself: the least
# of the runs.
law_of_file() { # explicit_step or implicit_step, model, law, what, limit
    local i nanoseconds="1e9 / (4 * 1000)" what="$4, per evaluation" unit=ns # four evaluations, 1000 forces
    [ "$1" = explicit_step ] || { nanoseconds="1e6 / 1000" && what="$4, per force and step" && unit=us; }
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        "$1" "$2" --trust --set parameters.law="$3" >>"$work/ours.list"
        "$1" "$2" --trust --set parameters.law=0 >>"$work/compiled.list"
    done
    row "$what" "$(least ours) * $nanoseconds" "$unit" "$5" "($(least compiled) * $nanoseconds)"
}

routine_forces() {
    local model=$work/routine_forces.toml
    cp "$root/tests/bench/routine_forces.toml" "$work"
    "$tenon" build "$root/tests/bench/routine_forces.c" -o "$work/routine_forces.so" >/dev/null
    law_of_file explicit_step "$model" 3 "  the same in C, with partial derivatives" 1.5x
    law_of_file explicit_step "$model" 4 "  the same, over dual numbers" 2x
    law_of_file explicit_step "$model" 5 "  the same, with differences" 2x
    law_of_file explicit_step "$model" 6 "  with own readings for each spring" 3x
    law_of_file explicit_step "$model" 7 "  the same as a VARSUB" 10x
    law_of_file explicit_step "$model" 2 "spring_damper.force_function" 1.6x
    law_of_file explicit_step "$model" 8 "  the same in C, with partial derivatives" 1.5x
    law_of_file implicit_step "$model" 2 "  generalized_alpha" 1.5x
    law_of_file implicit_step "$model" 8 "  the same in C, with partial derivatives" 1.5x
    law_of_file implicit_step "$model" 1 "spring_damper.force of DM and VR, generalized_alpha" 6x
    law_of_file implicit_step "$model" 3 "  the same in C, with partial derivatives" 6x
    law_of_file implicit_step "$model" 4 "  the same, over dual numbers" 6x
    law_of_file implicit_step "$model" 5 "  the same, with differences" 6x
    law_of_file implicit_step "$model" 7 "  the same as a VARSUB" 8x
}

# Forces in Lua, which are called by both threads: in less time, and with the same bits.
scripts_on_threads() {
    local threads
    two_threads "10 000 laws in Lua, rk 4, 100 steps" 0.65x "$models/script_forces.toml" rk 1e-4 100 \
        --trust --set parameters.n=10000
    for threads in 1 2; do
        run_tenon "$models/script_forces.toml" rk 1e-4 100 --trust --set parameters.n=10000 --threads "$threads" >/dev/null
        cp "$work/out/sensors.csv" "$work/threads_$threads.csv"
    done
    cmp "$work/threads_1.csv" "$work/threads_2.csv" || { echo "bench.sh: results depend on the number of threads" >&2 && return 1; }
}

# Ten thousand variables; beside them, a thousand.
variable_chain() {
    local i
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        explicit_step "$models/variable_chain.toml" >>"$work/ours.list"
        explicit_step "$models/variable_chain.toml" --set parameters.n=1000 >>"$work/short.list"
    done
    row "10 000 variables in a chain, per variable evaluation" "$(median ours) * 1e9 / 4e4" ns 1.5x \
        "($(median short) * 1e9 / 4e3)"
}

# two_threads WHAT LIMIT MODEL SOLVER STEP STEPS [ARGUMENT ...]: beside it, in place of a hand-written program, one thread. The
# shortest of the runs: each needs both cores for itself.
two_threads() {
    local what=$1 limit=$2 i
    shift 2
    rm -f "$work"/*.list
    for ((i = 0; i < repetitions; i++)); do
        run_tenon "$@" --threads 2 >/dev/null
        statistic wall_time >>"$work/ours.list"
        run_tenon "$@" --threads 1 >/dev/null
        statistic wall_time >>"$work/theirs.list"
    done
    row "$what, two threads (one)" "$(sort -g "$work/ours.list" | head -1)" s "$limit" \
        "$(sort -g "$work/theirs.list" | head -1)"
}

# Cases of a study whose run takes 5 ms: what each of them takes of the processor beyond the run itself, all processes counted; and
# two workers beside one, the least of the runs.
study_cases() {
    local i workers study=$work/study.toml start cases=1000
    rm -f "$work"/*.list
    printf '%s\n' '[[element]]' 'name = "mass"' 'type = "mass_point"' 'mass = 1' 'position = [1, 0, 0]' '[[element]]' \
        'name = "spring"' 'type = "spring_damper"' 'markers = ["ground", "mass"]' 'stiffness = 100' '[[sensor]]' \
        'name = "x"' 'element = "mass"' 'output = "position"' '[solver]' 'type = "generalized_alpha"' 'end_time = 3' \
        'step = 0.25e-3' '[output]' 'interval = 0.02' >"$work/case.toml"
    printf '%s\n' '[study]' 'model = "case.toml"' '[[variable]]' 'name = "element.spring.stiffness"' \
        'range = ["50 [N/m]", "200 [N/m]"]' '[[response]]' 'name = "peak"' 'expression = "max(x.x)"' \
        '[design]' 'type = "random"' "count = $cases" '[execute]' 'type = "local"' >"$study"
    for ((i = 0; i < repetitions; i++)); do
        for workers in 1 2; do
            rm -rf "$work/study_out"
            { grep -v '^workers' "$study" && echo "workers = $workers"; } >"$study.new" && mv "$study.new" "$study"
            start=$EPOCHREALTIME
            in_process "$tenon" study "$study" --out "$work/study_out" --quiet >>"$work/used$workers.list"
            calculate "$EPOCHREALTIME - $start" >>"$work/clock$workers.list"
            "$tenon" run "$work/case.toml" --out "$work/out" --quiet --set output.log=false \
                --set 'output.writers=[]' >/dev/null
            statistic wall_time >>"$work/own.list"
        done
    done
    row "case of a study, beyond its run (the run)" "(1e3 * ($(median used1) / $cases - $(median own)))" ms 1 "(1e3 * $(median own))"
    row "study of $cases cases, two workers (one)" "$(least clock2)" s 0.588x "$(least clock1)"
    rm -rf "$work/study_out"
}

table_line "" tenon "" hand-written ratio limit ""
explicit_net 100 1000 2.0x
explicit_net 1000 10 2.5x
row "  load and ten steps" "$process" s 30
row "  peak memory" "$memory / 1e9" GB 3
one_mass generalized_alpha generalized_alpha 1
one_mass rk "rk 4" 0.1
implicit_net
in_a_row chain 64 1000 0.25
in_a_row chain 1024 100 0.28
in_a_row chain 4096 50 0.35
long_chain
in_a_row bushings 64 1000 1.5
in_a_row bushings 1024 100 1.5
lattices
grid_and_ladder
rod_net
mechanisms
pendulum
car
first_model
recorded_car
rows_of_csv
joint_chain 10 0.05 0.15
joint_chain 40 0.2 1.05
joint_chain 100 0.5 9.8
joint_chain 1000 5 ""
by_impulses "300 spheres on a plate, moreau, error of 1e-6" 1 "" "$root/configs/contact/spheres.toml" 1e-3 500
by_impulses "stack of ten boxes, moreau" 0.15 "" "$root/configs/contact/stack.toml" 1e-3 5000
expression_force 1 "spring_damper.force of DM and VR"
expression_force 2 "spring_damper.force_function"
expression_force 5 "  of a spring that only pulls, by IF"
expression_force 6 "  of stops on both sides, by BISTOP"
expression_force 3 "force, three components of DX to VZ"
expression_force 4 "force of a variable"
law_of_file explicit_step "$models/script_forces.toml" 1 "spring_damper.force of DM and VR" 2.5x
law_of_file explicit_step "$models/script_forces.toml" 2 "  the same in Lua" 40x
law_of_file explicit_step "$models/script_forces.toml" 3 "  the same in Python" 2000
routine_forces
scripts_on_threads
variable_chain
study_cases
two_threads "spring net n = 100, rk 4, 1000 steps" 0.625x "$net" rk 1e-4 1000 --set parameters.n=100
two_threads "spring net n = 300, rk 4, 100 steps" 0.65x "$net" rk 1e-4 100 --set parameters.n=300
two_threads "bushings n = 4096, generalized_alpha, 200 steps" 0.77x "$models/bushings.toml" generalized_alpha 1e-3 200 \
    --set parameters.n=4096
two_threads "chain n = 4096, generalized_alpha, 200 steps" 0.85x "$models/chain.toml" generalized_alpha 1e-3 200 \
    --set parameters.n=4096

printf '\n'
"$root/tests/bench/friction.sh"

printf '\n'
python3 "$root/tests/bench/work_precision.py" "$tenon" "$root/configs"

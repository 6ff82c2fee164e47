"""long: mechanisms with redundant joints for 1000 s.

As many iterations per step behind the first second as in it, within 30 % and below 3; the energy of the start; and no reactions
where there are none. Positions are not looked at: without dissipation some of these motions are chaotic.
"""

from runs import BENCHMARKS, MODELS, Report, run

SECONDS = 1000.0


def check(model, energy, reactions, **settings):
    """`energy`: its column and how far it may go, J; `reactions`: columns that should be zero -> how large they may be."""
    report = Report()
    settings |= dict(solver__step=1e-3, output__interval=0.1)
    first = run(model, solver__end_time=1.0, **settings)
    whole = run(model, solver__end_time=SECONDS, **settings)
    start = first.iterations / first.steps
    behind = (whole.iterations - first.iterations) / (whole.steps - first.steps)
    report.most("iterations per step in the first second", start, 3.0)
    report.most("behind it", behind, min(3.0, 1.3 * start))
    report.most("energy changes by", whole.change(energy[0]), energy[1], "J")
    for column, limit in reactions.items():
        report.most(column, abs(whole[column]).max(), limit)
    return report


def across(limit):
    return {"force.z": limit, "torque.x": limit, "torque.y": limit}


def checks():
    for angle in 0.0, 0.7, 1.3:
        yield (
            f"four-bar turned by {angle} rad",
            lambda angle=angle: check(MODELS / "four_bar.toml", ("energy", 2e-2), across(1e-4), parameters__angle=angle),
        )
    for angle in 0.0, 0.7:
        yield (
            f"trapdoor turned by {angle} rad",
            lambda angle=angle: check(MODELS / "door.toml", ("energy", 1e-3), across(1e-4), parameters__angle=angle),
        )
    yield "Bricard's mechanism", lambda: check(BENCHMARKS / "iftomm_a04_bricard.toml", ("energy", 1e-3), {})
    yield "coupled four-bars", lambda: check(BENCHMARKS / "iftomm_a02_four_bar.toml", ("energy", 5e-3), {}, parameters__n=2)
    yield "slider-crank", lambda: check(BENCHMARKS / "slider_crank.toml", ("balance", 1e-6), {})

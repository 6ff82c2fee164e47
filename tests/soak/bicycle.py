"""bicycle: the benchmark bicycle for 20 s in steps in which its wheels turn by 0.07 and 0.2 rad: energy within 0.1 J, roll and steer
within 1e-3 rad of those with a quarter of the step."""

from runs import SOURCE, Report, run


def check(step, interval, end):
    report = Report()
    coarse, fine = (
        run(
            SOURCE / "configs" / "seeds" / "bicycle.toml",
            solver__step=step / k,
            solver__end_time=end,
            output__interval=interval,
        )
        for k in (1, 4)
    )
    report.most("energy changes by", coarse.change("energy"), 0.1, "J")
    for angle in "roll", "steer":
        report.most(f"{angle} misses by", abs(coarse[angle] - fine[angle]).max(), 1e-3, "rad")
    report.most("iterations per step", coarse.iterations / coarse.steps, 20.0)
    return report


def checks():
    yield "steps of 5 ms", lambda: check(5e-3, 0.05, 20.0)
    yield "steps of 14 ms", lambda: check(14e-3, 0.07, 20.02)

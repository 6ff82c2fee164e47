"""ladder: structures of 64 to 2048 equal fields for 1 s, at index 3 and 2: at most 3 iterations per step, and every rung stays in
the middle."""

from runs import MODELS, Report, run


def check(fields, index):
    report = Report()
    # a step that is halved again and again would take hours here before the run fails
    result = run(
        MODELS / "ladder.toml",
        parameters__n=fields,
        solver__index=index,
        solver__end_time=1.0,
        solver__min_step=2.5e-4,
    )
    report.most("iterations per step", result.iterations / result.steps, 3.0)
    report.most("last rung aside by", abs(result["tip.y"] - 0.5).max(), 1e-10, "m")
    report.most("energy changes by", result.change("energy"), 1e-2, "J")
    return report


def checks():
    for fields in 2048, 1024, 512, 256, 128, 64:
        for index in 3, 2:
            yield f"{fields} fields, index {index}", lambda fields=fields, index=index: check(fields, index)

"""published: the models of configs/benchmarks as they stand, against what they promise; and in full length the one that the tests
shorten. springnet, oscillator, expression_forces and variable_chain promise nothing: they are there for their speed."""

import math
import tomllib

from runs import BENCHMARKS, Report, run


def promises(model):
    return tomllib.loads(model.read_text()).get("expect", [])


def number(value):
    """Of a value, which may have its unit, "51.4 [rad]"."""
    return float(value.split()[0]) if isinstance(value, str) else value


def check(model):
    report = Report()
    result = run(model)
    for promise in promises(model):
        column, time = promise["sensor"], promise["at"]
        row = abs(result["time"] - time).argmin()
        error = abs(result[column][row] - number(promise["value"]))
        report.most(f"{column}({time} s) misses by", error, promise["tolerance"])
    return report


def rocker_angle(n, time):
    """Of the coupled four-bars, th'' = -c cos th, by the classical method of order 4, from upright and 1 rad/s."""
    c = 9.81 * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n)
    parts = 100_000
    angle, rate, h = math.pi / 2, -1.0, time / parts
    for _ in range(parts):
        a1 = -c * math.cos(angle)
        v2 = rate + 0.5 * h * a1
        a2 = -c * math.cos(angle + 0.5 * h * rate)
        v3 = rate + 0.5 * h * a2
        a3 = -c * math.cos(angle + 0.5 * h * v2)
        v4 = rate + h * a3
        a4 = -c * math.cos(angle + h * v3)
        angle += h / 6 * (rate + 2 * v2 + 2 * v3 + v4)
        rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return angle


def check_forty_windows(index):
    report = Report()
    result = run(BENCHMARKS / "iftomm_a02_four_bar.toml", parameters__n=40, solver__end_time=20.0, solver__index=index)
    angle = rocker_angle(40, 20.0)
    report.most("energy changes by", result.change("energy"), 0.1, "J")
    for column, value in ("B0.x", math.cos(angle)), ("B0.y", math.sin(angle)):
        report.most(f"{column} misses by", abs(result[column][-1] - value), 5e-4, "m")
    return report


def checks():
    for model in sorted(BENCHMARKS.glob("*.toml")):
        if promises(model):
            yield model.stem, lambda model=model: check(model)
    for index in 3, 2:
        yield f"forty windows of four bars, 20 s, index {index}", lambda index=index: check_forty_windows(index)

"""spin: a rotor on a hinge at a carrier, a disc (twice the moment of inertia along its axis) or a slender rod (a twentieth of it),
free in space or with the carrier on a ball, at 0.1 to 1 rad per step, for 100 000 steps.

* The energy of a disc is never more than a thousandth above its start.
* The energy of the nutation of a rod, which is all but that of the rotor's spin, grows by less than 1e-5 of itself per step, or the
  program warns.
* What the energy of a disc departs by from a straight line (what is damped away; that falls with a higher power of the step) becomes
  a quarter when a step of 0.1 rad is halved.
"""

import math

import numpy

from runs import MODELS, Report, run

STEPS = 100_000
RADII = 0.5, 0.8, 0.9
AXIAL_INERTIA = {"disc": 0.02, "rod": 0.001}


def spin(shape, held, steps, h, turn, radius, every):
    return run(
        MODELS / "spin.toml",
        parameters__slender=int(shape == "rod"),
        parameters__held=int(held),
        parameters__h=h,
        parameters__turn=turn,
        solver__end_time=round(steps * h, 12),
        solver__spectral_radius=radius,
        output__interval=round(every * h, 12),
    )


def check_disc(held, turn, radius):
    report = Report()
    result = spin("disc", held, STEPS, 1e-3, turn, radius, 100)
    energy = result["energy"]
    report.most("energy rises by", result.rise("energy") / energy[0], 1e-3)
    report.most("and falls by", (energy[0] - energy.min()) / energy[0], 1.0)
    return report


def check_rod(held, turn, radius):
    report = Report()
    result = spin("rod", held, STEPS, 1e-3, turn, radius, 100)
    nutation = result["energy"] - 0.5 * AXIAL_INERTIA["rod"] * result["rate.z"] ** 2
    growth = math.log(nutation.max() / nutation[0]) / STEPS
    warned = "warning: " in result.errors
    report.most("nutation grows per step by", growth, math.inf if warned else 1e-5)
    report.most("and ends with a share of", nutation[-1] / nutation[0], math.inf)
    if warned:
        report.figures.append("with a warning")
    return report


def ripple(result):
    """Root mean square of the distance of the energy from its line of least squares, behind the first quarter."""
    quarter = len(result["time"]) // 4
    time, energy = result["time"][quarter:], result["energy"][quarter:]
    time = time - time.mean()
    return math.sqrt(((energy - numpy.polyval(numpy.polyfit(time, energy, 1), time)) ** 2).mean())


def check_order(held, radius):
    report = Report()
    coarse, fine = (ripple(spin("disc", held, 800 * k, 1e-3 / k, 0.1 / k, radius, 1)) for k in (1, 2))
    report.between("error of the energy falls by a factor of", coarse / fine, 3.6, 4.4)
    return report


def checks():
    for shape, check in ("disc", check_disc), ("rod", check_rod):
        for held in False, True:
            where = "held" if held else "free"
            for turn in 0.1, 0.3, 1.0:
                for radius in RADII:
                    yield (
                        f"{shape}, {where}, {turn} rad, spectral radius {radius}",
                        lambda check=check, held=held, turn=turn, radius=radius: check(held, turn, radius),
                    )
    for held in False, True:
        for radius in RADII:
            yield (
                f"order, {'held' if held else 'free'}, spectral radius {radius}",
                lambda held=held, radius=radius: check_order(held, radius),
            )

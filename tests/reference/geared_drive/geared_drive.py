#!/usr/bin/env python3
"""The motion of configs/seeds/coordinate_force_geared_drive.toml, to standard output: every 0.05 s for 2 s.

With the gear taken out (motor = i wheel) the drive is linear, y' = A y, once the reference signal and the load torque are states,
too: y(t + h) = exp(A h) y(t), by the series of the exponential in decimals of 60 digits. Nothing of Tenon is used.
"""

from decimal import Decimal, getcontext

getcontext().prec = 60

MOTOR, WHEEL, LOAD = Decimal("0.01"), Decimal("0.02"), Decimal("2")  # inertias
RATIO = Decimal("5")
STIFFNESS, DAMPING = Decimal("400"), Decimal("2")  # of the shaft
KP, KI, KD = Decimal("4"), Decimal("10"), Decimal("0.5")
SWING, FREQUENCY = Decimal("1"), Decimal("3")  # the load is to turn by SWING (1 - cos(FREQUENCY t))
FRICTION, TORQUE = Decimal("3"), Decimal("20")  # of the load; the torque comes at SWITCH
STEP, ROWS, SWITCH = Decimal("0.05"), 40, 20

# wheel angle, load angle, their rates, integral of the error, and what comes from outside: SWING cos, SWING sin, 1
W, L, DW, DL, INTEGRAL, COS, SIN, ONE = range(8)


def drive(torque):
    """A of y' = A y with this torque on the load."""
    A = [[Decimal(0)] * 8 for _ in range(8)]
    A[W][DW] = A[L][DL] = Decimal(1)
    A[COS][SIN], A[SIN][COS] = -FREQUENCY, FREQUENCY
    # error of the motor's angle: i (SWING - SWING cos) - i wheel; its rate i SWING FREQUENCY sin - i wheel'
    error, rate = [Decimal(0)] * 8, [Decimal(0)] * 8
    error[ONE], error[COS], error[W] = RATIO * SWING, -RATIO, -RATIO
    rate[SIN], rate[DW] = RATIO * FREQUENCY, -RATIO
    A[INTEGRAL] = error
    motor = [KP * e + KD * r for e, r in zip(error, rate)]
    motor[INTEGRAL] += KI
    shaft = [Decimal(0)] * 8  # on the load
    shaft[W], shaft[L], shaft[DW], shaft[DL] = STIFFNESS, -STIFFNESS, DAMPING, -DAMPING
    A[DW] = [(RATIO * m - s) / (RATIO**2 * MOTOR + WHEEL) for m, s in zip(motor, shaft)]
    A[DL] = [s / LOAD for s in shaft]
    A[DL][DL] -= FRICTION / LOAD
    A[DL][ONE] -= torque / LOAD
    return A, motor, shaft


def product(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def times(A, y):
    return [sum(a * b for a, b in zip(row, y)) for row in A]


def exponential(A, h):
    """The series of exp(A h / 1024), squared ten times."""
    n = len(A)
    small = [[a * h / 1024 for a in row] for row in A]
    term = [[Decimal(i == j) for j in range(n)] for i in range(n)]
    total = term
    for k in range(1, 40):
        term = [[a / k for a in row] for row in product(term, small)]
        total = [[a + b for a, b in zip(r, s)] for r, s in zip(total, term)]
    for _ in range(10):
        total = product(total, total)
    return total


def main():
    print("time,motor,motor_rate,load,load_rate,torque,shaft,tooth")
    y = [Decimal(0)] * 8
    y[COS], y[ONE] = SWING, Decimal(1)
    for row in range(ROWS + 1):
        A, motor, shaft = drive(TORQUE if row >= SWITCH else Decimal(0))
        E = exponential(A, STEP)
        torque = sum(a * b for a, b in zip(motor, y))
        on_load = sum(a * b for a, b in zip(shaft, y))
        # what the gear exerts on the wheel: J wheel'' = tooth - shaft
        tooth = WHEEL * sum(a * b for a, b in zip(A[DW], y)) + on_load
        values = RATIO * y[W], RATIO * y[DW], y[L], y[DL], torque, on_load, tooth
        print(",".join(f"{float(v):.16g}" for v in (row * STEP, *values)))
        y = times(E, y)


if __name__ == "__main__":
    main()

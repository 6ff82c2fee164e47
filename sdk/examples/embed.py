"""Two slider-cranks, stepped in turn from Python. usage: embed.py libtenon.so configs/seeds/input.toml"""
import sys
from ctypes import CDLL, byref, c_char_p, c_double, c_size_t, c_void_p
from itertools import zip_longest

tenon = CDLL(sys.argv[1])
tenon.tenon_reason.restype = c_char_p


def check(model, status):
    if status:
        sys.exit(tenon.tenon_reason(model).decode())


def turn(stiffness):
    """The angle of a crank after each step, rad; half-way its damper gets stronger, and its motor begins."""
    model, torque, crank, angle = c_void_p(), c_size_t(), c_size_t(), c_double()
    check(model, tenon.tenon_open_file(sys.argv[2].encode(), None, byref(model)))
    check(model, tenon.tenon_set_parameter(model, b"spring.stiffness", byref(c_double(stiffness)), c_size_t(1)))
    check(model, tenon.tenon_input_find(model, b"torque", byref(torque)))
    check(model, tenon.tenon_sensor_find(model, b"crank", byref(crank)))
    for step in range(500):
        if step == 250:
            check(model, tenon.tenon_set_parameter(model, b"spring.damping", byref(c_double(3)), c_size_t(1)))
            check(model, tenon.tenon_set_input(model, torque, c_double(0.5)))
        check(model, tenon.tenon_step(model))
        check(model, tenon.tenon_sensor_value(model, crank, byref(angle)))
        yield angle.value
    tenon.tenon_close(model)


soft, stiff = zip(*zip_longest(turn(1), turn(5)))  # step by step
assert (soft, stiff) == (tuple(turn(1)), tuple(turn(5)))  # to the last bit
print(f"the crank stands at {soft[-1]:.12g} rad with the soft spring, at {stiff[-1]:.12g} rad with the stiff one")

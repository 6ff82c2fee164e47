"""Two slider-cranks, stepped in turn from Python. usage: embed.py libtenon.so slider_crank.toml"""
import sys
from ctypes import CDLL, addressof, byref, c_char_p, c_double, c_size_t, c_void_p, sizeof

tenon = CDLL(sys.argv[1])
tenon.tenon_reason.restype = c_char_p
TORQUE = f"""[include]
files = ['{sys.argv[2]}']
[[input]]
name = 'torque'
unit = 'N m'
value = 0
[[element]]
name = 'motor'
type = 'torque'
markers = 'crank'
value = [0, 0, 'torque']
"""


def check(model, status):
    if status:
        sys.exit(tenon.tenon_reason(model).decode())


def turn(*stiffnesses):
    """The angles of the cranks after each step, rad; half-way their dampers get stronger, and their motors begin."""
    models, angles, value, motor, angle = [c_void_p() for _ in stiffnesses], [], c_double(), c_size_t(), c_size_t()
    for model, stiffness in zip(models, stiffnesses):
        override = c_char_p(b"element.spring.stiffness=%g" % stiffness)
        options = (c_size_t * 3)(3 * sizeof(c_size_t), addressof(override), 1)  # the first fields of tenon_options
        check(model, tenon.tenon_open_text(TORQUE.encode(), b"driven.toml", None, options, byref(model)))
        check(model, tenon.tenon_input_find(model, b"torque", byref(motor)))
        check(model, tenon.tenon_sensor_find(model, b"crank", byref(angle)))
    for step in range(500):
        for model in models:
            if step == 250:
                check(model, tenon.tenon_set_parameter(model, b"spring.damping", byref(c_double(3.0)), c_size_t(1)))
                check(model, tenon.tenon_set_input(model, motor, c_double(0.5)))
            check(model, tenon.tenon_step(model))
            check(model, tenon.tenon_sensor_value(model, angle, byref(value)))
            angles.append(value.value)
    for model in models:
        tenon.tenon_close(model)
    return angles


both, soft, stiff = turn(1, 5), turn(1), turn(5)
assert both[::2] == soft and both[1::2] == stiff  # to the last bit
print(f"the crank stands at {soft[-1]:.12g} rad with the soft spring, at {stiff[-1]:.12g} rad with the stiff one")

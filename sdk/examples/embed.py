"""Two slider-cranks, stepped in turn from Python. usage: embed.py libtenon.so slider_crank.toml"""
import ctypes
import sys

tenon = ctypes.CDLL(sys.argv[1])
tenon.tenon_reason.restype = ctypes.c_char_p
# the slider-crank with a torque on its crank that the program sets
DRIVEN = f"""[include]
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


def call(function, model, *rest):
    if function(model, *rest) != 0:
        sys.exit(tenon.tenon_reason(model).decode())


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("overrides", ctypes.POINTER(ctypes.c_char_p)),
                ("override_count", ctypes.c_size_t), ("plugin_paths", ctypes.POINTER(ctypes.c_char_p)),
                ("plugin_path_count", ctypes.c_size_t), ("solver", ctypes.c_char_p), ("results", ctypes.c_char_p),
                ("trust", ctypes.c_int32), ("check_only", ctypes.c_int32),
                ("sensors", ctypes.POINTER(ctypes.c_char_p)), ("sensor_count", ctypes.c_size_t)]


def turn(stiffnesses):
    """The angles of the cranks after each step, rad; half-way their dampers get stronger, and their motors begin."""
    models, angles, value, number = [], [], ctypes.c_double(), ctypes.c_size_t()
    for stiffness in stiffnesses:
        override = (ctypes.c_char_p * 1)(b"element.spring.stiffness=%g" % stiffness)
        model, options = ctypes.c_void_p(), Options(ctypes.sizeof(Options), override, 1)
        status = tenon.tenon_open_text(DRIVEN.encode(), b"driven.toml", None, ctypes.byref(options), ctypes.byref(model))
        models += [model] if status == 0 else sys.exit(tenon.tenon_reason(model).decode())
    for step in range(500):
        for model in models:
            if step == 250:
                call(tenon.tenon_set_parameter, model, b"spring.damping", ctypes.byref(ctypes.c_double(3.0)),
                     ctypes.c_size_t(1))
                call(tenon.tenon_input_find, model, b"torque", ctypes.byref(number))
                call(tenon.tenon_set_input, model, number, ctypes.c_double(0.5))
            call(tenon.tenon_step, model)
            call(tenon.tenon_sensor_find, model, b"crank", ctypes.byref(number))
            call(tenon.tenon_sensor_value, model, number, ctypes.byref(value))
            angles.append(value.value)
    for model in models:
        tenon.tenon_close(model)
    return angles


both, soft, stiff = turn([1, 5]), turn([1]), turn([5])
assert both[::2] == soft and both[1::2] == stiff  # to the last bit
print(f"the crank stands at {soft[-1]:.12g} rad with the soft spring, at {stiff[-1]:.12g} rad with the stiff one")

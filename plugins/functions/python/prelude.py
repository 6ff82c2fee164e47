"""What the plugin `python` brings along: numbers with derivatives, functions of math for them, and words for exceptions.

A Dual is a number and its derivatives by the numbers that a function gets. The functions of `math` that a script imports take both
plain numbers and these."""
import math as _math
import numbers as _numbers
import sys as _sys
import types as _types


class TimeLimit(BaseException):
    """A call has not ended in time."""


# ---- numbers with derivatives -------------------------------------------------------------------------------------


def _is_plain(x):
    return isinstance(x, (float, int)) or isinstance(x, _numbers.Real)


def _ratio(a, b):
    return a / b if b else _math.nan


class Dual:
    """A number, `value`, with its derivatives, `slopes`."""
    __slots__ = ("value", "slopes")

    def __init__(self, value, slopes):
        self.value = value
        self.slopes = slopes

    def __repr__(self):
        return f"Dual({self.value!r}, {list(self.slopes)!r})"

    def __add__(self, other):
        if type(other) is Dual:
            return Dual(self.value + other.value, [a + b for a, b in zip(self.slopes, other.slopes)])
        return Dual(self.value + other, self.slopes) if _is_plain(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if type(other) is Dual:
            return Dual(self.value - other.value, [a - b for a, b in zip(self.slopes, other.slopes)])
        return Dual(self.value - other, self.slopes) if _is_plain(other) else NotImplemented

    def __rsub__(self, other):
        return Dual(other - self.value, [-a for a in self.slopes]) if _is_plain(other) else NotImplemented

    def __mul__(self, other):
        if type(other) is Dual:
            x, y = self.value, other.value
            return Dual(x * y, [a * y + b * x for a, b in zip(self.slopes, other.slopes)])
        return _scaled(self.value * other, other, self) if _is_plain(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if type(other) is Dual:
            y = other.value
            q = self.value / y
            return Dual(q, [(a - q * b) / y for a, b in zip(self.slopes, other.slopes)])
        if not _is_plain(other):
            return NotImplemented
        return Dual(self.value / other, [a / other for a in self.slopes])

    def __rtruediv__(self, other):
        if not _is_plain(other):
            return NotImplemented
        q = other / self.value
        return _scaled(q, -q / self.value, self)

    def __pow__(self, other, modulus=None):
        if modulus is not None:
            return NotImplemented
        if type(other) is Dual:
            return _power(self, other)
        return _power_of(self, other) if _is_plain(other) else NotImplemented

    def __rpow__(self, other):
        if not _is_plain(other):
            return NotImplemented
        value = _real(other**self.value)
        return _scaled(value, _exponent_slope(other, self.value, value), self)

    def __mod__(self, other):
        return _modulo(self, other) if type(other) is Dual or _is_plain(other) else NotImplemented

    def __rmod__(self, other):
        return _modulo(other, self) if _is_plain(other) else NotImplemented

    def __floordiv__(self, other):
        return self.value // value_of(other) if type(other) is Dual or _is_plain(other) else NotImplemented

    def __rfloordiv__(self, other):
        return other // self.value if _is_plain(other) else NotImplemented

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __neg__(self):
        return Dual(-self.value, [-a for a in self.slopes])

    def __pos__(self):
        return self

    def __abs__(self):
        return fabs(self)

    def __eq__(self, other):
        return self.value == value_of(other)

    def __lt__(self, other):
        return self.value < value_of(other)

    def __le__(self, other):
        return self.value <= value_of(other)

    def __gt__(self, other):
        return self.value > value_of(other)

    def __ge__(self, other):
        return self.value >= value_of(other)

    __hash__ = None

    def __bool__(self):
        return self.value != 0.0

    # whole numbers do not vary between their jumps
    def __int__(self):
        return int(self.value)

    def __round__(self, digits=None):
        return round(self.value, digits)

    def __trunc__(self):
        return _math.trunc(self.value)

    def __floor__(self):
        return _math.floor(self.value)

    def __ceil__(self):
        return _math.ceil(self.value)

    def __float__(self):
        raise TypeError("with dual = true, a conversion to float loses derivatives: `x.value` is the plain number")


def value_of(x):
    return x.value if type(x) is Dual else x


def _scaled(value, slope, x):
    """The value of a function of x whose derivative is `slope`."""
    return Dual(value, [slope * a if a else 0.0 for a in x.slopes])


def _combined(value, *terms):
    """The value of a function of several numbers; terms: (derivative, number)."""
    terms = [(slope, x.slopes) for slope, x in terms if type(x) is Dual]
    if not terms:
        return value
    return Dual(value, [sum(column) for column in zip(*([s * a if a else 0.0 for a in slopes] for s, slopes in terms))])


def _real(x):
    if isinstance(x, complex):
        raise ValueError("a negative number to a power that is not whole")
    return x


def _exponent_slope(base, exponent, power):
    """Derivative of base**exponent by the exponent."""
    if base > 0.0:
        return power * _math.log(base)
    return 0.0 if base == 0.0 and exponent > 0.0 else _math.nan


def _base_slope(base, exponent):
    """Derivative of base**exponent by the base."""
    if exponent == 0.0:
        return 0.0
    if base == 0.0 and exponent < 1.0:
        return _math.nan
    return _real(exponent * base**(exponent - 1))


def _power_of(x, exponent):
    return _scaled(_real(x.value**exponent), _base_slope(x.value, exponent), x)


def _power(x, y):
    value = _real(x.value**y.value)
    return _combined(value, (_base_slope(x.value, y.value), x), (_exponent_slope(x.value, y.value, value), y))


def _modulo(x, y):
    a, b = value_of(x), value_of(y)
    return _combined(a % b, (1.0, x), (-(a // b), y))


# ---- functions of math ----------------------------------------------------------------------------------------------


def _digamma(x):
    """The derivative of log(gamma(x))."""
    if x <= 0.0:
        return _digamma(1.0 - x) - _math.pi / _math.tan(_math.pi * x)
    result = 0.0
    while x < 12.0:
        result -= 1.0 / x
        x += 1.0
    z = 1.0 / (x * x)
    series = z * (1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * 691 / 32760)))))
    return result + _math.log(x) - 0.5 / x - series


def _sign(x):
    return (x > 0.0) - (x < 0.0)


_root_pi = 2.0 / _math.sqrt(_math.pi)

# derivative by the argument x, where f is the value
_slopes = {
    "acos": lambda x, f: -_ratio(1.0, _math.sqrt(1.0 - x * x)),
    "acosh": lambda x, f: _ratio(1.0, _math.sqrt(x * x - 1.0)),
    "asin": lambda x, f: _ratio(1.0, _math.sqrt(1.0 - x * x)),
    "asinh": lambda x, f: 1.0 / _math.hypot(1.0, x),
    "atan": lambda x, f: 1.0 / (1.0 + x * x),
    "atanh": lambda x, f: _ratio(1.0, 1.0 - x * x),
    "cbrt": lambda x, f: _ratio(1.0, 3.0 * f * f),
    "cos": lambda x, f: -_math.sin(x),
    "cosh": lambda x, f: _math.sinh(x),
    "degrees": lambda x, f: _math.degrees(1.0),
    "erf": lambda x, f: _root_pi * _math.exp(-x * x),
    "erfc": lambda x, f: -_root_pi * _math.exp(-x * x),
    "exp": lambda x, f: f,
    "exp2": lambda x, f: f * _math.log(2.0),
    "expm1": lambda x, f: f + 1.0,
    "fabs": lambda x, f: float(_sign(x)),
    "gamma": lambda x, f: f * _digamma(x),
    "lgamma": lambda x, f: _digamma(x),
    "log10": lambda x, f: 1.0 / (x * _math.log(10.0)),
    "log1p": lambda x, f: 1.0 / (1.0 + x),
    "log2": lambda x, f: 1.0 / (x * _math.log(2.0)),
    "radians": lambda x, f: _math.radians(1.0),
    "sin": lambda x, f: _math.cos(x),
    "sinh": lambda x, f: _math.cosh(x),
    "sqrt": lambda x, f: _ratio(0.5, f),
    "tan": lambda x, f: 1.0 + f * f,
    "tanh": lambda x, f: 1.0 - f * f,
}


def _overload(function, slope):
    def of(x, /):
        if type(x) is not Dual:
            return function(x)
        value = function(x.value)
        return _scaled(value, slope(x.value, value), x)

    of.__name__ = of.__qualname__ = function.__name__
    return of


def log(x, base=_math.e):
    value = _math.log(value_of(x)) if base is _math.e else _math.log(value_of(x), value_of(base))
    if base is _math.e:
        return _combined(value, (1.0 / value_of(x), x))
    scale = _math.log(value_of(base))
    return _combined(value, (1.0 / (value_of(x) * scale), x), (-value / (value_of(base) * scale), base))


def pow(x, y, /):
    value = _math.pow(value_of(x), value_of(y))
    if type(x) is not Dual and type(y) is not Dual:
        return value
    terms = []
    if type(x) is Dual:
        terms.append((_base_slope(x.value, value_of(y)), x))
    if type(y) is Dual:
        terms.append((_exponent_slope(value_of(x), y.value, value), y))
    return _combined(value, *terms)


def atan2(y, x, /):
    a, b = value_of(y), value_of(x)
    square = a * a + b * b
    return _combined(_math.atan2(a, b), (_ratio(b, square), y), (_ratio(-a, square), x))


def hypot(*numbers):
    value = _math.hypot(*map(value_of, numbers))
    return _combined(value, *((_ratio(value_of(x), value), x) for x in numbers))


def dist(p, q, /):
    p, q = list(p), list(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return hypot(*(a - b for a, b in zip(p, q)))


def copysign(x, y, /):
    a = value_of(x)
    value = _math.copysign(a, value_of(y))
    return _combined(value, (1.0 if value == a else -1.0, x))


def fmod(x, y, /):
    a, b = value_of(x), value_of(y)
    return _combined(_math.fmod(a, b), (1.0, x), (-float(_math.trunc(a / b)), y))


def remainder(x, y, /):
    a, b = value_of(x), value_of(y)
    value = _math.remainder(a, b)
    return _combined(value, (1.0, x), (-round((a - value) / b), y))


def modf(x, /):
    fraction, whole = _math.modf(value_of(x))
    return _combined(fraction, (1.0, x)), whole


def frexp(x, /):
    mantissa, exponent = _math.frexp(value_of(x))
    return _combined(mantissa, (_math.ldexp(1.0, -exponent), x)), exponent


def ldexp(x, i, /):
    return _combined(_math.ldexp(value_of(x), i), (_math.ldexp(1.0, i), x))


def fsum(numbers, /):
    numbers = list(numbers)
    return _combined(_math.fsum(map(value_of, numbers)), *((1.0, x) for x in numbers))


def prod(numbers, /, *, start=1):
    result = start
    for x in numbers:
        result = result * x
    return result


def sumprod(p, q, /):
    return fsum(a * b for a, b in zip(list(p), list(q), strict=True))


def _of_value(function):
    def of(*numbers, **options):
        return function(*map(value_of, numbers), **options)

    return of


dual_math = _types.ModuleType("math", _math.__doc__)
dual_math.__dict__.update({name: _math.__dict__[name] for name in dir(_math)})
for _name, _slope in _slopes.items():
    if hasattr(_math, _name):
        setattr(dual_math, _name, _overload(getattr(_math, _name), _slope))
        setattr(Dual, _name, _overload(getattr(_math, _name), _slope))  # numpy calls methods of what arrays hold
for _name in ("isfinite", "isinf", "isnan", "isclose"):
    setattr(dual_math, _name, _of_value(getattr(_math, _name)))
for _function in (log, pow, atan2, hypot, dist, copysign, fmod, remainder, modf, frexp, ldexp, fsum, prod, sumprod):
    if hasattr(_math, _function.__name__):
        setattr(dual_math, _function.__name__, _function)
for _name, _function in (("log", log), ("arctan2", atan2), ("hypot", hypot), ("fmod", fmod), ("copysign", copysign)):
    setattr(Dual, _name, _function)
for _name, _own in (("arccos", "acos"), ("arcsin", "asin"), ("arctan", "atan"), ("arccosh", "acosh"),
                    ("arcsinh", "asinh"), ("arctanh", "atanh")):
    setattr(Dual, _name, getattr(Dual, _own))
fabs = dual_math.fabs


def make_duals(numbers):
    """Numbers whose derivatives are those by themselves."""
    count = len(numbers)
    return [Dual(x, [0.0] * k + [1.0] + [0.0] * (count - 1 - k)) for k, x in enumerate(numbers)]


def split_dual(result, count):
    """The value and the derivatives of what a function has returned."""
    if getattr(result, "size", None) == 1 and hasattr(result, "item"):
        result = result.item()  # of an array of numpy
    return (result.value, result.slopes) if type(result) is Dual else (result, [0.0] * count)


# ---- splines ----------------------------------------------------------------------------------------------------------


def _spline(method):
    """Of one method: cubspl(x, z, signal, order), also CUBSPL, and py_cubspl with a list of three and a flag."""
    def of(x, z, signal, order=0):
        value, slope = functions["spline"](method, value_of(x), value_of(z), signal, order)
        return _scaled(value, slope, x) if type(x) is Dual else value

    def flagged(x, z, signal, order):
        return [of(x, z, signal, order), 0.0, 0.0], 0

    return of, of, flagged


_splines = {}
for _number, _name in enumerate(("akispl", "cubspl", "linspl", "quispl")):  # as tn_user_methods has them
    _splines.update(zip((_name, _name.upper(), "py_" + _name), _spline(_number)))


# ---- scripts ----------------------------------------------------------------------------------------------------------


def _import_dual(name, globals=None, locals=None, fromlist=(), level=0):
    return dual_math if name == "math" and level == 0 else __import__(name, globals, locals, fromlist, level)


def make_namespace(path, dual):
    """The globals of a script, in which nothing of it has run yet."""
    import builtins, os
    name = os.path.splitext(os.path.basename(path))[0]
    names = dict(functions, **_splines, __name__=name, __file__=path, __builtins__=builtins)
    del names["write"], names["spline"]
    if dual:
        names["__builtins__"] = dict(vars(builtins), __import__=_import_dual)
    return names


_codes = {}  # by path and text: many instances may run one script


def run_script(path, names):
    """Runs the text of a script, which finds modules beside it."""
    import os
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in _sys.path:
        _sys.path.insert(0, folder)
    with open(path, "rb") as file:
        text = file.read()
    if (path, text) not in _codes:
        _codes[path, text] = compile(text, path, "exec")
    exec(_codes[path, text], names)


def nearest_function(name, names):
    """The function of a script whose name is most like `name`, or None."""
    import difflib
    known = [key for key, what in names.items() if callable(what) and not key.startswith("_")]
    lower = {key.lower(): key for key in reversed(known)}
    near = difflib.get_close_matches(name.lower(), lower, 1)
    return lower[near[0]] if near else None


def _is_of_library(file):
    import sysconfig
    return file.startswith((sysconfig.get_path("stdlib"), "<")) or "/site-packages/" in file or "/dist-packages/" in file


def explain(error):
    """An exception as `script.py:12: in spring: ZeroDivisionError: float division by zero`."""
    import traceback
    words = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1]
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {words}"
    if isinstance(error, TimeLimit):
        words = "it has not ended within its limit of time (`limit`)"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    if not frames:
        return words
    # the line that the user has written, where a library has raised it
    last = ([frame for frame in frames if not _is_of_library(frame.filename)] or frames)[-1]
    where = f" in {last.name}:" if last.name != "<module>" else ""
    return f"{last.filename}:{last.lineno}:{where} {words}"


class Messages:
    """Takes the place of standard output: what is printed becomes messages of the run, line by line."""
    encoding, errors = "utf-8", "replace"
    write = staticmethod(functions["write"])

    def flush(self):
        pass

    def writable(self):
        return True

    def isatty(self):
        return False


if owned:  # and not a program written in Python, which prints by itself
    _sys.stdout = _sys.stderr = Messages()

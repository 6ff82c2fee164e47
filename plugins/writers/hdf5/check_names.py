"""Checks the names of test_odd_names(). usage: check_names.py FOLDER; status 77: h5py is not installed"""
import sys

try:
    import h5py
except ImportError:
    sys.exit(77)
file = h5py.File(sys.argv[1] + "/results.h5")
assert sorted(file["sensors"]) == ["a_b", "a_b_2", "time", "time_2"]
assert file["sensors/a_b"].attrs["sensor"] == "a/b" and file["sensors/a_b_2"].attrs["sensor"] == "a_b"
assert file["sensors/time_2"].attrs["sensor"] == "time"
assert list(file["bodies/names"].asstr()[:]) == ["a/b \"quoted\" <&> 'x'", "B\u00e4r.\u8eca", "line\nbreak\\.]]>"]
assert list(file["wrenches/names"].asstr()[:]) == [". /.."]
assert file.attrs["title"] == "</script> & \"title\" \u20ac"

"""Checks that h5py and xarray read a file with COUNT rows and frames. usage: check_empty.py FOLDER COUNT; status 77: they are not installed"""
import sys

try:
    import h5py
    import netCDF4  # noqa: F401
    import xarray
except ImportError:
    sys.exit(77)
path, count = sys.argv[1] + "/results.h5", int(sys.argv[2])
assert h5py.File(path)["bodies/quaternion"].shape == (count, 3, 4)
assert xarray.open_dataset(path, group="bodies", engine="netcdf4").sizes["time"] == count
assert xarray.open_dataset(path, group="sensors", engine="netcdf4")["spike"].shape == (count,)

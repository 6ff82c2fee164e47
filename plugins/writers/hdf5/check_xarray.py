"""Checks results.h5 of the test recording, read by xarray through NetCDF. usage: check_xarray.py FOLDER; status 77: xarray is not installed"""
import sys

try:
    import netCDF4  # noqa: F401
    import xarray
except ImportError:
    sys.exit(77)

path = sys.argv[1] + "/results.h5"
sensors = xarray.open_dataset(path, group="sensors", engine="netcdf4")
assert sensors["count"].dims == ("time",) and sensors["count"].attrs["units"] == "m"
assert float(sensors["count"].sel(time=5.0)) == (sensors.sizes["time"] - 1) / 2
assert sensors["pair"].dims == ("time", "component_of_2") and list(sensors["pair"].attrs["units"]) == ["m", "rad"]
bodies = xarray.open_dataset(path, group="bodies", engine="netcdf4")
assert bodies["position"].dims == ("time", "names", "axis")
assert abs(float(bodies["position"].sel(names="bob", axis="z")[3]) + 1) < 1e-12
assert bodies["quaternion"].dims == ("time", "names", "part")
events = xarray.open_dataset(path, group="events", engine="netcdf4")
assert list(events["text"].values) == ['a </script> & "quoted" warning', "breaks"]
modes = xarray.open_dataset(path, group="modes", engine="netcdf4")
assert float(modes["displacement"].sel(names="arm", motion="z", part="real")[0]) == 1

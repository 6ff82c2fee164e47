"""Reads the files of runs by VTK: as many frames as vtk.pvd lists, with the points and arrays of all bodies; surfaces with colours.
usage: check_model.py FOLDER ...; 77: there is no VTK"""
import math
import pathlib
import sys
import xml.etree.ElementTree as tree

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    sys.exit(77)


def read(path):
    reader = vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.SetFileName(str(path))
    reader.Update()
    assert not errors, path
    return reader.GetOutput()


def check_bodies(data, time, where):
    point, listed = data.GetPointData(), data.GetFieldData().GetAbstractArray("names")
    assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == time, where
    assert data.GetNumberOfPoints() == listed.GetNumberOfValues() > 0, where
    for k in range(data.GetNumberOfPoints()):
        assert all(math.isfinite(x) for x in data.GetPoint(k)), where
        assert abs(sum(q * q for q in point.GetArray("quaternion").GetTuple4(k)) - 1) < 1e-9, where
        assert all(math.isfinite(x) for x in point.GetArray("force").GetTuple3(k)), where
        assert all(math.isfinite(x) for x in point.GetArray("torque").GetTuple3(k)), where


for folder in map(pathlib.Path, sys.argv[1:]):
    sets = tree.parse(folder / "vtk.pvd").getroot().find("Collection").findall("DataSet")
    bodies = [s for s in sets if s.get("part") == "0"]
    skins = [s for s in sets if s.get("part") == "1"]
    times = [float(s.get("timestep")) for s in bodies]
    assert len(bodies) == len(skins) > 1 and times == sorted(times), folder
    assert all((folder / s.get("file")).is_file() for s in sets), folder
    for k in sorted({0, len(bodies) // 2, len(bodies) - 1}):
        check_bodies(read(folder / bodies[k].get("file")), times[k], folder)
        skin = read(folder / skins[k].get("file"))
        color = skin.GetPointData().GetArray("color")
        assert skin.GetNumberOfCells() > 0 and color.GetNumberOfTuples() == skin.GetNumberOfPoints(), folder

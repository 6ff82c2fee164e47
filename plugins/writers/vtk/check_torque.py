"""Checks the torque of a force that acts 2 m along y from the origin of a body. usage: check_torque.py FOLDER; status 77: VTK is not
installed"""
import math
import sys

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    sys.exit(77)
reader = vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1] + "/vtk_000001.vtp")
reader.Update()
torque = reader.GetOutput().GetPointData().GetArray("torque").GetTuple3(1)
assert all(abs(a - b) < 1e-9 for a, b in zip(torque, (2 * -9.81, 0, -2 * 10 * math.sin(5)))), torque

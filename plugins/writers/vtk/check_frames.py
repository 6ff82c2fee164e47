"""Compares the files of the test recording (tests/support/test_recording.h), read by VTK, with its formulas.
usage: check_frames.py FOLDER FRAMES SURFACES [NAMES]; status 77: VTK is not installed"""
import math
import pathlib
import sys
import xml.etree.ElementTree as tree

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    sys.exit(77)

folder, frames, surfaces = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
names = sys.argv[4:] or ["arm", "bob", "car.wheel"]


def read(name):
    reader = vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.SetFileName(str(folder / name))
    reader.Update()
    assert not errors, name
    return reader.GetOutput()


def near(a, b, within, what):
    assert len(a) == len(b) and all(abs(x - y) <= within for x, y in zip(a, b)), (what, a, b)


sets = tree.parse(folder / "vtk.pvd").getroot().find("Collection").findall("DataSet")
bodies = [s for s in sets if s.get("part") == "0"]
skins = [s for s in sets if s.get("part") == "1"]
assert len(bodies) == frames and len(skins) == (frames if surfaces else 0), (len(bodies), len(skins))
for k, entry in enumerate(bodies):
    t, data = float(entry.get("timestep")), read(entry.get("file"))
    assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == t
    listed = data.GetFieldData().GetAbstractArray("names")
    assert [listed.GetValue(i) for i in range(listed.GetNumberOfValues())] == names
    assert data.GetNumberOfPoints() == data.GetNumberOfVerts() == 3
    point = data.GetPointData()
    near(data.GetPoint(0), (0.5 * math.cos(t), 0, -0.5 * math.sin(t)), 1e-9, t)
    near(data.GetPoint(1), (0.2 * math.sin(3 * t), 0, -1), 1e-9, t)
    assert [point.GetArray("body").GetValue(i) for i in range(3)] == [0, 1, 2]
    near(point.GetArray("quaternion").GetTuple4(0), (math.cos(t / 2), 0, math.sin(t / 2), 0), 1e-9, t)
    force = point.GetArray("force").GetTuple3(1)
    if not (k == frames - 1 and all(math.isnan(x) for x in force)):  # not recorded
        near(force, (10 * math.sin(t), 0, -9.81), 1e-9, t)
    near(point.GetArray("force").GetTuple3(0), (0, 0, 0), 0, t)
for entry in skins[:: max(1, len(skins) // 5)]:
    t, data = float(entry.get("timestep")), read(entry.get("file"))
    body, color = data.GetPointData().GetArray("body"), data.GetPointData().GetArray("color")
    assert body.GetNumberOfTuples() == data.GetNumberOfPoints() and data.GetNumberOfPolys() > 100
    found = {i: [] for i in (-1, 0, 1, 2)}
    for i in range(data.GetNumberOfPoints()):
        found[body.GetValue(i)].append(i)
    box = found[0][:8]  # the first drawing
    middle = [sum(data.GetPoint(i)[d] for i in box) / 8 for d in range(3)]
    near(middle, (0.5 * math.cos(t), 0, -0.5 * math.sin(t)), 1e-6, "box")
    assert color.GetTuple3(box[0]) == (204, 128, 26)
    half = math.sqrt(0.25 + 0.0025 + 0.0025)
    for i in box:
        near([math.dist(data.GetPoint(i), middle)], [half], 1e-6, "corner")
    for i in found[1]:
        near([math.dist(data.GetPoint(i), (0.2 * math.sin(3 * t), 0, -1))], [0.1], 1e-6, "bob")
    assert found[2] and found[-1]
    # the spring is a line, from the arm to the bob
    assert data.GetNumberOfLines() == 1
    cells = [data.GetCell(i) for i in range(data.GetNumberOfCells()) if data.GetCellType(i) == 4]
    ids = [cells[0].GetPointId(i) for i in range(cells[0].GetNumberOfPoints())]
    assert len(ids) == 66 and all(body.GetValue(i) == 0 for i in ids)
    for i, place in ((ids[0], (math.cos(t), 0, -math.sin(t))), (ids[-1], (0.2 * math.sin(3 * t), 0, -1))):
        near([math.dist(data.GetPoint(i), place)], [0.05], 1e-5, "spring")

/* broken_models.c - models broken on purpose (see broken_models.h) */
#include "broken_models.h"

#include <stddef.h>

#define GRAVITY "[model]\ngravity = [0, -9.81, 0]\n"
#define ELEMENT(name, type) "[[element]]\nname = '" name "'\ntype = '" type "'\n"
#define POINT(name, mass, position, more) \
    ELEMENT(name, "mass_point") "mass = " mass "\nposition = " position "\n" more
#define BODY(name, inertia, position, more) \
    ELEMENT(name, "rigid_body") "mass = 1\ninertia = " inertia "\nposition = " position "\n" more
#define SPRING(name, markers, stiffness, more) \
    ELEMENT(name, "spring_damper") "markers = [" markers "]\nstiffness = " stiffness "\n" more
#define FORCE(name, marker, value) ELEMENT(name, "force") "markers = [" marker "]\nvalue = " value "\n"
#define HINGE(name, markers) ELEMENT(name, "revolute") "markers = [" markers "]\n"
#define MOTION(name, joint, value) ELEMENT(name, "motion") "joint = '" joint "'\nvalue = " value "\n"
#define SOLVER(type, end, more) "[solver]\ntype = '" type "'\nend_time = " end "\n" more

/* What is broken, the model, and what a message says that names the cause. */
const tn_broken_model tn_broken_models[] = {
    {"a spring too stiff for explicit steps",
     POINT("m", "1", "[1.1,0,0]", "") SPRING("soft", "'ground', 'm'", "10", "reference_length=1\n")
         POINT("n", "1", "[0,1.1,0]", "") SPRING("rod", "'ground', 'n'", "100000000.0",
                                                 "reference_length=1\n") SOLVER("rk", "1", "step=1e-3\n"),
     {"rod", "too stiff", "stiffness"}},
    {"a spring that pushes, explicit steps",
     POINT("m", "1", "[1.1,0,0]", "") SPRING("pusher", "'ground', 'm'", "400",
                                             "reference_length=1\nforce_function = '-stiffness*deltaL'\n")
         SOLVER("rk", "60", "step=1e-3\n"),
     {"pusher", "negative spring"}},
    {"a spring that pushes, implicit steps",
     POINT("m", "1", "[1.1,0,0]", "") SPRING("pusher", "'ground', 'm'", "400",
                                             "reference_length=1\nforce_function = '-stiffness*deltaL'\n")
         SOLVER("generalized_alpha", "60", "step=1e-3\n"),
     {"pusher", "negative spring"}},
    {"a damper that feeds energy in",
     POINT("m", "1", "[1.1,0,0]", "")
         SPRING("pump", "'ground', 'm'", "100",
                "reference_length=1\ndamping=20\nforce_function = 'stiffness*deltaL - damping*deltaL_t'\n")
             SOLVER("rk", "100", "step=1e-3\n"),
     {"pump", "negative damper"}},
    {"a force that feeds energy in, adaptive steps",
     POINT("m", "1", "[1,0,0]", "") FORCE("amplifier", "'m'", "['50*VX(m)+DX(m)',0,0]")
         SOLVER("gsl_ode", "30", "tolerance=1e-6\n"),
     {"amplifier", "negative damper"}},
    {"a damper too strong for explicit steps",
     POINT("m", "1", "[1.1,0,0]", "velocity=[1,0,0]\n")
         SPRING("dashpot", "'ground', 'm'", "1", "reference_length=1\ndamping=1e5\n")
             SOLVER("rk", "1", "step=1e-3\n"),
     {"dashpot", "too stiff", "damping"}},
    {"a stiffness in the wrong unit",
     BODY("arm", "[0.01, 0.1, 0.1]", "[0.5,0,0]", "")
         HINGE("hinge", "'ground', { element = 'arm', position = [-0.5,0,0] }") SPRING(
             "wire", "{ element = 'ground', position = [1,1,0] }, { element = 'arm', position = [0.5,0,0] }",
             "1e12", "reference_length=0.9\n") SOLVER("rk", "1", "step=1e-4\n"),
     {"wire", "unit of its stiffness"}},
    {"a stiff bushing, explicit steps",
     BODY("b", "[0.01, 0.1, 0.1]", "[1,0,0]", "") "[[element]]\n"
                                                  "name='mount'\n"
                                                  "type='linear_bushing'\n"
                                                  "markers=['ground',{element='b',position=[-1,0,0]}]\n"
                                                  "stiffness=[1e9,1e9,1e9,1e6,1e6,1e6]\n" FORCE("push", "'b'",
                                                                                                "[0,1,0]")
                                                      SOLVER("rk", "1", "step=1e-3\n"),
     {"mount", "too stiff"}},
    {"a stiff shaft, explicit steps",
     BODY("disc", "[1e-3,1e-3,1e-3]", "[0,0,0]", "angular_velocity=[0,0,1]\n")
         HINGE("axle", "'ground', 'disc'") "[[element]]\n"
                                           "name='shaft'\n"
                                           "type='torsional_spring_damper'\n"
                                           "markers=['ground','disc']\n"
                                           "stiffness=1e7\n" SOLVER("rk", "1", "step=1e-3\n"),
     {"shaft", "too stiff"}},
    {"a method of order 1 for an undamped oscillation",
     POINT("m", "1", "[1.1,0,0]", "") SPRING("s", "'ground', 'm'", "100", "reference_length=1\n")
         SOLVER("rk", "10", "step=0.03\norder=1\n"),
     {"`s`", "coarse"}},
    {"a body nearly without mass",
     POINT("a", "1", "[1,0,0]", "") POINT("nut", "1e-9", "[2,0,0]", "")
         SPRING("s1", "'ground', 'a'", "100", "") SPRING("s2", "'a', 'nut'", "100", "reference_length=0.9\n")
             SOLVER("rk", "1", "step=1e-3\n"),
     {"nut", "nearly vanishes"}},
    {"a body nearly without inertia about an axis",
     BODY("needle", "[1e-12,1,1]", "[0,0,0]",
          "angular_velocity=[0,1,1]\n") "[[element]]\n"
                                        "name='t'\n"
                                        "type='torque'\n"
                                        "markers=['needle']\n"
                                        "value=[1,0,0]\n" SOLVER("rk", "1", "step=1e-3\n"),
     {"needle", "nearly vanishes"}},
    {"a division by zero at the start",
     POINT("m", "1", "[0,0,0]", "") FORCE("pull", "'m'", "['1/DX(m)',0,0]") SOLVER("rk", "1", "step=1e-3\n"),
     {"pull", "division by zero"}},
    {"a pole that the motion comes to, rk",
     POINT("m", "1", "[1,0,0]", "velocity=[-1,0,0]\n") FORCE("pull", "'m'", "['-1/(DX(m))**2',0,0]")
         SOLVER("rk", "2", "tolerance=1e-6\n"),
     {"pull", "pole"}},
    {"a pole that the motion comes to, gsl_ode",
     POINT("m", "1", "[1,0,0]", "velocity=[-1,0,0]\n") FORCE("pull", "'m'", "['-0.1/DX(m)**3',0,0]")
         SOLVER("gsl_ode", "2", "tolerance=1e-6\n"),
     {"pull", "pole"}},
    {"the root of a negative number",
     POINT("m", "1", "[1,0,0]", "velocity=[-1,0,0]\n") FORCE("drag", "'m'", "['-SQRT(DX(m))',0,0]")
         SOLVER("generalized_alpha", "2", "step=1e-3\n"),
     {"drag", "SQRT"}},
    {"the logarithm of a negative number",
     POINT("m", "1", "[1,0,0]", "velocity=[-2,0,0]\n") FORCE("gas", "'m'", "['LOG(DX(m))',0,0]")
         SOLVER("rk", "2", "tolerance=1e-5\n"),
     {"gas", "LOG"}},
    {"an angle whose sine is beyond 1",
     POINT("m", "1", "[0,0,0]", "velocity=[2,0,0]\n") FORCE("servo", "'m'", "['-0.1*ASIN(DX(m))',0,0]")
         SOLVER("gsl_ode", "2", "tolerance=1e-5\n"),
     {"servo", "ASIN"}},
    {"a power of a negative number",
     POINT("m", "1", "[1,0,0]", "velocity=[-2,0,0]\n") FORCE("gas", "'m'", "['DX(m)**1.5',0,0]")
         SOLVER("generalized_alpha", "2", "step=1e-3\n"),
     {"gas", "power of a negative"}},
    {"an exponential that overflows",
     POINT("m", "1", "[0,0,0]", "velocity=[1,0,0]\n") FORCE("diode", "'m'", "['EXP(40*DX(m))',0,0]")
         SOLVER("rk", "10", "step=1e-3\n"),
     {"diode", "grown beyond all bounds"}},
    {"a delayed force of high gain",
     POINT("m", "1", "[1,0,0]", "") FORCE("late", "'m'", "['-200*DELAY(DX(m),0.2,1)-0*VX(m)',0,0]")
         SOLVER("rk", "200", "step=1e-2\n"),
     {"late", "grown beyond all bounds", "delays"}},
    {"a spring of length zero",
     POINT("m", "1", "[0,0,0]", "") SPRING("coil", "'ground', 'm'", "100", "reference_length=1\n")
         SOLVER("generalized_alpha", "1", "step=1e-3\n"),
     {"coil", "length zero"}},
    {"two motions of one hinge",
     BODY("rod", "[0.01, 0.1, 0.1]", "[0.5,0,0]", "") HINGE(
         "hinge", "'ground', { element = 'rod', position = [-0.5,0,0] }") MOTION("drive", "hinge", "'time'")
         MOTION("other", "hinge", "'2*time'") SOLVER("generalized_alpha", "1", "step=1e-3\n"),
     {"drive", "other", "contradict"}},
    {"two distances between the same points",
     POINT("m", "1", "[1,0,0]", "") "[[element]]\n"
                                    "name='rod1'\n"
                                    "type='distance'\n"
                                    "markers=['ground','m']\n"
                                    "length=1\n"
                                    "[[element]]\n"
                                    "name='rod2'\n"
                                    "type='distance'\n"
                                    "markers=['ground','m']\n"
                                    "length=2\n" SOLVER("generalized_alpha", "1", "step=1e-3\n"),
     {"rod1", "rod2", "contradict"}},
    {"two hinges of a rigid bar, too far apart",
     BODY("a", "[0.01, 0.1, 0.1]", "[0.5,0,0]", "")
         HINGE("left", "'ground', { element = 'a', position = [-0.5,0,0] }") HINGE(
             "right", "{ element = 'ground', position = [1.5,0,0] }, { element = 'a', position = [0.5,0,0] }")
             SOLVER("generalized_alpha", "1", "step=1e-3\n"),
     {"left", "right", "contradict"}},
    {"a four-bar driven beyond where it locks",
     BODY("crank", "[0.01, 0.1, 0.1]", "[0,0.5,0]",
          "") HINGE("A", "'ground', { element = 'crank', position = [0,-0.5,0] }")
         BODY("coupler", "[0.01, 0.1, 0.1]", "[0.95,0.9,0]", "") HINGE(
             "B",
             "{ element = 'crank', position = [0,0.5,0] }, { element = 'coupler', position = [-0.95,0.1,0] }")
             BODY("rocker", "[0.01, 0.1, 0.1]", "[2.2,0.4,0]",
                  "") "[[element]]\n"
                      "name='C'\n"
                      "type='revolute'\n"
                      "markers=[{element='coupler',position=[0.95,-0.1,0]},{element='rocker',position=[-0.3,"
                      "0.4,0]}]\n" HINGE("D", "{ element = 'rocker', position = [0.3,-0.4,0] }, { element = "
                                              "'ground', position = [2.5,0,0] }")
                          MOTION("drive", "A", "'time'") SOLVER("generalized_alpha", "3", "step=1e-3\n"),
     {"singular position"}},
    {"a four-bar started stretched, without a motion",
     GRAVITY BODY("a", "[0.01, 0.1, 0.1]", "[0.5,0,0]",
                  "") HINGE("A", "'ground', { element = 'a', position = [-0.5,0,0] }")
         BODY("c", "[0.01, 0.1, 0.1]", "[1.5,0,0]", "") HINGE(
             "B", "{ element = 'a', position = [0.5,0,0] }, { element = 'c', position = [-0.5,0,0] }")
             BODY("b", "[0.01, 0.1, 0.1]", "[2.5,0,0]", "") HINGE(
                 "C", "{ element = 'c', position = [0.5,0,0] }, { element = 'b', position = [-0.5,0,0] }")
                 HINGE("D",
                       "{ element = 'b', position = [0.5,0,0] }, { element = 'ground', position = [3,0,0] }")
                     SOLVER("generalized_alpha", "1", "step=1e-3\n"),
     {"singular position"}},
    {"a chain started stretched, with a motion",
     GRAVITY BODY("a", "[0.01, 0.1, 0.1]", "[0.5,0,0]", "")
         HINGE("A", "'ground', { element = 'a', position = [-0.5,0,0] }")
             POINT("p", "1", "[2,0,0]", "") "[[element]]\n"
                                            "name='link'\n"
                                            "type='distance'\n"
                                            "markers=[{element='a',position=[0.5,0,0]},'p']\n"
                                            "[[element]]\n"
                                            "name='hold'\n"
                                            "type='distance'\n"
                                            "markers=[{element='ground',position=[3.9,0,0]},'p']\n" MOTION(
                                                "drive", "A", "'3*time'")
                                                SOLVER("generalized_alpha", "2", "step=1e-3\n"),
     {"singular position"}},
    {"a tolerance below round-off",
     POINT("m", "1", "[1.1,0,0]", "") SPRING("s", "'ground', 'm'", "100", "reference_length=1\n")
         SOLVER("rk", "10", "relative_tolerance=1e-17\nabsolute_tolerance=1e-20\n"),
     {"`m`", "out of reach"}},
    {"positions so large that a tolerance is below their round-off",
     POINT("sat", "1", "[1e9,0,0]", "")
         SPRING("s", "{ element = 'ground', position = [1e9,1,0] }, 'sat'", "100", "reference_length=0.5\n")
             SOLVER("rk", "10", "relative_tolerance=1e-18\nabsolute_tolerance=1e-12\n"),
     {"sat", "out of reach"}},
    {"a shortest step longer than is needed",
     POINT("m", "1", "[1.1,0,0]", "") SPRING("wire", "'ground', 'm'", "1e8", "reference_length=1\n")
         SOLVER("rk", "1", "tolerance=1e-8\nmin_step=1e-3\n"),
     {"min_step", "`m`"}},
    {"a body that turns far in a step, order 4",
     BODY("rotor", "[0.2,0.15,0.1]", "[0,0,0]", "angular_velocity=[3,400,0.1]\n")
         SOLVER("rk", "5", "step=0.01\n"),
     {"rotor", "turns by"}},
    {"a body that turns far in a step, order 2",
     BODY("rotor", "[0.2,0.15,0.1]", "[0,0,0]", "angular_velocity=[300,4,0.1]\n")
         SOLVER("rk", "5", "step=0.02\norder=2\n"),
     {"rotor", "turns by"}},
    {"contact with too large a step, explicit",
     GRAVITY POINT("ball", "1", "[0,1,0]", "")
         FORCE("floor", "'ball'", "[0,'IMPACT(DY(ball), VY(ball), 0, 1e8, 1.5, 0, 1e-4)',0]")
             SOLVER("rk", "3", "step=5e-3\n"),
     {"floor", "switches"}},
    {"contact with too large a step, implicit",
     GRAVITY POINT("ball", "1", "[0,1,0]", "")
         FORCE("floor", "'ball'", "[0,'IMPACT(DY(ball), VY(ball), 0, 1e8, 1.5, 0, 1e-4)',0]")
             SOLVER("generalized_alpha", "3", "step=1e-2\n"),
     {"floor", "switches"}},
    {"a force that jumps, implicit steps",
     POINT("m", "1", "[1.1,0,0]", "") SPRING("s", "'ground', 'm'", "100", "reference_length=1\n")
         FORCE("bang", "'m'", "['IF(DX(m)-1.05: 0, 0, -1e9*(DX(m)-1.05)-1e7)',0,0]")
             SOLVER("generalized_alpha", "1", "step=1e-2\n"),
     {"bang", "switches"}},
    {"a relay that chatters",
     POINT("m", "1", "[1,0,0]", "velocity=[0.1,0,0]\n")
         FORCE("relay", "'m'", "['-1e6*SIGN(1, DX(m)-1+0.001*VX(m))',0,0]")
             SOLVER("gsl_ode", "1", "tolerance=1e-6\n"),
     {"relay", "jump of its SIGN"}},
    {"dry friction that holds, steps of a fixed length",
     POINT("m", "1", "[0,0,0]", "velocity=[1,0,0]\n") FORCE(
         "brake", "'m'", "['-1e5*SIGN(1,VX(m))+DX(m)',0,0]") SOLVER("generalized_alpha", "1", "step=1e-2\n"),
     {"brake", "jump of its SIGN"}},
    {"an equation without a solution",
     POINT("m", "1", "[1,0,0]", "") "[[element]]\n"
                                    "name='loop'\n"
                                    "type='reference_variable'\n"
                                    "expression='VARVAL(loop)**2 + 1'\n"
                                    "implicit=true\n" FORCE("f", "'m'", "['VARVAL(loop)',0,0]")
                                        SOLVER("generalized_alpha", "1", "step=1e-3\n"),
     {"loop", "no solution"}},
    {"a force as large as the mass times the acceleration that it reads",
     POINT("m", "1", "[1,0,0]", "") FORCE("f", "'m'", "['1+ACCX(m)',0,0]")
         SOLVER("generalized_alpha", "1", "step=1e-3\n"),
     {"`f`", "break the loop"}},
};

const size_t tn_broken_count = sizeof tn_broken_models / sizeof *tn_broken_models;

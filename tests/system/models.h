/* models.h - bodies and points with every connector in every form: one and two markers, on bodies, points
 * and the ground, offset and turned, in axes of their own and of others. */
#ifndef TENON_TESTS_SYSTEM_MODELS_H
#define TENON_TESTS_SYSTEM_MODELS_H

#include <tenon/status.h>

#define GRAVITY "[model]\ngravity = [1, 2, -9.81]\n"
#define BODY_A                                                                                              \
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.5, 0.8, 0.9, 0.1, -0.05, 0.08]\n" \
    "com = [0.1, -0.2, 0.05]\nposition = [1, 0, 0]\n"
#define BODY_B                                                                            \
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.3, 0.4, 0.5]\n" \
    "position = [-1, 2, 0.5]\nrotation = { euler = 'xyz', angles = [0.3, -0.2, 0.7] }\n"
#define POINT_C "[[element]]\nname = 'c'\ntype = 'mass_point'\nmass = 0.7\nposition = [0, -2, 1]\n"
#define POINT_D "[[element]]\nname = 'd'\ntype = 'mass_point'\nmass = 1.3\nposition = [2, 1, -2]\n"
/* Offset frames, turned, on both bodies and on the ground. */
#define FRAMES                                                                                \
    "[[marker]]\nname = 'a1'\ntype = 'frame'\nelement = 'a'\nposition = [0.4, 0.1, -0.3]\n"   \
    "rotation = { axis = [1, 2, -1], angle = 0.9 }\n"                                         \
    "[[marker]]\nname = 'a2'\ntype = 'frame'\nelement = 'a'\nposition = [-0.5, 0.3, 0.6]\n"   \
    "rotation = { axis = [0, 1, 1], angle = -1.7 }\n"                                         \
    "[[marker]]\nname = 'b1'\ntype = 'frame'\nelement = 'b'\nposition = [0.1, -0.3, 0.2]\n"   \
    "rotation = { axis = [1, 0, 0.5], angle = 2.1 }\n"                                        \
    "[[marker]]\nname = 'g1'\ntype = 'frame'\nelement = 'ground'\nposition = [0.2, 0.3, 4]\n" \
    "rotation = { axis = [3, 1, 1], angle = 0.4 }\n"
#define SPRING(name, markers, more)                                                     \
    "[[element]]\nname = '" name "'\ntype = 'spring_damper'\nmarkers = [" markers "]\n" \
    "damping = 0.7\nreference_length = 1.5\nstiffness = " more "\n"
#define LOAD(kind, name, markers, more)                                                            \
    "[[element]]\nname = '" name "'\ntype = '" kind "'\nmarkers = [" markers "]\nvalue = [2, -1, " \
    "1.5]\n" more

TN_UNUSED static const char tn_springs[] =
    GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES SPRING("ground_a", "'g1', 'a1'", "3")
        SPRING("ab", "'a2', 'b1'", "3\nforce = 0.4\nvelocity_offset = 0.3") SPRING("centres", "'a', 'b'", "3")
            SPRING("bc", "'b', 'c'", "3") SPRING("cd", "'c', 'd'", "3")
                SPRING("ground_d", "'d', 'ground'", "3");

TN_UNUSED static const char tn_functions[] = GRAVITY BODY_A BODY_B POINT_C FRAMES SPRING(
    "cubic", "'a1', 'b1'",
    "3\nforce_function = 'stiffness*deltaL + 2*deltaL**3 + damping*deltaL_t*(1 + deltaL**2) + force'")
    SPRING("dry", "'c', 'a2'", "3\nforce_function = 'atan(3*deltaL_t) + sin(deltaL)'")
        SPRING("ground_b", "'g1', 'b1'", "'2 + sin(time)'");

TN_UNUSED static const char tn_forces[] = GRAVITY BODY_A BODY_B POINT_C FRAMES LOAD("force", "fixed", "'a1'",
                                                                                    "")
    LOAD("force", "follower", "'a2'", "local = true\n") LOAD("force", "other_axes", "'b1'", "axes = ['a1']\n")
        LOAD("force", "ground_axes", "'c'", "axes = ['g1']\n") LOAD("force", "pair", "'a1', 'b1'", "")
            LOAD("force", "following_pair", "'b1', 'a2'", "local = true\n")
                LOAD("force", "to_point", "'a1', 'c'", "axes = ['b1']\n")
                    LOAD("force", "from_point", "'c', 'b1'", "") LOAD("force", "to_ground", "'a2', 'g1'", "")
                        LOAD("force", "from_ground", "'g1', 'a2'", "local = true\n");

TN_UNUSED static const char tn_torques[] = GRAVITY BODY_A BODY_B FRAMES LOAD("torque", "fixed", "'a1'", "")
    LOAD("torque", "follower", "'a2'", "local = true\n")
        LOAD("torque", "other_axes", "'b1'", "axes = ['a1']\n") LOAD("torque", "pair", "'a1', 'b1'", "")
            LOAD("torque", "following_pair", "'b1', 'a2'", "local = true\n")
                LOAD("torque", "to_ground", "'a2', 'g1'", "local = true\n")
                    LOAD("torque", "from_ground", "'g1', 'a1'", "axes = ['b1']\n");

#define CARTESIAN(name, markers, more)                                                            \
    "[[element]]\nname = '" name "'\ntype = 'cartesian_spring_damper'\nmarkers = [" markers "]\n" \
    "stiffness = [3, 2, 4]\ndamping = [0.7, 0.2, 0.5]\n" more

TN_UNUSED static const char tn_cartesian[] =
    GRAVITY BODY_A BODY_B FRAMES CARTESIAN("ground_a", "'g1', 'a1'", "offset = [0.3, -1, 0.2]\n")
        CARTESIAN("ab", "'a2', 'b1'", "")
            CARTESIAN("to_ground", "'b1', 'g1'", "offset = ['sin(time)', 0, 1]\n")
                CARTESIAN("own", "'a1', 'a2'", "");

#define TORSIONAL(name, markers, more)                                                            \
    "[[element]]\nname = '" name "'\ntype = 'torsional_spring_damper'\nmarkers = [" markers "]\n" \
    "stiffness = 3\ndamping = 0.7\n" more

TN_UNUSED static const char tn_torsional[] =
    GRAVITY BODY_A BODY_B FRAMES TORSIONAL("ground_a", "'g1', 'a1'", "reference_angle = 0.3\ntorque = -0.4\n")
        TORSIONAL("ab", "'a2', 'b1'",
                  "torque_function = 'stiffness*sin(angle) + damping*angle_t*(1 + angle**2) + torque'\n")
            TORSIONAL("to_ground", "'b1', 'g1'", "reference_angle = 'time'\n");

#define BUSHING(name, markers, more)                                                     \
    "[[element]]\nname = '" name "'\ntype = 'linear_bushing'\nmarkers = [" markers "]\n" \
    "stiffness = [3, 2, 4, 5, 6, 3]\n" more

TN_UNUSED static const char tn_bushings[] = GRAVITY BODY_A BODY_B FRAMES BUSHING(
    "ground_a", "'g1', 'a1'", "damping = [0.7, 0.2, 0.5, 0.3, 0.4, 0.6]\n")
    BUSHING("ab", "'a2', 'b1'", "damping = ['0.2 + 0.1*sin(time)', 0, 1, '0.1*DM(a1, b1)', 0, 1]\n")
        BUSHING("to_ground", "'b1', 'g1'", "");

/* Connectors on centers of several bodies, one center being part of another that stands before it. */
TN_UNUSED static const char tn_centers[] = GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES
    "[[marker]]\nname = 'outer'\ntype = 'center'\nmarkers = ['inner', 'b1', 'd', 'g1']\n"
    "weights = [3, 1, 0.5, 0.2]\n"
    "[[marker]]\nname = 'inner'\ntype = 'center'\n"
    "markers = ['a2', 'c', { element = 'b', position = [0, 1, 0] }, 'a']\n" SPRING("inner_d", "'inner', 'd'",
                                                                                   "3")
        SPRING("a_outer", "'a1', 'outer'", "3") SPRING("both", "'outer', 'inner'", "3")
            LOAD("force", "push", "'outer'", "") LOAD("force", "pair", "'b1', 'inner'", "local = true\n");

#define VARIABLE(name, expression) \
    "[[element]]\nname = '" name "'\ntype = 'reference_variable'\nexpression = '" expression "'\n"
#define READING(kind, name, markers, x, y, z)                                                           \
    "[[element]]\nname = '" name "'\ntype = '" kind "'\nmarkers = [" markers "]\nvalue = ['" x "', '" y \
    "', '" z "']\n"
#define READING_SPRING(name, markers, stiffness, damping, length)                 \
    "[[element]]\nname = '" name "'\ntype = 'spring_damper'\nmarkers = [" markers \
    "]\nstiffness = '" stiffness "'\ndamping = '" damping "'\nreference_length = '" length "'\n"

/* Parameters that read the motion of markers, their own and those of others, and variables that read others: in springs,
 * several with the same expressions; one that is not active. */
TN_UNUSED static const char tn_reading_springs[] = GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES VARIABLE(
    "far", "0.1*VARVAL(near)**2 + 0.5*VX(b1, a1, a2) + time") VARIABLE("near",
                                                                       "0.2*DX(c, a1, b1)*VARVAL(turning)")
    VARIABLE("turning", "SIN(WZ(b)) + 0.3*WX(a1, b1)") READING_SPRING(
        "elsewhere", "'c', 'd'", "3 + SIN(VARVAL(far))", "0.7 + 0.1*DX(b1, a1)", "1 + 0.2*VARVAL(turning)")
        READING_SPRING("own", "'a1', 'b1'", "2 + COS(DX(b1, a1, a2))", "1",
                       "1 + 0.1*VR(a1, b1)") READING_SPRING("centred", "'center', 'c'",
                                                            "4 + SIN(VZ(center, d, b))",
                                                            "0.5 + 0.1*DY(c, center)", "time")
            READING_SPRING(
                "asleep", "'a', 'd'", "9 + 0.1*DX(c)**2", "1 + VARVAL(far)",
                "1") "active = false\n"
                     "[[marker]]\nname = 'center'\ntype = 'center'\nmarkers = ['a1', 'c', 'b']\n"
                     "[[repeat]]\ncount = 3\nvariable = 'i'\n"
                     "[[repeat.element]]\nname = 'again_{i}'\ntype = 'spring_damper'\nmarkers = ['b', 'd']\n"
                     "stiffness = '1 + i + SIN(i*VARVAL(v_{i}))'\ndamping = 0.4\nreference_length = '0.5 + "
                     "0.1*i*DY(c)'\n"
                     "[[repeat.element]]\nname = 'v_{i}'\ntype = 'reference_variable'\nexpression = "
                     "'0.2*i*DZ(c, a2) + VM(d)'\n";

#define AT_ONE_SECOND(element, change) "[[change]]\ntime = 1\nelement = '" element "'\n" change "\n"
/* Expressions that others take the place of, and numbers; what slept wakes up. */
TN_UNUSED static const char tn_reading_changed[] =
    GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES VARIABLE("v", "0.3*DX(c, a1, b1) + WX(b)") READING_SPRING(
        "elsewhere", "'c', 'd'", "3", "0.7 + 0.1*VARVAL(v)", "1 + 0.2*DY(a2, d)")
        READING_SPRING("asleep", "'a', 'd'", "9 + SIN(VARVAL(v))", "1 + 0.2*DZ(c)",
                       "1") "active = false\n" READING("force", "push", "'b1'", "DX(c)", "SIN(DY(d))", "time")
            AT_ONE_SECOND("elsewhere", "parameter = 'stiffness'\nvalue = '2 + SIN(VARVAL(v) + DX(a1))'")
                AT_ONE_SECOND("elsewhere", "parameter = 'reference_length'\nvalue = 0.8")
                    AT_ONE_SECOND("elsewhere", "parameter = 'damping'\nvalue = '0.2 + 0.1*DZ(a2)'")
                        AT_ONE_SECOND("push", "parameter = 'value'\nvalue = [2, 'VARVAL(v)', 'DY(b1, a1)']")
                            AT_ONE_SECOND("asleep", "active = true");

/* In all components of forces and torques, whose markers may stand still. */
TN_UNUSED static const char tn_reading_forces[] = GRAVITY BODY_A BODY_B POINT_C FRAMES VARIABLE(
    "speed", "VM(c, b1) + 0.1*time") VARIABLE("scaled", "2*VARVAL(speed)")
    READING("force", "fixed", "'a1'", "DX(c)", "SIN(DY(b1, a2)) - WZ(a1)", "VX(c, b1, a1)*VARVAL(scaled)")
        READING("force", "pair", "'a1', 'b1'", "WM(a, b)", "2", "DZ(g1, b1, a1)")
            READING("force", "to_ground", "'g1', 'a2'", "DX(a2, g1)", "VY(a2, g1, g1, b)", "VARVAL(scaled)")
                READING("torque", "turn", "'b1', 'a2'", "-0.3*WX(a1, b1, a2)", "VARVAL(speed)", "DX(a, b)")
                    READING("torque", "alone", "'a2'", "time", "COS(DZ(c, b1))", "WY(b1, a1)");

/* Values of now or of the start, at times that the motion tells; some inside others, and through variables. */
TN_UNUSED static const char tn_reading_delays[] =
    GRAVITY BODY_A BODY_B POINT_C FRAMES VARIABLE("now", "DELAY(0.2*DX(c, b1)*VX(c), -1, 0) + 0.1*DX(a)")
        VARIABLE("then", "DELAY(1, 0.2 + 0.1*DY(b1, a1)**2, SIN(time))")
            READING("force", "both", "'a1', 'b1'",
                    "DELAY(SIN(VARVAL(now)) + DELAY(0.3*DZ(c), 0, 1)**2, -time**2, 0)", "VARVAL(then)*VX(c)",
                    "DELAY(3, 0.1 + DELAY(VARVAL(then), 0, 1)**2, time**2)*DX(c)")
                READING_SPRING("elsewhere", "'c', 'b1'", "3 + SIN(DELAY(VARVAL(now), 0, 1))", "0.7", "1");

/* Angles, which jump somewhere, and what has an end. */
TN_UNUSED static const char tn_reading_angles[] = GRAVITY BODY_A BODY_B FRAMES READING(
    "torque", "first", "'a1'", "SIN(AX(a1, b1))", "SIN(AY(b1, a1))", "SIN(AZ(a2, b1))")
    READING("torque", "second", "'b1', 'a2'", "SIN(PSI(a1, b1))", "0.5*THETA(a1, b1)", "SIN(PHI(a1, b1))")
        READING("force", "third", "'a1'", "SIN(YAW(b1, a1))", "PITCH(b1, a1)", "SIN(ROLL(b1, a1))")
            READING("force", "fourth", "'b1', 'a1'", "DM(a1, b1)", "1", "DM(b1)*WM(b1, a1)");

/* Coordinates read what happens in space, and what happens in space reads coordinates. */
TN_UNUSED static const char tn_reading_coordinates[] = GRAVITY BODY_A BODY_B FRAMES
    "[[element]]\nname = 'slider'\ntype = 'mass_1d'\nmass = 2\n"
    "[[element]]\nname = 'rotor'\ntype = 'rotor_1d'\ninertia = 0.8\n"
    "[[element]]\nname = 'tie'\ntype = 'coordinate_spring_damper'\nmarkers = ['slider', 'rotor']\n"
    "stiffness = '2 + SIN(DX(a1, b1))'\ndamping = '0.5 + 0.1*VARVAL(v)'\noffset = 'SIN(time)*WZ(b1, a1)'\n"
    "[[element]]\nname = 'line'\ntype = 'coordinate_spring_damper'\nmarkers = 'height'\n"
    "stiffness = 3\ndamping = '0.4 + 0.1*DY(a)**2'\noffset = 'VARVAL(v)'\n"
    "[[marker]]\nname = 'height'\ntype = 'dz'\ni = 'a1'\nj = 'b1'\n" VARIABLE("v", "DZ(b1, a1) + VX(a)");

#define FUNCTION_SPRING(name, markers, function, force)                                  \
    "[[element]]\nname = '" name "'\ntype = 'spring_damper'\nmarkers = [" markers        \
    "]\nstiffness = 3\ndamping = 0.7\nreference_length = 1\nforce_function = '" function \
    "'\nforce = '" force "'\n"
#define FUNCTIONS_IN_COPIES                                                                          \
    "[[repeat]]\ncount = 3\nvariable = 'i'\n"                                                        \
    "[[repeat.element]]\nname = 'again_{i}'\ntype = 'spring_damper'\nmarkers = ['b', 'd']\n"         \
    "force_function = '(1 + i)*deltaL*SIN(i*VARVAL(v_{i}) + DZ(a2)) [kN]'\n"                         \
    "[[repeat.element]]\nname = 'v_{i}'\ntype = 'reference_variable'\nexpression = '0.2*i*DZ(c, a2)" \
    " + VM(d)'\n"
/* Functions that read the motion of markers, their own and those of others, and variables besides their arguments, which
 * may do so as well; in copies; one that is not active, and has no value until it is called. */
TN_UNUSED static const char tn_reading_functions[] =
    GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES FUNCTION_SPRING(
        "asleep", "'a', 'd'", "SIN(DX(c)/(2 + deltaL)) + LOG(force)*VARVAL(near)",
        "2") "active = false\n" VARIABLE("far", "0.1*VARVAL(near)**2 + 0.5*VX(b1, a1, a2) + time")
        VARIABLE("near", "0.2*DX(c, a1, b1) + 1")
            FUNCTION_SPRING("others", "'c', 'd'", "deltaL*(1 + SIN(VARVAL(far))) + deltaL_t*DX(b1, a1)", "0")
                FUNCTION_SPRING("own", "'a1', 'b1'",
                                "deltaL**3*COS(DX(b1, a1, a2)) + damping*VR(a1, b1)*deltaL", "0")
                    FUNCTION_SPRING("fixed", "'g1', 'ground'", "stiffness*DX(c)", "0") FUNCTION_SPRING(
                        "both", "'b', 'd'", "force*deltaL + VARVAL(near)*force", "1 + DY(c)*VARVAL(far)")
                        TORSIONAL("turning", "'a2', 'b1'",
                                  "torque_function = 'SIN(angle)*DM(c, d) + angle_t*VARVAL(near)'\n")
                            FUNCTIONS_IN_COPIES AT_ONE_SECOND("asleep", "active = true")
                                AT_ONE_SECOND("both", "parameter = 'force'\nvalue = 'SIN(DX(c)) + 2'");

/* Two markers of the same body, and of the same point. */
TN_UNUSED static const char tn_inner[] =
    GRAVITY BODY_A BODY_B POINT_C FRAMES LOAD("force", "pair", "'a1', 'a2'", "")
        LOAD("force", "follower", "'a2', 'a1'", "local = true\n")
            LOAD("force", "axes", "'a2', 'b1'", "axes = ['a1']\n")
                LOAD("torque", "twist", "'a1', 'a2'", "local = true\n") SPRING("own", "'a1', 'a2'", "3")
                    SPRING("shared", "'a1', 'b'", "3") SPRING("again", "'b', 'a1'", "3")
                        SPRING("third", "'a1', 'c'", "3");

#endif

/* published_bicycles.h - the eigenvalues of eleven bicycles at 0 to 10 m/s, as published. */
#ifndef TENON_TESTS_SYSTEM_PUBLISHED_BICYCLES_H
#define TENON_TESTS_SYSTEM_PUBLISHED_BICYCLES_H

#include "modes.h"

#define BICYCLES TENON_SOURCE_DIR "/configs/modes/bicycle_speeds.toml"

/* Meijaard et al. (2007), Table 2: castering, capsize, weave (real, imaginary); of 0 m/s all real. */
static const double published[11][4] = {
    {-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393},
    {-7.11008014637442, -3.13423125066578, 3.52696170990070, 0.80774027519930},
    {-8.67387984831735, -3.07158645641514, 2.68234517512745, 1.68066296590675},
    {-10.35101467245920, -2.63366137253667, 1.70675605663975, 2.31582447384325},
    {-12.15861426576447, -1.42944427361326, 0.41325331521125, 3.07910818603206},
    {-14.07838969279822, -0.32286642900409, -0.77534188219585, 4.46486771378823},
    {-16.08537123098026, -0.00406690076970, -1.52644486584142, 5.87673060598709},
    {-18.15788466125262, 0.10268170574766, -2.13875644258362, 7.19525913329805},
    {-20.27940894394569, 0.14327879765713, -2.69348683581097, 8.46037971396931},
    {-22.43788559040858, 0.15790184030917, -3.21675402252485, 9.69377351531791},
    {-24.62459635017404, 0.16105338653172, -3.72016840437287, 10.90681139476287}};

static inline void check_there(const modes *m, double re, double im)
{
    for (size_t k = 0; k < m->count; k++)
        if (hypot(m->re[k] - re, m->im[k] - im) <= 1e-9) return;
    fail_msg("there is no eigenvalue (%.14g, %.14g)", re, im);
}

/* The 44 of them, and the 66 zeros of places, headings, angles of wheels and speeds; a pair is one of the modes. */
static inline void check_published(const modes *m)
{
    size_t zeros = 0;
    for (size_t k = 0; k < m->count; k++)
        zeros += m->re[k] == 0.0 && m->im[k] == 0.0;
    assert_int_equal(m->count, 100);
    assert_int_equal(zeros, 66);
    for (int v = 0; v < 11; v++) {
        const double *p = published[v];
        check_there(m, p[0], 0.0);
        check_there(m, p[1], 0.0);
        check_there(m, p[2], v ? p[3] : 0.0);
        if (!v) check_there(m, p[3], 0.0);
    }
}

#endif

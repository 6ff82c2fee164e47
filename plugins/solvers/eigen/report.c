/* report.c - writes modes.csv and shapes.csv, and the note on the slowest modes (eigen.h) */
#include "eigen.h"

#include "tenon/draft/modes.h"

#include <stdio.h>
#include <stdlib.h>

#define TWO_PI 6.283185307179586
#define GROWS 1e-12   /* of the eigenvalue: a real part that is less is round-off */
#define TELLABLE 1e-9 /* of the largest share: who has less takes no part */

enum { NAMED = 3, SHOWN = 8, LETTERS = 256 };

/* ---- text that grows ---------------------------------------------------------------------------------------------- */

typedef struct page {
    const tn_host *host;
    char *letters;
    size_t used, room;
    bool full;
} page;

static TN_PRINTF(2, 3) void put(page *p, const char *format, ...)
{
    char line[2 * LETTERS];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line) p->full = true;
    if (p->full) return;
    if (p->used + (size_t)length > p->room) {
        const size_t room = 2 * (p->used + (size_t)length) + 4096;
        char *letters = p->host->allocate(p->host, room);
        p->full = !letters;
        if (!letters) return;
        if (p->used) memcpy(letters, p->letters, p->used);
        p->letters = letters;
        p->room = room;
    }
    memcpy(p->letters + p->used, line, (size_t)length);
    p->used += (size_t)length;
}

/* A name, in quotes where a table needs that. */
static void put_name(page *p, const char *name)
{
    if (!name || !strpbrk(name, ",\"\n")) {
        put(p, "%.200s", name ? name : "");
        return;
    }
    put(p, "\"");
    for (; *name; name++)
        put(p, *name == '"' ? "\"\"" : "%c", *name);
    put(p, "\"");
}

static tn_status write_page(const eigen_work *work, const page *p, const char *name, char *written)
{
    const tn_tables *tables = work->system->extension(work->system, TN_TABLES_KEY);
    written[0] = '\0';
    if (p->full) return TN_OUT_OF_MEMORY;
    return tables ? tables->write(work->system, name, p->letters, p->used, written) : TN_OK;
}

/* ---- who takes part ----------------------------------------------------------------------------------------------- */

typedef struct part {
    const char *name;
    double share;
} part;

/* Enters a part where it belongs by its share. */
static void enter(part *list, const char *name, double share)
{
    for (int k = 0; k < NAMED; k++) {
        if (!(share > list[k].share)) continue;
        for (int l = NAMED - 1; l > k; l--)
            list[l] = list[l - 1];
        list[k] = (part){name, share};
        return;
    }
}

/* phi^* M phi of the coordinates first to first + count - 1 by themselves. */
static double own_mass(const eigen_work *work, const double *motion, uint32_t first, uint32_t count)
{
    const tn_sparse *M = &work->linear->mass;
    double sum = 0.0;
    for (uint32_t j = first; j < first + count; j++)
        for (int32_t e = M->column_start[j]; e < M->column_start[j + 1]; e++) {
            const uint32_t i = (uint32_t)M->row[e];
            if (i < first || i >= first + count) continue;
            for (uint32_t c = 0; c < 2; c++)
                sum += M->value[e] * motion[2 * (size_t)i + c] * motion[2 * (size_t)j + c];
        }
    return sum;
}

/* Shares of kinetic energy; of a mode in which nothing moves, shares of the squares of states. */
static void find_parts(const eigen_work *work, const eigen_mode *mode, part list[NAMED])
{
    double all = 0.0;
    memset(list, 0, NAMED * sizeof *list);
    for (uint32_t first = 0, count = 0, i = 0; i < work->nv; i = first + count) {
        const char *name = work->statics->owner(work->system, i, &first, &count);
        const double share = own_mass(work, mode->motion, first, count);
        all += share;
        enter(list, name, share);
    }
    for (uint32_t k = 0; !(all > 0.0) && k < work->nx; k++) {
        uint32_t number = 0;
        const double re = mode->state[2 * k], im = mode->state[2 * k + 1];
        enter(list, work->linear->state_owner(work->system, k, &number), re * re + im * im);
    }
    double sum = all;
    for (uint32_t k = 0; !(all > 0.0) && k < 2 * work->nx; k++)
        sum += mode->state[k] * mode->state[k];
    for (int k = 0; k < NAMED; k++) {
        list[k].share = sum > 0.0 ? list[k].share / sum : 0.0;
        if (!(list[k].share > TELLABLE)) list[k] = (part){NULL, 0.0};
    }
}

/* ---- effective masses ----------------------------------------------------------------------------------------------- */

/* M times the rigid motions of the whole model, about its centre of mass. */
static double *find_rigid_momenta(const eigen_work *work)
{
    const tn_sparse *M = &work->linear->mass;
    const double *rigid = work->linear->rigid;
    double *momentum = tn_eigen_numbers(work->host, 6 * (size_t)work->nv), mass = 0.0, place[3] = {0.0};
    if (!momentum) return NULL;
    for (uint32_t j = 0; j < work->nv; j++)
        for (int32_t e = M->column_start[j]; e < M->column_start[j + 1]; e++)
            for (int c = 0; c < 6; c++)
                momentum[6 * (size_t)M->row[e] + (size_t)c] += M->value[e] * rigid[6 * (size_t)j + (size_t)c];
    for (size_t i = 0; i < work->nv; i++) {
        const double *r = rigid + 6 * i, *p = momentum + 6 * i;
        mass += r[0] * p[0];
        place[0] += r[1] * p[5]; // a turn about z moves the centre along y
        place[1] += r[2] * p[3];
        place[2] += r[0] * p[4];
    }
    for (size_t i = 0; i < work->nv && mass > 0.0; i++) {
        double *p = momentum + 6 * i;
        for (int c = 0; c < 3; c++) // a turn about the centre: less what moves it
            p[3 + c] += (place[(c + 2) % 3] * p[(c + 1) % 3] - place[(c + 1) % 3] * p[(c + 2) % 3]) / mass;
    }
    return momentum;
}

/* |phi^* M r|^2 of modes of unit mass. */
static double effective_mass(const eigen_work *work, const double *momentum, const eigen_mode *mode, int c)
{
    double re = 0.0, im = 0.0;
    for (size_t i = 0; i < work->nv; i++) {
        re += momentum[6 * i + (size_t)c] * mode->motion[2 * i];
        im += momentum[6 * i + (size_t)c] * mode->motion[2 * i + 1];
    }
    return re * re + im * im;
}

/* ---- tables ------------------------------------------------------------------------------------------------------------ */

static double frequency_of(const eigen_mode *mode) { return mode->im / TWO_PI; }

/* -Re/|s|: 1 and more than that does not swing. */
static double damping_of(const eigen_mode *mode)
{
    const double size = hypot(mode->re, mode->im);
    return size > 0.0 ? -mode->re / size + 0.0 : 0.0;
}

static tn_status write_modes(const eigen_work *work, char *written)
{
    page p = {.host = work->host};
    const double *momentum = find_rigid_momenta(work);
    if (!momentum) return TN_OUT_OF_MEMORY;
    put(&p, "mode,real,imaginary,frequency,damping_ratio,mass_x,mass_y,mass_z,inertia_x,inertia_y,inertia_z,"
            "first,first_share,second,second_share,third,third_share\n");
    for (uint32_t k = 0; k < work->modes; k++) {
        const eigen_mode *mode = &work->mode[k];
        part list[NAMED];
        put(&p, "%u,%.17g,%.17g,%.17g,%.17g", k + 1, mode->re + 0.0, mode->im + 0.0, frequency_of(mode),
            damping_of(mode));
        for (int c = 0; c < 6; c++)
            put(&p, ",%.9g", effective_mass(work, momentum, mode, c));
        find_parts(work, mode, list);
        for (int n = 0; n < NAMED; n++) {
            put(&p, ",");
            put_name(&p, list[n].name);
            if (list[n].name)
                put(&p, ",%.4f", list[n].share);
            else
                put(&p, ",");
        }
        put(&p, "\n");
    }
    return write_page(work, &p, "modes.csv", written);
}

/* The point of an element whose displacement its first coordinates are: where a turn does not move them. */
static bool find_point(const eigen_work *work, uint32_t first, uint32_t count, double point[3])
{
    const double *r = work->linear->rigid + 6 * (size_t)first;
    if (count < 3) return false;
    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3; c++)
            if (fabs(r[6 * row + c] - (row == c)) > 1e-9) return false;
    point[0] = r[6 + 5];
    point[1] = r[12 + 3];
    point[2] = r[4];
    return true;
}

/* The turn of an element: its coordinates that turn as the element does. */
static void find_turn(const eigen_work *work, const double *motion, uint32_t first, uint32_t count,
                      double turn[6])
{
    memset(turn, 0, 6 * sizeof *turn);
    for (uint32_t i = first; i + 2 < first + count; i++) {
        const double *r = work->linear->rigid + 6 * (size_t)i;
        bool is = true;
        for (int row = 0; row < 3; row++)
            for (int c = 0; c < 6; c++)
                is = is && fabs(r[6 * row + c] - (c == row + 3)) <= 1e-9;
        if (!is) continue;
        memcpy(turn, motion + 2 * (size_t)i, 6 * sizeof *turn);
        return;
    }
}

static void put_pairs(page *p, const double *x, uint32_t count)
{
    for (uint32_t k = 0; k < 2 * count; k++)
        put(p, ",%.12g", x[k] + 0.0);
}

/* One row per mode and element: what the mode does with the point, in ground axes, or its coordinates. */
static void put_element(const eigen_work *work, page *p, uint32_t mode, uint32_t i, uint32_t *first,
                        uint32_t *count)
{
    const char *name = work->statics->owner(work->system, i, first, count);
    const double *motion = work->mode[mode].motion;
    double point[3], turn[6];
    if (find_point(work, *first, *count, point)) {
        find_turn(work, motion, *first, *count, turn);
        put(p, "%u,", mode + 1);
        put_name(p, name);
        put(p, ",,%.12g,%.12g,%.12g", point[0], point[1], point[2]);
        put_pairs(p, motion + 2 * (size_t)*first, 3);
        put_pairs(p, turn, 3);
        put(p, "\n");
        return;
    }
    for (uint32_t k = 0; k < *count; k++) {
        put(p, "%u,", mode + 1);
        put_name(p, name);
        put(p, ",%u,,,", k + 1);
        put_pairs(p, motion + 2 * (size_t)(*first + k), 1);
        put(p, ",,,,,,,,,,\n");
    }
}

static tn_status write_shapes(const eigen_work *work, char *written)
{
    page p = {.host = work->host};
    put(&p, "mode,element,coordinate,x,y,z,ux_real,ux_imaginary,uy_real,uy_imaginary,uz_real,uz_imaginary,rx_"
            "real,"
            "rx_imaginary,ry_real,ry_imaginary,rz_real,rz_imaginary\n");
    for (uint32_t k = 0; k < work->modes; k++)
        for (uint32_t first = 0, count = 0, i = 0; i < work->nv; i = first + count)
            put_element(work, &p, k, i, &first, &count);
    return write_page(work, &p, "shapes.csv", written);
}

/* ---- messages ---------------------------------------------------------------------------------------------------------- */

static void tell_modes(const eigen_work *work, const char *written)
{
    char text[LETTERS] = "";
    size_t used = 0;
    uint32_t growing = 0, still = 0, told = 0;
    for (uint32_t k = 0; k < work->modes; k++) {
        const eigen_mode *mode = &work->mode[k];
        growing += mode->re > GROWS * hypot(mode->re, mode->im);
        still += mode->re == 0.0 && mode->im == 0.0;
        if (!(mode->im > 0.0) || told == SHOWN || used >= sizeof text) continue;
        used += tn_print_cut(text + used, sizeof text - used, "%s%.6g", told ? ", " : "", frequency_of(mode));
        told++;
    }
    tn_say(work->host, TN_NOTE, "%u mode%s%s%s%s%s%s", work->modes, work->modes == 1 ? "" : "s",
           told ? "; the slowest ones swing at " : "", text, told ? " Hz" : "", written[0] ? ": see " : "",
           written);
    if (still)
        tn_say(work->host, TN_NOTE, "eigenvalues that are zero, where nothing holds the model: %u", still);
    if (growing) tn_say(work->host, TN_NOTE, "modes that grow: %u", growing);
}

/* Real and imaginary parts apart, for pictures of the modes. */
static tn_status show_modes(const eigen_work *work)
{
    const tn_modes *modes = work->system->extension(work->system, TN_MODES_KEY);
    tn_status status = TN_OK;
    if (!modes) return TN_OK;
    double *re = tn_eigen_numbers(work->host, 2 * (size_t)work->nv + 1), *im = re ? re + work->nv : NULL;
    if (!re) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < work->modes && status == TN_OK; k++) {
        const eigen_mode *mode = &work->mode[k];
        const double eigenvalue[2] = {mode->re, mode->im};
        for (uint32_t i = 0; i < work->nv; i++) {
            re[i] = mode->motion[2 * (size_t)i];
            im[i] = mode->motion[2 * (size_t)i + 1];
        }
        status = modes->add(work->system, eigenvalue, re, im);
    }
    return status;
}

tn_status tn_eigen_report(eigen_work *work)
{
    char modes[TN_TABLE_NAME], shapes[TN_TABLE_NAME];
    tn_status status = write_modes(work, modes);
    if (status == TN_OK) status = write_shapes(work, shapes);
    if (status == TN_OK) status = show_modes(work);
    if (status == TN_OK) tell_modes(work, modes);
    return status;
}

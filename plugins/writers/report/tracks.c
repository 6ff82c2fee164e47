/* tracks.c - codes of the chosen frames: times, positions in steps of a quarter of the tolerance, quaternions of 16 bits without jumps of
 * their sign, forces and torques */
#include "report.h"

#define QUATERNION_STEP (1.0 / 32767.0)

typedef struct frames {
    size_t count, tracks, wrenches;
    double *time;
    int32_t *position;   /* [tracks * 3][count] */
    int16_t *quaternion; /* [tracks * 4][count] */
    double *wrench;      /* [wrenches * 6][count] */
    double *origin;      /* [tracks * 3] */
    double *pose, *load; /* of one frame */
    double *last;        /* [tracks][4], the quaternions of the frame before */
    double step;
    unsigned char *planes;
    void *code; /* [columns + 2][count] of 32 bits, or [count] of 64 bits for times */
} frames;

static bool make(frames *f, size_t count, size_t tracks, size_t wrenches)
{
    *f = (frames){.count = count, .tracks = tracks, .wrenches = wrenches};
    const size_t columns = tracks * 4 > wrenches * 6 ? tracks * 4 : wrenches * 6;
    f->time = malloc(count * sizeof *f->time);
    f->position = malloc(tracks * 3 * count * sizeof *f->position);
    f->quaternion = malloc(tracks * 4 * count * sizeof *f->quaternion);
    f->wrench = malloc((wrenches * 6 * count + 1) * sizeof *f->wrench);
    f->origin = malloc(tracks * 3 * sizeof *f->origin);
    f->pose = malloc(tracks * 7 * sizeof *f->pose);
    f->load = malloc((wrenches * 6 + 1) * sizeof *f->load);
    f->last = calloc(tracks * 4, sizeof *f->last);
    f->code = malloc((columns + 2) * count * sizeof(int32_t));
    f->planes = malloc((columns + 2) * count * 4);
    return f->time && f->position && f->quaternion && f->wrench && f->origin && f->pose && f->load &&
           f->last && f->code && f->planes;
}

static void end(frames *f)
{
    void *all[] = {f->time, f->position, f->quaternion, f->wrench, f->origin,
                   f->pose, f->load,     f->last,       f->code,   f->planes};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

/* Stores a quaternion with the sign that is nearer to the last one. */
static void take_quaternion(frames *f, size_t track, size_t frame, const double *quaternion)
{
    double *last = f->last + 4 * track, inner = 0.0;
    for (size_t k = 0; k < 4; k++)
        inner += last[k] * quaternion[k];
    for (size_t k = 0; k < 4; k++) {
        last[k] = inner < 0.0 ? -quaternion[k] : quaternion[k];
        const double code = rint(fmax(-1.0, fmin(1.0, last[k])) / QUATERNION_STEP);
        f->quaternion[(4 * track + k) * f->count + frame] = (int16_t)code;
    }
}

static void take_frame(frames *f, size_t frame)
{
    for (size_t t = 0; t < f->tracks; t++) {
        const double *pose = f->pose + 7 * t;
        for (size_t k = 0; k < 3; k++) {
            const size_t column = 3 * t + k;
            if (frame == 0) f->origin[column] = pose[k];
            f->position[column * f->count + frame] =
                tn_code_of((tn_code_scale){f->origin[column], f->step}, pose[k]);
        }
        take_quaternion(f, t, frame, pose + 3);
    }
    for (size_t k = 0; k < 6 * f->wrenches; k++)
        f->wrench[k * f->count + frame] = isfinite(f->load[k]) ? f->load[k] : 0.0;
}

static tn_status read_frames(frames *f, const tn_recording *recording, const tn_motion *motion)
{
    tn_status status = TN_OK;
    for (size_t k = 0; status == TN_OK && k < f->count; k++) {
        status = recording->frame(recording, motion->frame[k], 1, f->time + k, f->pose,
                                  f->wrenches ? f->load : NULL);
        if (status == TN_OK) take_frame(f, k);
    }
    return status;
}

/* Writes `"at":0,"bytes":12}` of the planes of all columns, each with differences of its own. */
static bool put_planes(tn_bytes *json, tn_bytes *store, const frames *f, size_t columns, size_t bytes)
{
    const bool complete = tn_put_packed(json, store, f->planes, columns * f->count * bytes);
    tn_put(json, "}");
    return complete;
}

static bool put_times(tn_bytes *json, tn_bytes *store, frames *f)
{
    tn_put(json, ",\"time\":{");
    const bool complete = tn_put_times(json, store, f->time, f->count, f->code, f->planes);
    tn_put(json, "}");
    return complete;
}

static bool put_positions(tn_bytes *json, tn_bytes *store, frames *f)
{
    for (size_t c = 0; c < 3 * f->tracks; c++)
        tn_code_planes32(f->position + c * f->count, f->count, f->planes + c * f->count * 4);
    tn_put(json, ",\"position\":{\"codec\":\"d2\",\"step\":%.17g,\"origin\":", f->step);
    tn_put_numbers(json, f->origin, 3 * f->tracks);
    tn_put(json, ",");
    return put_planes(json, store, f, 3 * f->tracks, 4);
}

static bool put_quaternions(tn_bytes *json, tn_bytes *store, frames *f)
{
    for (size_t c = 0; c < 4 * f->tracks; c++)
        tn_code_planes16(f->quaternion + c * f->count, f->count, f->planes + c * f->count * 2);
    tn_put(json, ",\"quaternion\":{\"codec\":\"d16\",\"step\":%.17g,", QUATERNION_STEP);
    return put_planes(json, store, f, 4 * f->tracks, 2);
}

static bool put_wrenches(tn_bytes *json, tn_bytes *store, frames *f)
{
    tn_put(json, ",\"wrench\":{\"codec\":\"d2\",\"scales\":[");
    for (size_t c = 0; c < 6 * f->wrenches; c++) {
        const double *value = f->wrench + c * f->count;
        double low = value[0], high = value[0];
        for (size_t k = 1; k < f->count; k++) {
            low = fmin(low, value[k]);
            high = fmax(high, value[k]);
        }
        const tn_code_scale scale = tn_scale_of(low, high, false);
        int32_t *code = f->code;
        for (size_t k = 0; k < f->count; k++)
            code[k] = tn_code_of(scale, value[k]);
        tn_code_planes32(code, f->count, f->planes + c * f->count * 4);
        tn_put(json, "%s%.17g,%.17g", c ? "," : "", scale.origin, scale.step);
    }
    tn_put(json, "],");
    return put_planes(json, store, f, 6 * f->wrenches, 4);
}

tn_status tn_put_motion(tn_bytes *json, tn_bytes *store, const tn_recording *recording,
                        const tn_motion *motion, double tolerance)
{
    frames f;
    tn_put(json, "{\"recorded\":%llu,\"count\":%llu,\"dropped\":%llu", (unsigned long long)recording->frames,
           (unsigned long long)motion->count, (unsigned long long)motion->dropped);
    tn_put_name(json, "tolerance");
    tn_put_numbers(json, motion->tolerance, 2);
    if (!motion->count) return tn_put(json, "}"), TN_OK;
    bool complete = make(&f, (size_t)motion->count, recording->tracks, recording->wrenches);
    f.step = fmax(0.25 * tolerance * recording->size, motion->reach * 0x1p-30);
    if (!(f.step > 0.0)) f.step = 0x1p-20;
    const tn_status status = complete ? read_frames(&f, recording, motion) : TN_OUT_OF_MEMORY;
    complete = status == TN_OK && put_times(json, store, &f) && put_positions(json, store, &f) &&
               put_quaternions(json, store, &f) && (!f.wrenches || put_wrenches(json, store, &f));
    end(&f);
    tn_put(json, "}");
    return status != TN_OK ? status : complete ? TN_OK : TN_OUT_OF_MEMORY;
}

/* tracks.c - a writer that converts: positions of all bodies of a run, frame by frame, as tracks.csv */
#include <tenon/author.h>
#if TN_VALUES
#include <stdio.h>
#include <tenon/draft/recording.h>

#define TRACKS(P) P(INTEGER, digits, 0, 9, 1, 17, "significant digits of a number")
TN_PARAMETERS(tracks, TRACKS)

/* Writes time, then x, y and z of each track. */
static tn_status write_frames(const tn_host *host, FILE *file, const tn_recording *run, int digits)
{
    double *pose = host->allocate(host, 7 * ((size_t)run->tracks + 1) * sizeof *pose), time = 0.0;
    if (!pose) return TN_OUT_OF_MEMORY;
    (void)fputs("time", file);
    for (uint32_t k = 0; k < run->tracks; k++)
        (void)fprintf(file, ",%s.x,%s.y,%s.z", run->track[k].name, run->track[k].name, run->track[k].name);
    for (uint64_t frame = 0; frame < run->frames; frame++) {
        const tn_status status = run->frame(run, frame, 1, &time, pose, NULL);
        if (status != TN_OK) return status;
        (void)fprintf(file, "\n%.*g", digits, time);
        for (uint32_t k = 0; k < run->tracks; k++)
            for (uint32_t i = 0; i < 3; i++)
                (void)fprintf(file, ",%.*g", digits, pose[7 * k + i]);
    }
    (void)fputc('\n', file);
    return TN_OK;
}

static tn_status tracks_convert(const tn_host *host, const void *instance,
                                const tn_recording *const *recording, TN_UNUSED uint32_t count,
                                const char *folder)
{
    const size_t length = strlen(folder) + sizeof "/tracks.csv";
    char *path = host->allocate(host, length);
    if (!path) return TN_OUT_OF_MEMORY;
    (void)snprintf(path, length, "%s/tracks.csv", folder);
    FILE *file = fopen(path, "wx");
    tn_status status = TN_FATAL;
    if (file) status = write_frames(host, file, recording[0], (int)((const tracks *)instance)->digits);
    const bool failed = !file || ferror(file);
    if ((file && fclose(file) != 0) || failed) {
        tn_say(host, TN_ERROR, "%s cannot be written", path);
        return TN_FATAL;
    }
    return status;
}

TN_WRITER(tracks, .summary = "positions of all bodies, as a table",
          TN_CAPABILITIES(TN_HAS(conversion, .most = 1, .convert = tracks_convert)))
TN_LIBRARY("tracks", "1.0.0", "Apache-2.0", "positions of bodies", {TN_WRITER_KIND, &tracks_type})
#endif

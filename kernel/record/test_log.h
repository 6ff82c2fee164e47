/* test_log.h - logs of the test recording in a folder of their own, for tests of the file */
#ifndef TN_TEST_LOG_H
#define TN_TEST_LOG_H

#include "record/header.h"
#include "record/log_blocks.h"
#include "record/recording.h"

#include "../../tests/support/test_recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/tenon_record_XXXXXX";
static int directory = -1;
static test_recording model;

/* Makes the folder and the recording; 1: it cannot be made. */
static int make_folder(uint64_t rows, uint32_t columns, uint64_t frames)
{
    test_recording_make(&model, rows, columns, frames);
    if (!mkdtemp(folder)) return 1;
    directory = open(folder, O_RDONLY | O_DIRECTORY);
    return directory < 0;
}

static int close_folder(void **state)
{
    (void)state;
    (void)unlinkat(directory, TN_LOG, 0);
    (void)close(directory);
    return rmdir(folder);
}

static void put_model(tn_block_file *blocks)
{
    tn_codec codec = {.reads = false};
    tn_header_code(&model.recording, &codec);
    tn_blocks_put(blocks, TN_MODEL_BLOCK, codec.bytes, codec.used);
    tn_free(codec.bytes);
}

/* The poses of a frame as the log has them, behind its time. */
TN_UNUSED static void put_poses(double *to, const double *pose)
{
    for (uint32_t k = 0; k < TEST_TRACKS; k++) {
        const size_t size = model.track[k].has_rotation ? 7 : 3;
        memcpy(to, pose + 7 * k, size * sizeof *to);
        to += size;
    }
}

#endif

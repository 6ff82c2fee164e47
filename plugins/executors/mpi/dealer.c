/* dealer.c - rank 0: hears of batches from the driver, deals their cases to the other ranks, and tells when a batch is through */
#include "mpi_job.h"

#include <tenon/kit/case_ranges.h>
#include <tenon/kit/program_call.h>

#include <mpi.h>

typedef struct other {
    bool waits, gone;
    uint64_t length; /* of the range that it works on; 0: none */
    double given;
} other;

typedef struct dealer {
    other *rank; /* [ranks]; that of the dealer is not used */
    uint32_t ranks, working, gone;
    char line[8192]; /* of the driver, so far */
    size_t used;
    bool ended; /* the driver has nothing more to do */
    bool open;  /* a batch is */
    bool alone;
    int dealt; /* file */
    tn_case_range left;
    char batch[TN_BATCH_NAME];
    double case_time, said; /* said: when the driver last heard of it */
} dealer;

/* ---- the driver -------------------------------------------------------------------------------------------------- */

static void tell_driver(dealer *d, const char *word, const char *name)
{
    char text[128];
    const int length = snprintf(text, sizeof text, "%s%s\n", word, name);
    if (write(STDOUT_FILENO, text, (size_t)length) != length) d->ended = true; /* nobody reads */
    d->said = MPI_Wtime();
}

static void open_batch(dealer *d, const char *line)
{
    unsigned long long first = 0, end = 0;
    int alone = 0, path = 0;
    double time = 0.0;
    if (sscanf(line, "batch %47s %llu %llu %lf %d %n", d->batch, &first, &end, &time, &alone, &path) != 5)
        return;
    if (d->dealt >= 0) (void)close(d->dealt);
    d->dealt = open(line + path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    d->left = (tn_case_range){first, end - first};
    d->alone = alone != 0;
    if (!(d->case_time > 0.0)) d->case_time = time;
    d->open = true;
    tell_driver(d, MPI_ALIVE, "");
}

static void read_line(void *data, const char *line)
{
    dealer *d = data;
    if (strncmp(line, "batch ", 6) == 0)
        open_batch(d, line);
    else if (strcmp(line, "stop") == 0)
        d->left.count = 0;
}

static void hear_driver(dealer *d)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (d->ended || poll(&input, 1, 0) <= 0) return;
    const ssize_t count = read(STDIN_FILENO, d->line + d->used, sizeof d->line - 1 - d->used);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
        d->ended = true;
        d->left.count = 0;
        return;
    }
    d->used += (size_t)count;
    d->line[d->used] = '\0';
    d->used = tn_program_take_lines(d->line, d->used, read_line, d);
}

/* The driver goes on behind these cases should the job end here. */
static void note_dealt(const dealer *d)
{
    char text[32];
    const int length = snprintf(text, sizeof text, "%020llu\n", (unsigned long long)d->left.first);
    if (d->dealt >= 0 && pwrite(d->dealt, text, (size_t)length, 0) != length)
        (void)0; /* it goes on further before */
}

/* ---- the other ranks --------------------------------------------------------------------------------------------- */

static void send_work(dealer *d, uint32_t number, const tn_work *work)
{
    (void)MPI_Send(work, sizeof *work, MPI_BYTE, (int)number, MPI_WORK_TAG, MPI_COMM_WORLD);
    d->rank[number].waits = false;
}

static void deal_to(dealer *d, uint32_t number)
{
    const tn_case_range range = d->alone ? (tn_case_range){d->left.first, 1}
                                         : tn_case_range_take(&d->left, d->ranks - 1, d->case_time);
    tn_work work = {.first = range.first, .count = range.count};
    if (d->alone) d->left = (tn_case_range){d->left.first + 1, d->left.count - 1};
    memcpy(work.batch, d->batch, sizeof work.batch);
    note_dealt(d);
    d->rank[number].length = range.count;
    d->rank[number].given = MPI_Wtime();
    d->working++;
    send_work(d, number, &work);
}

static bool hear_ranks(dealer *d)
{
    MPI_Status status;
    mpi_request request;
    int there = 0;
    (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_REQUEST_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there) return false;
    (void)MPI_Recv(&request, sizeof request, MPI_BYTE, status.MPI_SOURCE, MPI_REQUEST_TAG, MPI_COMM_WORLD,
                   &status);
    other *from = &d->rank[status.MPI_SOURCE];
    if (from->length) {
        d->case_time = tn_case_range_time(d->case_time, (MPI_Wtime() - from->given) / (double)from->length);
        d->working--;
    }
    from->length = 0;
    from->waits = !request.leaves;
    from->gone = request.leaves;
    d->gone += request.leaves != 0;
    return true;
}

/* Whether somebody got something. */
static bool deal(dealer *d)
{
    bool any = false;
    for (uint32_t k = 1; k < d->ranks && d->left.count; k++)
        if (d->rank[k].waits && !(d->alone && d->working)) {
            deal_to(d, k);
            any = true;
        }
    return any;
}

static void end_ranks(dealer *d)
{
    const tn_work nothing = {.count = 0};
    for (uint32_t k = 1; k < d->ranks; k++)
        if (d->rank[k].waits) {
            send_work(d, k, &nothing);
            d->rank[k].gone = true;
            d->gone++;
        }
}

tn_status mpi_deal(uint32_t ranks)
{
    dealer d = {.rank = calloc(ranks, sizeof *d.rank), .ranks = ranks, .dealt = -1};
    uint32_t idle = 0;
    if (!d.rank) return TN_OUT_OF_MEMORY;
    while (d.gone < ranks - 1) {
        hear_driver(&d);
        const bool heard = hear_ranks(&d), dealt = deal(&d);
        if (d.open && !d.left.count && !d.working) {
            d.open = false;
            tell_driver(&d, MPI_END_OF_BATCH, d.batch);
        }
        if (d.open && MPI_Wtime() - d.said > MPI_WORD_EVERY) tell_driver(&d, MPI_ALIVE, "");
        if (d.ended) end_ranks(&d);
        if (heard || dealt)
            idle = 0;
        else
            mpi_pause(&idle);
    }
    if (!d.ended) tell_driver(&d, MPI_NO_RANK, "");
    if (d.dealt >= 0) (void)close(d.dealt);
    free(d.rank);
    return TN_OK;
}

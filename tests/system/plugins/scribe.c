/* scribe.c - a solver of a single state that writes a file into the results, twice (tenon/draft/tables.h) */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/draft/tables.h>
#endif

#define SCRIBE(P) P(TEXT, file, 0, "its name")

TN_PARAMETERS(scribe, SCRIBE)

#if TN_VALUES

static tn_status scribe_advance(const void *instance, tn_system *system)
{
    const scribe *self = instance;
    const tn_tables *tables = system->extension(system, TN_TABLES_KEY);
    char written[TN_TABLE_NAME] = "nothing";
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    for (int k = 0; k < 2 && tables && status == TN_OK; k++)
        status = tables->write(system, self->file, "a\n1\n", 4, written);
    tn_say(system->host, TN_NOTE, "%s was written", written);
    return status == TN_OK ? system->accept(system) : status;
}

TN_SOLVER(scribe, .summary = "writes a file", .flags = TN_SINGLE_STATE, .advance = scribe_advance)
TN_LIBRARY("scribe", "1.0.0", "Apache-2.0", "a file in the results", {TN_SOLVER_KIND, &scribe_type})

#endif

/* hdf5.c - the writer hdf5: all results of a run in one file, results.h5, for h5py, xarray, and readers of NetCDF-4 */
#include "store.h"

#include "tenon/author.h"

#define HDF5(P)                                                                                              \
    P(INTEGER, compression, 0, 1, 0, 9, "level of shuffle and deflate; 0: none, 9: the smallest file, slow") \
    P(CHOICE, poses, "double|single", 0, 0, "numbers of positions, rotations and forces: 64 or 32 bits")

enum { DOUBLE, SINGLE };

TN_PARAMETERS(hdf5, HDF5)

static void store_long_text(store *to, const char *name, const char *text)
{
    const store_shape scalar = {0};
    const hid_t dataset = store_dataset(to, to->file, name, to->string, &scalar);
    store_write(to, dataset, to->string, &scalar, 0, 1, &text);
    store_dataset_close(to, dataset);
}

static void store_run(store *to, const tn_recording *recording)
{
    const int32_t finished = !strcmp(recording->status, "finished"), version = 1;
    store_text(to, to->file, "format", "tenon results");
    store_number(to, to->file, "format_version", H5T_NATIVE_INT32, &version);
    store_text(to, to->file, "title", recording->title);
    store_text(to, to->file, "tenon_version", recording->program);
    store_text(to, to->file, "status", recording->status);
    store_number(to, to->file, "finished", H5T_NATIVE_INT32, &finished);
    store_number(to, to->file, "start_time", H5T_NATIVE_DOUBLE, &recording->start_time);
    store_number(to, to->file, "time_reached", H5T_NATIVE_DOUBLE, &recording->time_reached);
    store_number(to, to->file, "length_tolerance", H5T_NATIVE_DOUBLE, &recording->length_tolerance);
    store_number(to, to->file, "angle_tolerance", H5T_NATIVE_DOUBLE, &recording->angle_tolerance);
    store_long_text(to, "model.toml", recording->model_text);
    store_long_text(to, "run.toml", recording->run_text);
}

static tn_status convert(const tn_host *host, const void *instance, const tn_recording *const *recording,
                         uint32_t count, const char *folder)
{
    const hdf5 *settings = instance;
    if (count != 1) return TN_UNSUPPORTED;
    store to = {.host = host, .level = settings->compression, .single = settings->poses == SINGLE};
    H5E_auto2_t report = NULL; /* the library prints errors by itself unless this is switched off */
    void *report_data = NULL;
    const bool reported = H5Eget_auto2(H5E_DEFAULT, &report, &report_data) >= 0;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (store_open(&to, folder, "results.h5") == TN_OK) {
        store_run(&to, recording[0]);
        store_tables(&to, recording[0]);
        store_motion(&to, recording[0]);
        store_events(&to, recording[0]);
        store_modes(&to, recording[0]);
    }
    const tn_status status = store_close(&to);
    if (reported) (void)H5Eset_auto2(H5E_DEFAULT, report, report_data);
    return status;
}

TN_WRITER(
    hdf5,
    .summary = "all results in one file: results.h5, with units, for h5py, xarray and readers of NetCDF-4",
    .formula = "groups of datasets along time, which is a dimension scale of each group",
    .literature = "The HDF Group: HDF5 Dimension Scale Specification, 2005\n"
                  "Unidata: NetCDF-4 file format specification, 2023",
    TN_CAPABILITIES(TN_HAS(conversion, .most = 1, .convert = convert, .stem = "results")))
TN_LIBRARY("hdf5", "1.0.0", "Apache-2.0", "writer of HDF5 files; links HDF5 (BSD)",
           {TN_WRITER_KIND, &hdf5_type})

// perf.data, as `perf record` writes it: files, pipes (`-o -`) and directories (`--threads`), plain or compressed (`-z`), of either byte
// order.
//
// The events are the samples, and context switches (`--switch-events`). What else is recorded fills the trace's modules and process
// records, and its losses. Not read: AUX data of hardware traces, and call chains that are recorded later than their sample.

#include "core/formats/perf_data/perf_opening.h"

namespace helio {

extern const TraceFormat perfDataFormat{"perf.data", perf::findRecordings,
                                        [](const TraceSource& source, std::stop_token) { return perf::beginPerf(source); }};

} // namespace helio

// Reader for perf.data, written by `perf record`: files, pipes (`-o -`) and directories (`--threads`), plain or compressed (`-z`), of
// either byte order.
//
// The trace's events are the samples and context switches (`--switch-events`). Other records fill the trace's modules, process records and
// losses. AUX data of hardware traces, and call chains that are recorded later than their sample, are not read.

#include "core/formats/perf_data/perf_opening.h"

namespace helio {

extern const TraceFormat perfDataFormat{"perf.data", perf::findRecordings,
                                        [](const TraceSource& source, std::stop_token) { return perf::beginPerf(source); }};

} // namespace helio

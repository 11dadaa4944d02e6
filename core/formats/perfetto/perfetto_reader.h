#pragma once

#include "core/base/result.h"
#include "core/formats/perfetto/clocks.h"
#include "core/trace/process/sample_view.h"
#include "core/trace/stored/stored_trace.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::perfetto {

/// Content of a trace of Perfetto.
struct PerfettoRecording {
    std::unique_ptr<StoredRecording> recording; ///< Events, process records and losses of the trace; never nullptr.
    /// Facts about the traced machine for TraceInfo::environment.
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<SampleEvent> samples; ///< Event types that are samples, in ascending order of SampleEvent::type.
    std::vector<Module> modules;
    std::vector<RecordedFrame> stacks; ///< Call tree of the samples; the first entry is the empty call stack.
    /// Texts in packets of Chrome (ChromeEventBundle): that of ftrace ("legacy_ftrace_output"), and events in Chrome's JSON format
    /// ("legacy_json_trace").
    std::vector<EmbeddedText> embedded;
    std::string uuid; ///< UUID of the trace; empty if not recorded.
    std::string clock; ///< Name of the primary clock, e.g. "boottime".
    HostClock hostClock; ///< How the times were converted to the clock of the trace's host; they were not if it has no rounds.
    std::optional<std::int64_t>
        wallClock; ///< Offset in ns that was added to all times to get the time since the Unix epoch; nullopt if not recorded.
};

/// Machines in a trace. A trace contains packets of several machines if producers on other machines, e.g. in virtual machines, were
/// connected to the tracing service of one machine, the host.
struct Machines {
    std::uint32_t read = 0; ///< ID of the machine whose packets are read; 0 for the host.
    std::vector<std::uint32_t> others; ///< IDs of the machines that other traces of the same file show, in ascending order.
};

/// Reads the packets of one machine in a trace of Perfetto. If the trace relates the machine's clock to the host's clock, all times are
/// converted to the host's clock. `trace` contains the bytes of the file; `file` is the name of the file in diagnostics.
///
/// Errors: Cancelled soon after `stop` is requested; Full if there is no room for decompressed packets.
/// Memory: 32 bytes for each packet and 24 for each event, and the names of threads.
Result<PerfettoRecording> readPerfetto(std::string_view trace, const std::string& file, const std::stop_token& stop,
                                       Machines machines = {});

} // namespace helio::perfetto

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/export/export_format.h"
#include "core/export/pack/index_pack.h"

#include <atomic>
#include <fmt/format.h>
#include <iterator>

namespace helio {
namespace {

struct PackOptions {
    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    std::filesystem::path output;

    void addTo(OptionList& options)
    {
        addTraces(options, traces);
        reading.addTo(options);
        options.value("-o,--output", output, "FILE", "File to write, usually NAME.heliostore");
    }
    std::string missing() const { return !traces.empty() && output.empty() ? "-o FILE is missing" : missingTrace(traces); }
    Status read() { return reading.read(); }
};

int run(const PackOptions& options)
{
    const auto opened = openExperiment(options.traces, options.reading);
    if (!opened)
        return failWith(opened.error());
    if (const Status outside = checkOutside(options.output, *opened->timeline, options.traces); !outside)
        return failWith(outside.error());
    Interrupts interrupts(Interrupts::Kind::First);
    const StopAtInterrupt interrupted(interrupts);
    std::atomic<double> share = 0;
    PackRequest request;
    const auto stores = opened->experiment->storePaths();
    for (std::size_t i = 0; i < stores.size(); ++i)
        request.traces.push_back({opened->timeline->traces[i].trace.get(), stores[i]});
    request.output = options.output;
    request.stop = interrupted.token();
    request.progress = [&](double done) { share = done; };
    const auto packed = [&] {
        const ProgressLine line([&] { return fmt::format("packing {:3.0f} %", share * 100); }, options.reading.isQuiet);
        return writeIndexPack(request);
    }();
    if (!packed)
        return Interrupts::exitStatusOr(failWith(packed.error()));
    Output output;
    fmt::format_to(std::back_inserter(output.buffer()), "{}: {} {}, {} bytes of index in {} bytes\n", options.output.string(),
                   stores.size(), stores.size() == 1 ? "trace" : "traces", packed->storeBytes, packed->bytes);
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command packCommand;
const Command packCommand{22,
                          "pack",
                          "Write the index of recordings to one file, to open it elsewhere",
                          callOf<PackOptions, run>,
                          R"(heliograph pack TRACE -o trace.heliostore
heliograph pack TRACE -o trace.heliostore --analysis locks.xml
)",
                          R"(The file opens like a recording, but it has no single events and no fields of events. The page
fleet.md of the guide describes it.
)"};

} // namespace helio
